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

const TOKEN = 'rdf-worlds-revision-token';
const tokenOf = ({ headers }: { headers: Headers }) => {
  expect(headers.has(TOKEN)).toBe(true);
  return { [TOKEN]: headers.get(TOKEN)! };
};

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

  it('show a caller its own writes if it sends their token, in every way of reading', async () => {
    for (const as of ['all', 'one'] as const) {
      for (const [name, read] of Object.entries(READS)) {
        const before = await read(1, { latest: true, as });
        const headers = tokenOf(await insert(as));
        expect(headers[TOKEN], name).toMatch(as === 'all' ? /^acme=\d+$/ : /^acme=latest$/);
        expect(await read(1, { latest: false, as }), name).toBe(before);
        expect(await read(1, { latest: false, as, headers }), name).toBe(before + 1);
        const { heads } = storages[1];
        expect(await read(1, { latest: false, as, headers }), name).toBe(before + 1);
        // What a server has reached, it need not look for.
        if (as === 'all') expect(storages[1].heads, name).toBe(heads);
      }
    }
  });

  it('answer every kind of write with a token', async () => {
    const quad = '<urn:s> <urn:p> "o" .';
    const nquads = { body: quad, type: 'application/n-quads' };
    const turtle = { body: quad, type: 'text/turtle' };
    const writes: readonly (readonly [string, Sent, expected: string])[] = [
      ['/worlds', { body: { slug: 'x' } }, '/worlds/x'],
      ['/worlds/x/fork', { body: { slug: 'y' } }, '/worlds/y'],
      ['/worlds/y/import', nquads, '/worlds/y/graphs?default'],
      ['/worlds/y/graphs?graph=urn:g', { ...turtle, method: 'PUT' }, '/worlds/y/graphs?graph=urn:g'],
      ['/worlds/y/graphs?graph=urn:h', turtle, '/worlds/y/graphs?graph=urn:h'],
      ['/worlds/y/graphs', turtle, ''],
    ];
    for (const [path, sent, shows] of writes) {
      const answer = await ask(0, path, sent);
      expect(answer.status, `${path} ${answer.text}`).toBeLessThan(300);
      const headers = tokenOf(answer);
      const there = shows || new URL(answer.headers.get('location')!).pathname;
      expect((await ask(1, there, { headers })).status, path).toBe(200);
    }
    const deleted = await ask(0, '/worlds/y/graphs?graph=urn:g', { method: 'DELETE' });
    expect((await ask(1, '/worlds/y/graphs?graph=urn:g')).status).toBe(200);
    expect((await ask(1, '/worlds/y/graphs?graph=urn:g', { headers: tokenOf(deleted) })).status).toBe(404);
    const label = await ask(0, '/worlds/y', { method: 'PUT', body: { label: 'new' } });
    expect(JSON.parse((await ask(1, '/worlds/y', { headers: tokenOf(label) })).text).label).toBe('new');
    const gone = await ask(0, '/worlds/y', { method: 'DELETE' });
    expect((await ask(1, '/worlds/y')).status).toBe(200);
    expect((await ask(1, '/worlds/y', { headers: tokenOf(gone) })).status).toBe(404);
    const numbers = JSON.parse((await ask(1, '/stats', { headers: tokenOf(await insert()) })).text);
    expect(numbers).toMatchObject({ worlds: 2, quads: 1 });
  });

  it('show that a namespace was deleted, and created again', async () => {
    const old = tokenOf(await insert());
    await ask(1, '/worlds/w', { headers: old });
    const gone = tokenOf(await ask(0, '/worlds/w', { method: 'DELETE' }));
    expect(gone[TOKEN]).toBe('acme=latest');
    expect((await ask(1, '/worlds/w')).status).toBe(200);
    expect((await ask(1, '/worlds/w', { headers: gone })).status).toBe(404);
    // A token of before is satisfied too, here and in the namespace that comes after.
    expect((await ask(1, '/worlds/w', { headers: old })).status).toBe(404);
    const again = tokenOf(await ask(0, '/worlds', { body: { slug: 'w' } }));
    for (const headers of [again, old, gone]) expect((await ask(1, '/worlds/w', { headers })).status).toBe(200);
  });

  it('refuse malformed tokens, and those of revisions that there are not', async () => {
    const asked = (value: string, as = 'all') => ask(1, '/worlds/w', { headers: { [TOKEN]: value }, as });
    const many = Array.from({ length: 65 }, (_, n) => `n${n}=1`).join(', ');
    for (const value of [
      '12',
      'acme',
      'acme=',
      'acme=-1',
      'acme=1e3',
      'a b=1',
      '=1',
      'acme=99999999999999999',
      'acme=1,',
      many,
    ]) {
      const { status, text } = await asked(value);
      expect([status, text], value).toEqual([400, expect.stringContaining('RDF-Worlds-Revision-Token: expected')]);
    }
    expect((await asked('acme=9007199254740991')).status).toBe(400);
    expect((await asked('acme=9007199254740991')).text).toContain('of another storage');
    // Who may not know the revision learns nothing from guesses.
    const { text } = await asked('acme=0', 'one');
    const { heads } = storages[1];
    for (const value of ['acme=0', 'acme=9007199254740991', 'acme=latest', 'acme=1, acme=9007199254740991']) {
      expect(await asked(value, 'one')).toMatchObject({ status: 200, text });
    }
    expect(storages[1].heads - heads).toBe(4);
    // Tokens of namespaces that the request does not read have no effect.
    expect((await asked('other=9007199254740991, acme=1')).status).toBe(200);
    expect(storages[1].heads - heads).toBe(4);
    expect((await asked('acme=1', 'other')).status).toBe(403);
    expect(storages[1].heads - heads).toBe(4);
  });

  it('end the wait at the deadline', async () => {
    const handler = createWorldsHandler(engines[1], {
      authenticate: () => ({ id: 'x', defaultNamespace: 'acme', grants: GRANTS.all }),
      limits: { timeoutMs: 20 },
    });
    const headers = { authorization: 'Bearer x', ...tokenOf(await insert()) };
    let release!: () => void;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    storages[1].beforeHead = () => held;
    const response = await handler(new Request('http://x/worlds/w', { headers }));
    expect(response.status).toBe(503);
    expect(response.headers.get('rdf-worlds-error')).toBe('TIMEOUT');
    release();
  });

  it('on a storage of its own, a server sends no token and is satisfied by any', async () => {
    const engine = await WorldsEngine.open({ textIndex: null });
    handlers[0] = createWorldsHandler(engine, {
      authenticate: () => ({ id: 'x', defaultNamespace: 'acme', grants: GRANTS.all }),
    });
    const answer = await ask(0, '/worlds', { body: { slug: 'w' } });
    expect([answer.status, answer.headers.has(TOKEN)]).toEqual([201, false]);
    expect((await ask(0, '/worlds/w', { headers: { [TOKEN]: 'acme=1000' } })).status).toBe(200);
    expect((await ask(0, '/worlds/w', { headers: { [TOKEN]: 'acme' } })).status).toBe(400);
    await engine.close();
  });
});

it('entity tags of one server are those of the other', async () => {
  await insert();
  const { headers } = await ask(0, '/worlds/w');
  const etag = headers.get('etag')!;
  const export0 = await ask(0, '/worlds/w/export', { body: {} });
  expect((await ask(1, '/worlds/w?consistency=latest')).headers.get('etag')).toBe(etag);
  expect(await ask(1, '/worlds/w', { headers: { 'if-none-match': etag } })).toMatchObject({ status: 304 });
  const unchanged = { 'if-none-match': export0.headers.get('etag')! };
  expect(await ask(1, '/worlds/w/export', { body: {}, headers: unchanged })).toMatchObject({ status: 304 });

  const update = { body: { query: 'INSERT DATA { <urn:s> <urn:p> "plum" }' }, headers: { 'if-match': etag } };
  expect(await ask(1, SPARQL, update)).toMatchObject({ status: 204 });
  // The first server has not received that commit yet.
  expect(await ask(0, SPARQL, update)).toMatchObject({ status: 412 });
});
