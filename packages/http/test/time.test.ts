import { WorldsEngine } from '@rdf-worlds/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorldsHandler } from '../src/index.ts';

let now: number;
let engine: WorldsEngine;
/** Times before and after the commits: `times[n]` is when the world had `n` quads. */
let times: string[];
let revisions: number[];
const line = (n: number) => `<urn:s${n}> <urn:p> "${n}" .\n`;

beforeEach(async () => {
  now = Date.UTC(2026, 0, 1);
  times = [];
  revisions = [];
  engine = await WorldsEngine.open({ history: { keepRevisions: 50 }, clock: () => now, textIndex: null });
  const note = async () => {
    times.push(new Date(now).toISOString());
    revisions.push((await engine.getNamespace({ namespace: 'acme' }))!.revision);
    now += 1000;
  };
  await engine.createWorld({ slug: 'w', namespace: 'acme', label: 'first' });
  await note();
  for (const n of [1, 2]) {
    await engine.import({ source: 'acme/w', data: line(n) });
    await note();
  }
  await engine.updateWorld({ source: 'acme/w', label: 'second' });
  await engine.createWorld({ slug: 'secret', namespace: 'acme' });
});
afterEach(() => engine.close());

type Grant = { namespace: string; world?: string; read?: boolean; write?: boolean };
const ALL: Grant[] = [{ namespace: 'acme', read: true, write: true }];
const ONE: Grant[] = [{ namespace: 'acme', world: 'w', read: true }];

async function ask(
  path: string,
  { body, grants = ALL, accept }: { body?: object; grants?: Grant[]; accept?: string } = {},
) {
  const handler = createWorldsHandler(engine, { authenticate: () => ({ id: 'x', defaultNamespace: 'acme', grants }) });
  const headers = {
    authorization: 'Bearer x',
    ...(body && { 'content-type': 'application/json' }),
    ...(accept && { accept }),
  };
  const method = body ? 'POST' : 'GET';
  const response = await handler(
    new Request(`http://x${path}`, { method, headers, body: body && JSON.stringify(body) }),
  );
  return { status: response.status, text: await response.text() };
}

const COUNT = 'SELECT (COUNT(*) AS ?n) { ?s ?p ?o }';
const countIn = (text: string) => JSON.parse(text).results.bindings[0].n.value;

describe('at', () => {
  it('reads queries, exports, graphs and records of the past', async () => {
    for (const [n, at] of times.entries()) {
      for (const grants of [ALL, ONE]) {
        const query = await ask('/worlds/w/sparql', { body: { query: COUNT, at }, grants });
        expect([query.status, countIn(query.text)]).toEqual([200, String(n)]);
        const protocol = await ask(`/worlds/w/sparql?query=${encodeURIComponent(COUNT)}&at=${at}`, { grants });
        expect(countIn(protocol.text)).toBe(String(n));
        const all = await ask('/worlds/sparql', { body: { query: COUNT, at }, grants });
        expect([all.status, countIn(all.text)]).toEqual([200, String(n)]);
        const exported = await ask('/worlds/w/export', { body: { at }, grants });
        expect(exported).toEqual({ status: 200, text: [1, 2].slice(0, n).map(line).join('') });
        const graph = await ask(`/worlds/w/graphs?default&at=${at}`, { accept: 'application/n-triples', grants });
        expect(graph.text).toBe(exported.text);
        expect(JSON.parse((await ask(`/worlds/w?at=${at}`, { grants })).text).label).toBe('first');
      }
      const revision = await ask('/worlds/w/sparql', { body: { query: COUNT, at: revisions[n] } });
      expect(countIn(revision.text)).toBe(String(n));
    }
    expect(JSON.parse((await ask('/worlds/w')).text).label).toBe('second');
  });

  it('takes revisions only from callers who may read the whole namespace', async () => {
    const at = revisions[1];
    for (const path of [
      `/worlds/w?at=${at}`,
      `/worlds/w/graphs?default&at=${at}`,
      `/worlds/w/sparql?query=ASK{}&at=${at}`,
    ]) {
      const { status, text } = await ask(path, { grants: ONE });
      expect(status, path).toBe(403);
      expect(text).toContain('pass a time');
    }
    for (const [path, body] of [
      ['/worlds/w/export', { at }],
      ['/worlds/w/sparql', { query: COUNT, at }],
      ['/worlds/sparql', { query: COUNT, at }],
      ['/worlds/w/diff', { from: at }],
      ['/worlds/w/diff', { to: { source: 'w', at } }],
    ] as const) {
      expect((await ask(path, { body, grants: ONE })).status, path).toBe(403);
    }
  });

  it('answers 410 for what is no longer kept and 400 for the future, and tells no revisions to callers of one world', async () => {
    for (let i = 0; i < 60; i++) await engine.import({ source: 'acme/secret', data: line(i) });
    const [, at] = times;
    const oldest = revisions.at(-1)! + 2 + 60 - 50;
    const gone = await ask('/worlds/w/sparql', { body: { query: COUNT, at } });
    expect(gone.status).toBe(410);
    expect(gone.text).toContain(`the oldest revision that is kept is ${oldest}`);
    for (const [path, body] of [
      [`/worlds/w?at=${at}`, undefined],
      ['/worlds/w/export', { at }],
      ['/worlds/w/sparql', { query: COUNT, at }],
      ['/worlds/sparql', { query: COUNT, at }],
      ['/worlds/w/diff', { from: at }],
    ] as const) {
      const hidden = await ask(path, { body, grants: ONE });
      expect([path, hidden.status, hidden.text]).toEqual([
        path,
        410,
        '{"error":{"message":"at: the past is no longer kept that far back."}}',
      ]);
    }
    const future = await ask('/worlds/w/sparql', { body: { query: COUNT, at: '2030-01-01T00:00:00Z' }, grants: ONE });
    expect([future.status, /revision/.test(future.text)]).toEqual([400, false]);
    for (const wrong of ['yesterday', '2026-01-01', '2026-01-01T00:00:00', -1, 1.5]) {
      expect((await ask('/worlds/w/sparql', { body: { query: COUNT, at: wrong } })).status, String(wrong)).toBe(400);
    }
    const update = { query: 'INSERT DATA { <urn:a> <urn:b> 1 }', at: times[2] };
    expect((await ask('/worlds/w/sparql', { body: update })).status).toBe(400);
  });

  it('shows nothing of a deleted world to those who read its successor', async () => {
    await engine.deleteWorld({ source: 'acme/w' });
    expect((await ask('/worlds/w/export', { body: { at: times[2] }, grants: ONE })).status).toBe(200);
    await engine.createWorld({ slug: 'w', namespace: 'acme' });
    for (const grants of [ALL, ONE]) {
      expect((await ask('/worlds/w/export', { body: { at: times[2] }, grants })).status).toBe(400);
      expect((await ask(`/worlds/w?at=${times[2]}`, { grants })).status).toBe(404);
      const all = await ask('/worlds/sparql', { body: { query: COUNT, at: times[2] }, grants });
      expect(countIn(all.text)).toBe('0');
    }
  });
});

describe('fork and diff', () => {
  it('forks now and as of a moment, for readers who may write the new world', async () => {
    const fork = await ask('/worlds/w/fork', { body: { slug: 'f', at: times[1] } });
    expect([fork.status, JSON.parse(fork.text)]).toMatchObject([201, { slug: 'f', label: 'first' }]);
    expect((await ask('/worlds/f/export', { body: {} })).text).toBe(line(1));
    expect((await ask('/worlds/w/fork', { body: { slug: 'f' } })).status).toBe(409);
    expect((await ask('/worlds/w/fork', { body: { slug: 'g' }, grants: ONE })).status).toBe(403);
    expect((await ask('/worlds/none/fork', { body: { slug: 'g' } })).status).toBe(400);
    const other = [...ONE, { namespace: 'acme', world: 'g', write: true }];
    expect((await ask('/worlds/w/fork', { body: { slug: 'g' }, grants: other })).status).toBe(201);
    expect((await ask('/worlds/secret/fork', { body: { slug: 'g2' }, grants: other })).status).toBe(403);
  });

  it('writes a difference as RDF Patch, without revisions for callers of one world', async () => {
    const all = await ask('/worlds/w/diff', { body: { from: times[1] } });
    expect([all.status, all.text.includes('H revision ')]).toEqual([200, true]);
    const one = await ask('/worlds/w/diff', { body: { from: times[0], to: times[2] }, grants: ONE });
    expect(one.text).toBe(
      'H namespace "acme" .\nH world "w" .\nH to-namespace "acme" .\nH to-world "w" .\nTX .\n' +
        'A <urn:s1> <urn:p> "1" .\nA <urn:s2> <urn:p> "2" .\nTC .\n',
    );
  });

  it('holds a difference only for callers who must not see the order of its rows', async () => {
    const data = Array.from({ length: 20_000 }, (_, i) => `<urn:many${i}> <urn:p> "x" .`).join('\n');
    await engine.import({ source: 'acme/w', data });
    const body = { from: times[2], maxMemoryBytes: 1 << 20 };
    const all = await ask('/worlds/w/diff', { body });
    expect([all.status, all.text.split('\nA ').length - 1]).toEqual([200, 20_000]);
    const one = await ask('/worlds/w/diff', { body, grants: ONE });
    expect(one).toMatchObject({ status: 400, text: expect.stringContaining('maxMemoryBytes') });
    const enough = await ask('/worlds/w/diff', { body: { from: times[2] }, grants: ONE });
    expect(enough.text.split('\nA ').length - 1).toBe(20_000);
    expect(engine.memoryPool.usedBytes).toBe(0);
  });

  it('says which revision is the oldest, to callers who may know it', async () => {
    const forgetful = await WorldsEngine.open({ history: { keepRevisions: 1 }, clock: () => now, textIndex: null });
    await forgetful.createWorld({ slug: 'w', namespace: 'acme' });
    for (const n of [1, 2, 3]) await forgetful.import({ source: 'acme/w', data: line(n) });
    const refused = async (grants: Grant[]) => {
      const authenticate = () => ({ id: 'x', defaultNamespace: 'acme', grants });
      const handler = createWorldsHandler(forgetful, { authenticate });
      const headers = { authorization: 'Bearer x', 'content-type': 'application/json' };
      const body = JSON.stringify({ from: new Date(now - 1).toISOString() });
      const { status, headers: answered } = await handler(
        new Request('http://x/worlds/w/diff', { method: 'POST', headers, body }),
      );
      return [status, answered.get('rdf-worlds-error')];
    };
    expect(await refused(ALL)).toEqual([410, 'TRUNCATED; revision=3; oldestrevision=3']);
    expect(await refused(ONE)).toEqual([410, 'TRUNCATED']);
    await forgetful.close();
  });

  it('compares only worlds that the caller may read', async () => {
    const secret = await ask('/worlds/w/diff', { body: { to: { source: 'secret' } }, grants: ONE });
    expect(secret.status).toBe(403);
    expect((await ask('/worlds/w/diff', { body: { to: { source: 'secret' } } })).text).toContain('D <urn:s1>');
  });
});
