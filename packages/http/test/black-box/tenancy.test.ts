import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectError, expectNoContent, expectSearchResults, expectSelectResults } from './answer-shapes.ts';
import { bearer, type Caller } from './callers.ts';
import { type EngineCall, watchEngine } from './engine-calls.ts';
import { type Answered, type Asked, ask } from './exchange.ts';
import { FAMILIES } from './operations.ts';
import { rawExchange } from './raw-exchange.ts';
import { type RunningServer, startServer } from './running-server.ts';
import { setTrap, type TrapServer } from './trap-server.ts';

/**
 * Every world's literal, label and graph hold its own of these words; a word in a wrong answer is a
 * leak.
 */
const WORDS = {
  'alpha/ada': 'alphasecret',
  'alpha/shared': 'sharedsecret',
  'beta/vault': 'betasecret',
  'platform/office': 'platformsecret',
} as const;

const dataOf = (word: string) =>
  `<urn:s> <urn:p> "${word} common" .\n<urn:s> <urn:p> "${word} in a graph" <urn:graph:${word}> .\n`;
const base64 = (text: string) => Buffer.from(text).toString('base64');

let server: RunningServer;
let trap: TrapServer;
const calls: EngineCall[] = [];

beforeAll(async () => {
  server = await startServer({ wrapEngine: (engine) => watchEngine(engine, calls) });
  trap = await setTrap();
  for (const [name, word] of Object.entries(WORDS)) {
    const [namespace, slug] = name.split('/');
    await server.engine.createWorld({ namespace, slug, label: `label of ${word}` });
    await server.engine.import({ source: name, data: dataOf(word) });
  }
});
afterAll(async () => {
  await server.close();
  await trap.close();
});
beforeEach(() => {
  calls.length = 0;
});

const as =
  (caller: Caller) =>
  (method: string, path: string, json?: unknown, more: Partial<Asked> = {}): Promise<Answered> =>
    ask(server, { method, path, as: caller, json, ...more });

async function everything(): Promise<string[]> {
  const found: string[] = [];
  for (const namespace of await server.engine.listNamespaces()) {
    for await (const world of server.engine.worlds({ namespace })) {
      const data = await server.engine.export({ source: `${namespace}/${world.slug}` });
      found.push(JSON.stringify(world) + new TextDecoder().decode(data));
    }
  }
  return found;
}

const ALL = 'SELECT * { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } }';
const TURTLE = { body: '<urn:s> <urn:p> "overwritten" .', headers: { 'content-type': 'text/turtle' } };
const PROTOCOL_QUERY = { body: ALL, headers: { 'content-type': 'application/sparql-query' } };
const PROTOCOL_UPDATE = {
  body: 'INSERT DATA { <urn:s> <urn:p> "overwritten" }',
  headers: { 'content-type': 'application/sparql-update' },
};
const form = (fields: Record<string, string>) => ({ body: new URLSearchParams(fields) });

interface Attempt {
  readonly title: string;
  readonly method: string;
  readonly path: string;
  readonly json?: unknown;
  readonly more?: Partial<Asked>;
}

/** Every field that names a world or a namespace, as far as one world is wanted. */
function attemptsOn(namespace: string, slug: string, own: { namespace: string; slug: string }): Attempt[] {
  const foreign = `${namespace}/${slug}`;
  const sources: [string, unknown][] = [
    ['qualified string', foreign],
    ['object', { slug, namespace }],
    ['name', { name: foreign }],
    ['object with flags', { slug, namespace, write: true, schema: false }],
    ['schema', { name: foreign, schema: true }],
  ];
  const path = `/namespaces/${namespace}/worlds/${slug}`;
  const graphs = [`${path}/graphs?default`, `${path}/graphs?graph=urn:g`, `${path}/graphs/x`];
  return [
    { title: 'path: get', method: 'GET', path },
    { title: 'path: head', method: 'HEAD', path },
    { title: 'path: put', method: 'PUT', path, json: { label: 'L' } },
    { title: 'path: delete', method: 'DELETE', path },
    { title: 'path: export', method: 'POST', path: `${path}/export` },
    { title: 'path: import', method: 'POST', path: `${path}/import`, json: { data: '' } },
    { title: 'path: query', method: 'POST', path: `${path}/sparql`, json: { query: ALL } },
    { title: 'path: update', method: 'POST', path: `${path}/sparql`, json: { query: PROTOCOL_UPDATE.body } },
    { title: 'path: description', method: 'POST', path: `${path}/sparql`, json: {} },
    { title: 'path: description by GET', method: 'GET', path: `${path}/sparql` },
    { title: 'path: query by GET', method: 'GET', path: `${path}/sparql?query=${encodeURIComponent(ALL)}` },
    { title: 'path: query by form', method: 'POST', path: `${path}/sparql`, more: form({ query: ALL }) },
    { title: 'path: direct query', method: 'POST', path: `${path}/sparql`, more: PROTOCOL_QUERY },
    {
      title: 'path: update by form',
      method: 'POST',
      path: `${path}/sparql`,
      more: form({ update: PROTOCOL_UPDATE.body }),
    },
    { title: 'path: direct update', method: 'POST', path: `${path}/sparql`, more: PROTOCOL_UPDATE },
    { title: 'path: search', method: 'POST', path: `${path}/search`, json: { query: 'common' } },
    ...graphs.flatMap((graph): Attempt[] => [
      { title: `path: GET ${graph}`, method: 'GET', path: graph },
      { title: `path: HEAD ${graph}`, method: 'HEAD', path: graph },
      { title: `path: PUT ${graph}`, method: 'PUT', path: graph, more: TURTLE },
      { title: `path: POST ${graph}`, method: 'POST', path: graph, more: TURTLE },
      { title: `path: DELETE ${graph}`, method: 'DELETE', path: graph },
    ]),
    { title: 'path: POST graphs', method: 'POST', path: `${path}/graphs`, more: TURTLE },
    ...FAMILIES.flatMap((family) => {
      const worlds = family.worlds(own.namespace);
      const mine = `${worlds}/${own.slug}`;
      return sources.flatMap(([source, value]): Attempt[] => [
        {
          title: `source, ${source}: put, ${family.name}`,
          method: 'PUT',
          path: mine,
          json: { source: value, label: 'L' },
        },
        { title: `source, ${source}: delete, ${family.name}`, method: 'DELETE', path: mine, json: { source: value } },
        {
          title: `source, ${source}: export, ${family.name}`,
          method: 'POST',
          path: `${mine}/export`,
          json: { source: value },
        },
        {
          title: `source, ${source}: import, ${family.name}`,
          method: 'POST',
          path: `${mine}/import`,
          json: { source: value, data: '' },
        },
        ...[worlds, mine].flatMap((scope): Attempt[] => [
          {
            title: `sources, ${source}: query, ${scope}`,
            method: 'POST',
            path: `${scope}/sparql`,
            json: { query: ALL, sources: [value] },
          },
          {
            title: `sources, ${source}: among own, ${scope}`,
            method: 'POST',
            path: `${scope}/sparql`,
            json: { query: ALL, sources: [`${own.namespace}/${own.slug}`, value] },
          },
          {
            title: `sources, ${source}: update, ${scope}`,
            method: 'POST',
            path: `${scope}/sparql`,
            json: { query: PROTOCOL_UPDATE.body, sources: [value] },
          },
          {
            title: `sources, ${source}: update of own from it, ${scope}`,
            method: 'POST',
            path: `${scope}/sparql`,
            json: {
              query: 'INSERT { ?s ?p ?o } WHERE { GRAPH ?g { ?s ?p ?o } }',
              sources: [{ name: `${own.namespace}/${own.slug}`, write: true }, value],
            },
          },
          {
            title: `sources, ${source}: description, ${scope}`,
            method: 'POST',
            path: `${scope}/sparql`,
            json: { sources: [value] },
          },
          {
            title: `sources, ${source}: search, ${scope}`,
            method: 'POST',
            path: `${scope}/search`,
            json: { query: 'common', sources: [value] },
          },
        ]),
      ]);
    }),
  ];
}

/** The same of a whole namespace. */
function attemptsOnNamespace(namespace: string, own: string): Attempt[] {
  const path = `/namespaces/${namespace}/worlds`;
  const body = { query: ALL, namespace };
  return [
    { title: 'path: list', method: 'GET', path },
    { title: 'path: create', method: 'POST', path, json: { slug: 'intruder' } },
    { title: 'path: query', method: 'POST', path: `${path}/sparql`, json: { query: ALL } },
    { title: 'path: query by GET', method: 'GET', path: `${path}/sparql?query=${encodeURIComponent(ALL)}` },
    { title: 'path: direct query', method: 'POST', path: `${path}/sparql`, more: PROTOCOL_QUERY },
    { title: 'path: description', method: 'POST', path: `${path}/sparql`, json: {} },
    { title: 'path: search', method: 'POST', path: `${path}/search`, json: { query: 'common' } },
    { title: 'namespace: create', method: 'POST', path: '/worlds', json: { slug: 'intruder', namespace } },
    ...FAMILIES.flatMap((family): Attempt[] => {
      const worlds = family.worlds(own);
      return [
        { title: `namespace: query, ${family.name}`, method: 'POST', path: `${worlds}/sparql`, json: body },
        {
          title: `namespace: description, ${family.name}`,
          method: 'POST',
          path: `${worlds}/sparql`,
          json: { namespace },
        },
        {
          title: `namespace: unqualified source, ${family.name}`,
          method: 'POST',
          path: `${worlds}/sparql`,
          json: { ...body, sources: ['vault'] },
        },
        {
          title: `namespace: search, ${family.name}`,
          method: 'POST',
          path: `${worlds}/search`,
          json: { query: 'common', namespace },
        },
      ];
    }),
  ];
}

const HOMES = { alice: { namespace: 'alpha', slug: 'ada' }, carol: { namespace: 'alpha', slug: 'shared' } } as const;
const own = HOMES.alice;

/** HEAD answers have no body to look at. */
function expectRefusal(answer: Answered, { method }: Attempt): void {
  if (method === 'HEAD') expect(answer.status).toBe(403);
  else expectError(answer, 403);
}

/** What differs between two answers for reasons of their own. */
function comparable(answer: Answered, slug: string): unknown {
  const headers = [...answer.headers].filter(([name]) => !/^(date|.*request-id|content-length)$/.test(name));
  return { status: answer.status, headers, text: answer.text.replaceAll(slug, '{slug}') };
}

describe('a tenant, at a world of another tenant', () => {
  const attempts = attemptsOn('beta', 'vault', own);
  it.each(attempts)('$title: 403, and nothing changed', async (attempt) => {
    const before = await everything();
    const answer = await as('alice')(attempt.method, attempt.path, attempt.json, attempt.more);
    expectRefusal(answer, attempt);
    expect(answer.text).not.toContain('secret');
    expect(await everything()).toEqual(before);
  });

  it.each(attempts.map((attempt, index) => ({ attempt, index, title: attempt.title })))(
    '$title: the same answer, and the same work, for a world that is not there',
    async ({ attempt, index }) => {
      const seen = [];
      for (const slug of ['vault', 'vault-that-is-not-there']) {
        calls.length = 0;
        const { method, path, json, more } = attemptsOn('beta', slug, own)[index];
        const answer = await as('alice')(method, path, json, more);
        // What the engine is asked is what could be told from the time that an answer takes.
        seen.push({ ...(comparable(answer, slug) as object), work: calls.map((call) => call.method) });
      }
      expect(attempt.title).toBeTruthy();
      expect(seen[1]).toEqual(seen[0]);
      expect(seen[0].work).toEqual([]);
    },
  );
});

describe('a tenant, at the namespace of another tenant', () => {
  it.each(attemptsOnNamespace('beta', 'alpha'))('$title: 403, and nothing changed', async (attempt) => {
    const before = await everything();
    const answer = await as('alice')(attempt.method, attempt.path, attempt.json, attempt.more);
    expectError(answer, 403);
    expect(answer.text).not.toContain('secret');
    expect(await everything()).toEqual(before);
  });

  it.each(attemptsOnNamespace('beta', 'alpha').map(({ title }, index) => ({ title, index })))(
    '$title: the same answer for a namespace that is not there',
    async ({ index }) => {
      const seen = [];
      for (const namespace of ['beta', 'beta-that-is-not-there']) {
        calls.length = 0;
        const { method, path, json, more } = attemptsOnNamespace(namespace, 'alpha')[index];
        const answer = await as('alice')(method, path, json, more);
        seen.push({ ...(comparable(answer, namespace) as object), work: calls.map((call) => call.method) });
      }
      expect(seen[1]).toEqual(seen[0]);
    },
  );
});

describe('a guest with one world to read, at the other worlds of that namespace', () => {
  const attempts = attemptsOn('alpha', 'ada', HOMES.carol).filter(
    // Without a tenant the routes without a namespace are the platform's, where the guest has
    // nothing: the path is refused already.
    ({ title }) => !title.includes('default namespace'),
  );
  it.each(attempts)('$title: 403, and nothing changed', async (attempt) => {
    const before = await everything();
    const answer = await as('carol')(attempt.method, attempt.path, attempt.json, attempt.more);
    expectRefusal(answer, attempt);
    expect(answer.text).not.toContain('alphasecret');
    expect(await everything()).toEqual(before);
  });

  it.each(attempts.map(({ title }, index) => ({ title, index })))(
    '$title: the same answer for a world that is not there',
    async ({ title, index }) => {
      const answers = [];
      for (const slug of ['ada', 'ada-that-is-not-there']) {
        const attempt = attemptsOn('alpha', slug, HOMES.carol).filter(
          (each) => !each.title.includes('default namespace'),
        )[index];
        const answer = await as('carol')(attempt.method, attempt.path, attempt.json, attempt.more);
        answers.push(comparable(answer, slug));
      }
      expect(answers[1], title).toEqual(answers[0]);
    },
  );

  it.each([
    ...attemptsOn('alpha', 'ada', HOMES.carol).filter(({ title }) => title.includes('default namespace')),
    ...attemptsOn('alpha', 'shared', HOMES.carol).filter(({ title }) => title.includes('default namespace')),
    { title: 'list', method: 'GET', path: '/worlds' },
    { title: 'query', method: 'POST', path: '/worlds/sparql', json: { query: ALL } },
    { title: 'search', method: 'POST', path: '/worlds/search', json: { query: 'common' } },
  ] as Attempt[])('the routes without a namespace are the platform, $title: 403', async (attempt) => {
    const before = await everything();
    const answer = await as('carol')(attempt.method, attempt.path, attempt.json, attempt.more);
    expectRefusal(answer, attempt);
    expect(answer.text).not.toContain('secret');
    expect(await everything()).toEqual(before);
  });

  it.each([...attemptsOnNamespace('beta', 'alpha'), ...attemptsOnNamespace('platform', 'alpha')])(
    'another namespace, $title: 403',
    async ({ method, path, json, more }) => {
      const answer = await as('carol')(method, path, json, more);
      expectError(answer, 403);
      expect(answer.text).not.toMatch(/betasecret|platformsecret/);
    },
  );

  it('reads the one world in every way, and nothing else', async () => {
    const carol = as('carol');
    const worlds = '/namespaces/alpha/worlds';
    const seen = [
      await carol('GET', `${worlds}/shared`),
      await carol('GET', worlds),
      await carol('GET', `${worlds}?pageSize=1`),
      await carol('POST', `${worlds}/shared/export`),
      await carol('POST', `${worlds}/shared/sparql`, { query: ALL }),
      await carol('POST', `${worlds}/sparql`, { query: ALL }),
      await carol('POST', `${worlds}/sparql`, { query: ALL, sources: ['shared'] }),
      await carol('POST', '/namespaces/alpha/worlds/sparql', { query: ALL, namespace: 'alpha' }),
      await carol('GET', `${worlds}/sparql?query=${encodeURIComponent(ALL)}`),
      await carol('POST', `${worlds}/search`, { query: 'common' }),
      await carol('POST', `${worlds}/shared/search`, { query: 'common' }),
      await carol('GET', `${worlds}/shared/graphs?default`),
      await carol('GET', `${worlds}/shared/graphs?graph=urn:graph:sharedsecret`),
    ];
    for (const answer of seen) {
      expect(answer.status, answer.text).toBe(200);
      expect(answer.text).toContain('sharedsecret');
      expect(answer.text).not.toMatch(/alphasecret|betasecret|platformsecret|ada/);
    }
    // Counted over what may be seen: a page of its own for the hidden world would show that there
    // is one.
    expect((await carol('GET', `${worlds}?pageSize=1&page=2`)).json()).toEqual([]);
  });

  it('search scores depend only on readable worlds, so they do not reveal hidden ones', async () => {
    const score = async () => {
      const hits = expectSearchResults(
        await as('carol')('POST', '/namespaces/alpha/worlds/search', { query: 'sharedsecret common' }),
      );
      return hits.map(({ score, ftsRank, object }) => ({ score, ftsRank, object }));
    };
    const before = await score();
    await server.engine.createWorld({ namespace: 'alpha', slug: 'hidden-words' });
    const more = Array.from({ length: 50 }, (_, index) => `<urn:x${index}> <urn:p> "common words ${index}" .\n`);
    await server.engine.import({ source: 'alpha/hidden-words', data: more.join('') });
    expect(await score()).toEqual(before);
    await server.engine.deleteWorld({ source: 'alpha/hidden-words' });
  });
});

describe('IRIs in FROM and GRAPH name graphs, never worlds', () => {
  const NAMES = [
    'beta/vault',
    'urn:beta/vault',
    'urn:graph:betasecret',
    'https://worlds.example/namespaces/beta/worlds/vault',
    'https://worlds.example/namespaces/beta/worlds/vault/graphs?default',
    'file:///etc/passwd',
  ];
  it.each(NAMES)('%s', async (name) => {
    for (const path of ['/worlds/sparql', '/namespaces/alpha/worlds/ada/sparql']) {
      const queries = [
        { query: `SELECT * FROM <${name}> { ?s ?p ?o }` },
        { query: `SELECT * FROM NAMED <${name}> { GRAPH ?g { ?s ?p ?o } }` },
        { query: `SELECT * { GRAPH <${name}> { ?s ?p ?o } }` },
        { query: 'SELECT * { ?s ?p ?o }', defaultGraphUris: [name] },
        { query: 'SELECT * { GRAPH ?g { ?s ?p ?o } }', namedGraphUris: [name] },
      ];
      for (const body of queries) {
        const answer = await as('alice')('POST', path, body);
        // A relative IRI in a list is malformed; none of them reaches a world.
        if (answer.status !== 400) expect(expectSelectResults(answer).bindings).toEqual([]);
      }
    }
  });

  it('a collection query sees only graphs of readable worlds', async () => {
    const query = 'SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } }';
    for (const [caller, graphs] of [
      ['alice', ['urn:graph:alphasecret', 'urn:graph:sharedsecret']],
      ['bob', ['urn:graph:betasecret']],
      ['olga', ['urn:graph:platformsecret']],
    ] as const) {
      const { bindings } = expectSelectResults(await as(caller)('POST', '/worlds/sparql', { query }));
      expect(bindings.map(({ g }) => g.value).sort()).toEqual(graphs);
    }
  });
});

describe('nothing is fetched', () => {
  const service = (url: string) => `SELECT * { SERVICE <${url}> { ?s ?p ?o } }`;
  it.each([
    ['SERVICE', (url: string) => ({ query: service(url) }), 400],
    [
      'SERVICE over a variable',
      (url: string) => ({ query: `SELECT * { BIND(<${url}> AS ?e) SERVICE ?e { ?s ?p ?o } }` }),
      400,
    ],
    ['LOAD', (url: string) => ({ query: `LOAD <${url}>` }), 400],
    ['LOAD INTO', (url: string) => ({ query: `LOAD <${url}> INTO GRAPH <urn:g>` }), 400],
    ['LOAD SILENT', (url: string) => ({ query: `LOAD SILENT <${url}>` }), 204],
    ['FROM', (url: string) => ({ query: `SELECT * FROM <${url}> { ?s ?p ?o }` }), 200],
    ['defaultGraphUris', (url: string) => ({ query: 'SELECT * { ?s ?p ?o }', defaultGraphUris: [url] }), 200],
    ['SERVICE SILENT', (url: string) => ({ query: service(url).replace('SERVICE', 'SERVICE SILENT') }), 200],
  ] as const)('%s', async (_, body, status) => {
    const before = await everything();
    for (const path of ['/worlds/ada/sparql', '/namespaces/alpha/worlds/ada/sparql']) {
      // Also the service itself, as the caller would reach it: with its token, or a foreign
      // tenant's address.
      for (const url of [trap.url, `${server.origin}/namespaces/beta/worlds/vault/sparql`]) {
        const answer = await as('alice')('POST', path, body(url));
        if (status === 400) expectError(answer, 400);
        else expect(answer.status, answer.text).toBe(status);
        expect(answer.text).not.toContain('betasecret');
      }
    }
    expect(trap.hits()).toBe(0);
    expect(await everything()).toEqual(before);
  });

  it('a remote context of JSON-LD', async () => {
    const data = base64(JSON.stringify({ '@context': trap.url, '@id': 'urn:s', name: 'x' }));
    const path = '/worlds/ada/import';
    expectError(await as('alice')('POST', path, { data, contentType: 'application/ld+json' }), 400);
    expect(trap.hits()).toBe(0);
  });

  it('an external entity of RDF/XML', async () => {
    const data = base64(
      `<?xml version="1.0"?><!DOCTYPE r [<!ENTITY x SYSTEM "${trap.url}">]><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="urn:s" rdf:value="&x;"/></rdf:RDF>`,
    );
    expectError(await as('alice')('POST', '/worlds/ada/import', { data, contentType: 'application/rdf+xml' }), 400);
    expect(trap.hits()).toBe(0);
  });
});

describe('a grant to read does not allow writing', () => {
  const ways = (worlds: string): Attempt[] => {
    const path = `${worlds}/ada`;
    const update = PROTOCOL_UPDATE.body;
    return [
      { title: 'create', method: 'POST', path: worlds, json: { slug: 'intruder' } },
      { title: 'put', method: 'PUT', path, json: { label: 'L' } },
      { title: 'empty put', method: 'PUT', path, json: {} },
      { title: 'delete', method: 'DELETE', path },
      { title: 'import', method: 'POST', path: `${path}/import`, json: { data: base64('<urn:s> <urn:p> "x" .') } },
      { title: 'empty import', method: 'POST', path: `${path}/import`, json: { data: '' } },
      { title: 'update', method: 'POST', path: `${path}/sparql`, json: { query: update } },
      {
        title: 'update behind a prologue',
        method: 'POST',
        path: `${path}/sparql`,
        json: { query: `#SELECT\nBASE <x:y>\nPREFIX select: <x:>\n${update}` },
      },
      { title: 'clear', method: 'POST', path: `${path}/sparql`, json: { query: 'CLEAR ALL' } },
      { title: 'silent drop', method: 'POST', path: `${path}/sparql`, json: { query: 'DROP SILENT ALL' } },
      {
        title: 'an update that finds nothing',
        method: 'POST',
        path: `${path}/sparql`,
        json: { query: 'DELETE { ?s ?p 1 } WHERE { ?s ?p 1 }' },
      },
      {
        title: 'update of sources',
        method: 'POST',
        path: `${worlds}/sparql`,
        json: { query: update, sources: ['ada'] },
      },
      {
        title: 'update of a source that says write',
        method: 'POST',
        path: `${worlds}/sparql`,
        json: { query: update, sources: ['shared', { slug: 'ada', write: true }] },
      },
      { title: 'update by form', method: 'POST', path: `${path}/sparql`, more: form({ update }) },
      { title: 'update as the query of a form', method: 'POST', path: `${path}/sparql`, more: form({ query: update }) },
      { title: 'direct update', method: 'POST', path: `${path}/sparql`, more: PROTOCOL_UPDATE },
      {
        title: 'update sent as a query',
        method: 'POST',
        path: `${path}/sparql`,
        more: { body: update, headers: { 'content-type': 'application/sparql-query' } },
      },
      {
        title: 'update as the query of a GET',
        method: 'GET',
        path: `${path}/sparql?query=${encodeURIComponent(update)}`,
      },
      { title: 'update of a GET', method: 'GET', path: `${path}/sparql?update=${encodeURIComponent(update)}` },
      ...['?default', '?graph=urn:graph:alphasecret', '/some/graph'].flatMap((graph): Attempt[] => [
        { title: `PUT graphs${graph}`, method: 'PUT', path: `${path}/graphs${graph}`, more: TURTLE },
        { title: `POST graphs${graph}`, method: 'POST', path: `${path}/graphs${graph}`, more: TURTLE },
        { title: `DELETE graphs${graph}`, method: 'DELETE', path: `${path}/graphs${graph}` },
      ]),
      { title: 'POST graphs', method: 'POST', path: `${path}/graphs`, more: TURTLE },
    ];
  };

  for (const family of FAMILIES)
    describe.each(['rita', 'wes'] as const)(`${family.name}: %s`, (caller) => {
      it.each(ways(family.worlds('alpha')))('$title', async ({ method, path, json, more, title }) => {
        const before = await everything();
        const answer = await as(caller)(method, path, json, more);
        // SPARQL Protocol sections 2.1 and 2.2: an update is not a query, whatever the caller may
        // do.
        const isMisplaced = title.includes('GET') || title.includes('as the query') || title.includes('as a query');
        expectError(answer, isMisplaced ? [400, 403, 405] : 403);
        expect(await everything()).toEqual(before);
      });
    });

  it('a grant to write one world allows writing to that world only, from readable worlds', async () => {
    const wes = as('wes');
    const query = 'INSERT { ?s <urn:copied> ?o } WHERE { ?s <urn:p> ?o }';
    const sources = ['ada', { slug: 'shared', write: true }];
    expectNoContent(await wes('POST', '/worlds/sparql', { query, sources }));
    const copied = 'SELECT ?o { ?s <urn:copied> ?o }';
    expect(expectSelectResults(await wes('POST', '/worlds/shared/sparql', { query: copied })).bindings).not.toEqual([]);
    expectNoContent(await wes('POST', '/worlds/shared/sparql', { query: 'DELETE WHERE { ?s <urn:copied> ?o }' }));
    expectNoContent(await wes('POST', '/worlds/shared/import', { data: '' }));
    // The path is authorised too, also where a source replaces it.
    expectError(await wes('POST', '/worlds/ada/import', { data: '', source: 'shared' }), 403);
  });
});

describe('both route families', () => {
  it('each tenant has its own default namespace', async () => {
    for (const [caller, word] of [
      ['alice', 'alphasecret'],
      ['bob', 'betasecret'],
      ['olga', 'platformsecret'],
    ] as const)
      for (const worlds of ['/worlds', '/namespaces/_/worlds']) {
        const answers = [
          await as(caller)('GET', worlds),
          await as(caller)('POST', `${worlds}/sparql`, { query: ALL }),
          await as(caller)('POST', `${worlds}/search`, { query: 'common' }),
        ];
        for (const answer of answers) {
          expect(answer.status).toBe(200);
          expect(answer.text).toContain(word);
          for (const other of ['alphasecret', 'betasecret', 'platformsecret'])
            if (other !== word) expect(answer.text).not.toContain(other);
        }
      }
  });

  it('the same slug of two tenants denotes two worlds', async () => {
    for (const caller of ['alice', 'bob'] as const) {
      const created = await as(caller)('POST', '/worlds', { slug: 'twin', label: caller });
      expect(created.status).toBe(201);
      await as(caller)('POST', '/worlds/twin/import', { data: base64(`<urn:s> <urn:p> "twin of ${caller}" .\n`) });
    }
    for (const caller of ['alice', 'bob'] as const) {
      expect((await as(caller)('GET', '/worlds/twin')).json().label).toBe(caller);
      expect((await as(caller)('POST', '/worlds/twin/export')).text).toBe(`<urn:s> <urn:p> "twin of ${caller}" .\n`);
      expectNoContent(await as(caller)('DELETE', '/worlds/twin'));
    }
  });

  it('the admin reaches everything', async () => {
    for (const [name, word] of Object.entries(WORDS)) {
      const [namespace, slug] = name.split('/');
      const answer = await as('admin')('POST', `/namespaces/${namespace}/worlds/${slug}/export`);
      expect(answer.text).toContain(word);
      expect((await as('admin')('POST', '/worlds/x/export', { source: name })).text).toContain(word);
    }
  });

  it('the entity tag of a world grants no access to it', async () => {
    const path = '/namespaces/beta/worlds/vault';
    const etag = (await as('bob')('GET', path)).headers.get('etag');
    expect(etag).toBeTruthy();
    expectError(await as('alice')('GET', path, undefined, { headers: { 'if-none-match': etag! } }), 403);
    expectError(await as('alice')('GET', path, undefined, { headers: { 'if-none-match': '*' } }), 403);
  });

  it('headers tell caches that responses are private to the caller', async () => {
    const answer = await as('alice')('GET', '/worlds/ada');
    // RFC 9111 section 3.5: an answer to a request with Authorization is not shared unless it says
    // so.
    expect(answer.headers.get('cache-control') ?? '').not.toMatch(/public|s-maxage/);
  });
});

describe('the log', () => {
  it('contains neither tokens nor bodies', async () => {
    const word = 'wordsofthebody';
    await as('alice')('POST', '/worlds/ada/import', { data: base64(`<urn:s> "${word}`), contentType: 'text/turtle' });
    await as('alice')('POST', '/worlds/ada/sparql', { query: `SELECT ${word}` });
    await as('alice')('POST', '/worlds', undefined, {
      body: `{"${word}`,
      headers: { 'content-type': 'application/json' },
    });
    const headers = 'Host: x\r\nContent-Length: 0\r\n';
    await rawExchange(server.port, `GET /worlds HTTP/1.1\r\n${headers}Authorization: Bearer stolen-token-1\r\n\r\n`);
    await rawExchange(
      server.port,
      `GET /worlds?access_token=stolen HTTP/1.1\r\n${headers}Authorization: ${bearer('alice')}\r\n\r\n`,
    );
    const text = server.log.text();
    for (const secret of ['alice-of-alpha', 'stolen-token', word, base64(word).slice(2, 12)])
      expect(text).not.toContain(secret);
  });
});
