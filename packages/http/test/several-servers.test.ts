import { MemoryContents, WorldsEngine } from '@rdf-worlds/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorldsHandler, type WorldsHandler } from '../src/index.ts';
import { SharedStorage } from './shared-storage.ts';

type Grant = { namespace: string; world?: string; read?: boolean; write?: boolean };
const GRANTS: Readonly<Record<string, Grant[]>> = {
  all: [{ namespace: 'acme', read: true, write: true }],
  one: [{ namespace: 'acme', world: 'w', read: true, write: true }],
  other: [{ namespace: 'other', read: true, write: true }],
};
const SPARQL = '/worlds/w/sparql';
const COUNT = 'SELECT (COUNT(*) AS ?n) { ?s ?p ?o }';

/**
 * Two servers as in processes of their own. No one tells the second of the commits of the first.
 */
let engines: WorldsEngine[];
let storages: SharedStorage[];
let handlers: WorldsHandler[];

beforeEach(async () => {
  const contents = new MemoryContents();
  storages = [new SharedStorage(contents), new SharedStorage(contents)];
  engines = await Promise.all(storages.map((storage) => WorldsEngine.open({ storage, compaction: 'manual' })));
  handlers = engines.map((engine) =>
    createWorldsHandler(engine, {
      authenticate: (token) => ({ id: token, defaultNamespace: 'acme', grants: GRANTS[token] }),
    }),
  );
  await engines[0].createWorld({ slug: 'w', namespace: 'acme' });
  // The second server has the namespace in memory, as of now.
  expect(await engines[1].getWorld({ source: 'acme/w' })).not.toBeNull();
});
afterEach(async () => {
  for (const engine of engines) await engine.close();
});

interface Sent {
  readonly method?: string;
  readonly body?: object | string;
  readonly type?: string;
  readonly as?: keyof typeof GRANTS;
  readonly headers?: Record<string, string>;
}

async function ask(server: number, path: string, { method, body, type, as = 'all', headers }: Sent = {}) {
  const response = await handlers[server](
    new Request(`http://x${path}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        authorization: `Bearer ${as}`,
        ...(body && { 'content-type': type ?? 'application/json' }),
        ...headers,
      },
      body: typeof body === 'object' ? JSON.stringify(body) : body,
    }),
  );
  return { status: response.status, headers: response.headers, text: await response.text() };
}

let written = 0;
const insert = (as?: keyof typeof GRANTS) =>
  ask(0, SPARQL, { body: { query: `INSERT DATA { <urn:s${++written}> <urn:p> "plum" }` }, as });
const countIn = (text: string) => Number(JSON.parse(text).results.bindings[0].n.value);

interface Read {
  readonly latest: boolean;
  readonly as?: string;
  readonly headers?: Record<string, string>;
}

const parameter = (latest: boolean, joint = '?') => (latest ? `${joint}consistency=latest` : '');
const field = (latest: boolean) => (latest ? { consistency: 'latest' } : {});
const ok = ({ status, text }: { status: number; text: string }) => {
  expect(status, text).toBe(200);
  return text;
};
const lines = (text: string) => text.split('\n').filter(Boolean).length;
/** Each read of a server, as the number of quads that it sees. */
const READS: Readonly<Record<string, (server: number, read: Read) => Promise<number>>> = {
  'SPARQL, JSON': async (server, { latest, ...sent }) =>
    countIn(ok(await ask(server, SPARQL, { body: { query: COUNT, ...field(latest) }, ...sent }))),
  'SPARQL, GET': async (server, { latest, ...sent }) =>
    countIn(ok(await ask(server, `${SPARQL}?query=${encodeURIComponent(COUNT)}${parameter(latest, '&')}`, sent))),
  'SPARQL, direct': async (server, { latest, ...sent }) =>
    countIn(
      ok(
        await ask(server, `${SPARQL}${parameter(latest)}`, { body: COUNT, type: 'application/sparql-query', ...sent }),
      ),
    ),
  'SPARQL, collection': async (server, { latest, ...sent }) =>
    countIn(ok(await ask(server, '/worlds/sparql', { body: { query: COUNT, ...field(latest) }, ...sent }))),
  export: async (server, { latest, ...sent }) =>
    lines(ok(await ask(server, '/worlds/w/export', { body: field(latest), ...sent }))),
  graph: async (server, { latest, ...sent }) =>
    lines(
      ok(
        await ask(server, `/worlds/w/graphs?default${parameter(latest, '&')}`, {
          ...sent,
          headers: { ...sent.headers, accept: 'application/n-triples' },
        }),
      ),
    ),
  search: async (server, { latest, ...sent }) =>
    JSON.parse(ok(await ask(server, '/worlds/w/search', { body: { query: 'plum', ...field(latest) }, ...sent })))
      .length,
};

describe('servers over one storage', () => {
  it('read the latest state if they are asked to, and else possibly an older one', async () => {
    for (const as of ['all', 'one'] as const) {
      for (const [name, read] of Object.entries(READS)) {
        const before = await read(1, { latest: true, as });
        expect((await insert()).status).toBe(204);
        expect(await read(1, { latest: false, as }), name).toBe(before);
        expect(await read(1, { latest: true, as }), name).toBe(before + 1);
        expect(await read(1, { latest: false, as }), name).toBe(before + 1);
      }
    }
  });

  it('list and get the latest worlds', async () => {
    const slugs = async (path: string) => JSON.parse(ok(await ask(1, path))).map(({ slug }: { slug: string }) => slug);
    const label = async (path: string) => JSON.parse(ok(await ask(1, path))).label;
    expect((await ask(0, '/worlds', { body: { slug: 'x' } })).status).toBe(201);
    expect(await slugs('/worlds')).toEqual(['w']);
    expect(await slugs('/worlds?consistency=latest')).toEqual(['w', 'x']);
    expect((await ask(0, '/worlds/w', { method: 'PUT', body: { label: 'new' } })).status).toBe(204);
    expect(await label('/worlds/w?consistency=bounded')).toBeUndefined();
    expect(await label('/worlds/w?consistency=latest')).toBe('new');
  });

  it('refuse another consistency, and read no head for a caller without permission', async () => {
    for (const path of ['/worlds', '/worlds/w', '/worlds/w/graphs?default', `${SPARQL}?query=ASK%7B%7D`]) {
      const joint = path.includes('?') ? '&' : '?';
      const { status, text } = await ask(1, `${path}${joint}consistency=newest`);
      expect([status, text], path).toEqual([400, expect.stringContaining('consistency: expected bounded or latest')]);
      expect((await ask(1, `${path}${joint}consistency=latest&consistency=latest`)).status).toBe(400);
      const { heads } = storages[1];
      expect(
        (await ask(1, `${path}${joint}consistency=latest`.replace('/', '/namespaces/acme/'), { as: 'other' })).status,
      ).toBe(403);
      expect(storages[1].heads).toBe(heads);
    }
    for (const path of [SPARQL, '/worlds/w/export', '/worlds/w/search'])
      expect((await ask(1, path, { body: { query: 'ASK {}', consistency: 'newest' } })).status, path).toBe(400);
  });
});
