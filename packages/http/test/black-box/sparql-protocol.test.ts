import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectAskResults, expectError, expectNoContent, expectSelectResults } from './answer-shapes.ts';
import { type Asked, ask } from './exchange.ts';
import { FAMILIES } from './operations.ts';
import { PUBLIC_URL, type RunningServer, startServer } from './running-server.ts';

// SPARQL 1.1 Protocol beside the JSON body; the W3C's own tests of it are in the conformance
// package.

let server: RunningServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  for (const slug of ['ada', 'other']) {
    const source = `alpha/${slug}`;
    if (await server.engine.getWorld({ source })) await server.engine.deleteWorld({ source });
    await server.engine.createWorld({ slug, namespace: 'alpha' });
    await server.engine.import({
      source,
      data: `<urn:s> <urn:p> "${slug} d" .\n<urn:s> <urn:p> "${slug} 1" <urn:g1> .\n<urn:s> <urn:p> "${slug} 2" <urn:g2> .\n`,
    });
  }
});

const alice = (method: string, path: string, more: Partial<Asked> = {}) =>
  ask(server, { method, path, as: 'alice', ...more });
const data = async () => new TextDecoder().decode(await server.engine.export({ source: 'alpha/ada' }));
const form = (...fields: [string, string][]) => ({ body: new URLSearchParams(fields) });
const direct = (kind: 'query' | 'update', body: string, type = `application/sparql-${kind}`) => ({
  body,
  headers: { 'content-type': type },
});
const query = (...fields: [string, string][]) => `?${new URLSearchParams(fields)}`;

const ALL = 'SELECT ?o { ?s ?p ?o }';
const NAMED = 'SELECT ?o { GRAPH ?g { ?s ?p ?o } }';
const INSERT = 'INSERT DATA { <urn:s> <urn:p> "written" }';

/** The three forms of a query (section 2.1), over a dataset. */
const QUERY_FORMS: [string, (path: string, text: string, dataset: [string, string][]) => ReturnType<typeof alice>][] = [
  ['GET', (path, text, dataset) => alice('GET', path + query(['query', text], ...dataset))],
  ['form', (path, text, dataset) => alice('POST', path, form(['query', text], ...dataset))],
  [
    'direct',
    (path, text, dataset) => alice('POST', path + (dataset.length ? query(...dataset) : ''), direct('query', text)),
  ],
];

describe.each(FAMILIES)('$name', (family) => {
  const world = `${family.worlds('alpha')}/ada/sparql`;
  const collection = `${family.worlds('alpha')}/sparql`;

  describe.each(QUERY_FORMS)('query by %s', (_, run) => {
    const objects = async (path: string, text: string, ...dataset: [string, string][]) =>
      expectSelectResults(await run(path, text, dataset))
        .bindings.map(({ o }) => o.value)
        .sort();

    it('queries one world, and the collection', async () => {
      expect(await objects(world, ALL)).toEqual(['ada d']);
      expect(await objects(collection, ALL)).toEqual(['ada d', 'other d']);
      expect(await objects(world, NAMED)).toEqual(['ada 1', 'ada 2']);
    });

    it('a dataset in the protocol overrides FROM (section 2.1.4)', async () => {
      const g1: [string, string] = ['default-graph-uri', 'urn:g1'];
      expect(await objects(world, ALL, g1)).toEqual(['ada 1']);
      expect(await objects(world, ALL, g1, ['default-graph-uri', 'urn:g2'])).toEqual(['ada 1', 'ada 2']);
      expect(await objects(world, NAMED, ['named-graph-uri', 'urn:g2'])).toEqual(['ada 2']);
      expect(await objects(world, 'SELECT ?o FROM <urn:g2> { ?s ?p ?o }', g1)).toEqual(['ada 1']);
      expect(await objects(world, 'SELECT ?o FROM <urn:g2> { ?s ?p ?o }')).toEqual(['ada 2']);
      expect(await objects(world, ALL, ['named-graph-uri', 'urn:g2'])).toEqual([]);
    });

    it('ASK', async () => {
      expect(expectAskResults(await run(world, 'ASK { ?s ?p "ada d" }', []))).toBe(true);
      expect(expectAskResults(await run(world, 'ASK { ?s ?p "other d" }', []))).toBe(false);
    });

    it('400 for an update sent as a query, and for a malformed query', async () => {
      const before = await data();
      expectError(await run(world, INSERT, []), 400);
      expectError(await run(world, 'SELECT', []), 400);
      expectError(await run(`${family.worlds('alpha')}/nowhere/sparql`, ALL, []), 400);
      expect(await data()).toBe(before);
    });

    it('401 and 403', async () => {
      expect((await ask(server, { method: 'GET', path: world + query(['query', ALL]) })).status).toBe(401);
      const path = '/namespaces/beta/worlds/ada/sparql';
      expectError(await run(path, ALL, []), 403);
    });
  });

  it.each([
    ['form', (text: string) => form(['update', text])],
    ['direct', (text: string) => direct('update', text)],
    ['direct with a charset', (text: string) => direct('update', text, 'application/sparql-update; charset=UTF-8')],
    [
      'form with a charset',
      (text: string) => ({
        body: new URLSearchParams({ update: text }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' },
      }),
    ],
  ] as const)('update by %s', async (_, sent) => {
    expectNoContent(await alice('POST', world, sent(INSERT)));
    expect(await data()).toContain('written');
    expectError(await alice('POST', world, sent('INSERT DATA {')), 400);
    // Section 2.2: what is sent as an update is one.
    expectError(await alice('POST', world, sent(ALL)), 400);
  });

  it('using-graph-uri and using-named-graph-uri (section 2.2.3)', async () => {
    const copy = 'INSERT { <urn:copy> <urn:of> ?o } WHERE { ?s <urn:p> ?o }';
    expectNoContent(await alice('POST', world + query(['using-graph-uri', 'urn:g1']), direct('update', copy)));
    expect(await data()).toContain('<urn:copy> <urn:of> "ada 1" .');
    expect(await data()).not.toContain('<urn:copy> <urn:of> "ada d" .');
    const named = 'INSERT { <urn:named> <urn:of> ?o } WHERE { GRAPH ?g { ?s <urn:p> ?o } }';
    expectNoContent(await alice('POST', world, form(['update', named], ['using-named-graph-uri', 'urn:g2'])));
    expect(await data()).toContain('<urn:named> <urn:of> "ada 2" .');
    expect(await data()).not.toContain('<urn:named> <urn:of> "ada 1" .');
  });

  it.each([
    'INSERT { ?s <urn:x> ?o } USING <urn:g1> WHERE { ?s ?p ?o }',
    'WITH <urn:g1> DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }',
    'DELETE { ?s ?p ?o } USING NAMED <urn:g1> WHERE { GRAPH ?g { ?s ?p ?o } }',
  ])('400 for %s together with using-graph-uri (section 2.2.3)', async (update) => {
    const before = await data();
    for (const name of ['using-graph-uri', 'using-named-graph-uri']) {
      expectError(await alice('POST', world + query([name, 'urn:g2']), direct('update', update)), 400);
      expectError(await alice('POST', world, form(['update', update], [name, 'urn:g2'])), 400);
    }
    expect(await data()).toBe(before);
  });

  it.each([
    ['two queries', 'GET', query(['query', ALL], ['query', ALL]), {}],
    ['two queries in a form', 'POST', '', form(['query', ALL], ['query', 'ASK {}'])],
    ['two updates', 'POST', '', form(['update', INSERT], ['update', INSERT])],
    ['a query and an update', 'POST', '', form(['query', ALL], ['update', INSERT])],
    ['an update by GET', 'GET', query(['update', INSERT]), {}],
    ['a query and an update by GET', 'GET', query(['query', ALL], ['update', INSERT]), {}],
    ['a form without either', 'POST', '', form(['default-graph-uri', 'urn:g1'])],
    ['a charset that is not UTF-8', 'POST', '', direct('query', ALL, 'application/sparql-query; charset=UTF-16')],
    ['a direct query with another query beside', 'POST', query(['query', ALL]), direct('query', ALL)],
    ['a direct update with an update beside', 'POST', query(['update', INSERT]), direct('update', INSERT)],
    ['a graph that is not an IRI', 'GET', query(['query', ALL], ['default-graph-uri', 'not an iri']), {}],
  ] as const)('%s: 400', async (_, method, search, sent) => {
    const before = await data();
    expectError(await alice(method, world + search, sent), 400);
    expect(await data()).toBe(before);
  });

  it('GET without a query returns a service description', async () => {
    for (const path of [world, `${world}?`, world + query(['query', ''])]) {
      const answer = await alice('GET', path);
      expect([answer.status, answer.mediaType], path).toEqual([200, 'text/turtle']);
      expect(answer.text).toContain('http://www.w3.org/ns/sparql-service-description#');
    }
  });

  it.each(['text/turtle', 'application/rdf+xml', 'application/trig', 'application/ld+json'])(
    'a service description as %s names the public endpoint, not the Host',
    async (accept) => {
      const answer = await alice('GET', world, { accept });
      expect([answer.status, answer.mediaType]).toEqual([200, accept]);
      expect(answer.text).toContain(`${PUBLIC_URL}/`);
      expect(answer.text).not.toContain('127.0.0.1');
    },
  );
});

describe('permissions and the text', () => {
  const JSON_BODY = (text: string) => ({ json: { query: text } });
  const AS_QUERY = (text: string) => direct('query', text);
  const AS_UPDATE = (text: string) => direct('update', text);

  it.each([
    ['a JSON body', JSON_BODY],
    ['a query', AS_QUERY],
    ['an update', AS_UPDATE],
  ])('a malformed %s is 400 with a location for callers with permission, 403 for others', async (_, sent) => {
    const text = 'PREFIX ex: <urn:>\nINSRET DATA {}';
    expect(expectError(await alice('POST', '/worlds/ada/sparql', sent(text)), 400)).toContain('line 2, column 1');
    const path = '/namespaces/beta/worlds/ada/sparql';
    const refused = expectError(await alice('POST', path, sent(text)), 403);
    expect(refused).not.toContain('line');
    expect(expectError(await alice('POST', path, sent('ASK {}')), 403)).toBe(refused);
  });

  it('a source without permission is 403, whatever the text', async () => {
    for (const query of ['ASK {}', INSERT, 'INSRET DATA {}', '']) {
      const json = { query, sources: ['alpha/ada', { name: 'beta/vault', schema: true }] };
      expectError(await alice('POST', '/worlds/sparql', { json }), 403);
    }
  });
});

describe('result formats', () => {
  it.each([
    ['application/sparql-results+json;q=0.5, application/sparql-results+xml', 'application/sparql-results+xml'],
    ['application/sparql-results+xml;q=0.5, */*;q=0.1', 'application/sparql-results+xml'],
    ['text/csv, text/tab-separated-values;q=0.9', 'text/csv'],
    ['application/json', ['application/json', 'application/sparql-results+json']],
    ['text/turtle', 'application/sparql-results+json'],
    ['image/png', 'application/sparql-results+json'],
  ])('SELECT with Accept: %s', async (accept, expected) => {
    const answer = await alice('GET', `/worlds/ada/sparql${query(['query', ALL])}`, { accept });
    expect(answer.status).toBe(200);
    expect([expected].flat()).toContain(answer.mediaType);
  });

  it.each([
    ['text/csv', 'text/csv; charset=utf-8'],
    ['text/tab-separated-values', 'text/tab-separated-values; charset=utf-8'],
    ['application/sparql-results+xml', 'application/sparql-results+xml'],
  ])('the Content-Type of %s has a charset only if the type needs one', async (accept, contentType) => {
    const answer = await alice('GET', `/worlds/ada/sparql${query(['query', ALL])}`, { accept });
    expect(answer.headers.get('content-type')).toBe(contentType);
  });

  it('CSV, TSV and XML write terms as specified', async () => {
    const text = `SELECT * { VALUES (?a ?b ?c ?d) {
      (<urn:i> "plain, \\"quoted\\"\\nline" "hallo"@de "01"^^<http://www.w3.org/2001/XMLSchema#integer>)
      (UNDEF "<&>\\ttab" UNDEF 1.5) } }`;
    const as = async (accept: string) =>
      (await alice('POST', '/worlds/ada/sparql', { json: { query: text }, accept })).text;
    // SPARQL 1.1 Query Results CSV and TSV Formats, sections 3 and 4.
    expect(await as('text/csv')).toBe('a,b,c,d\r\nurn:i,"plain, ""quoted""\nline",hallo,01\r\n,<&>\ttab,,1.5\r\n');
    const tsv = (await as('text/tab-separated-values')).split('\n');
    expect(tsv[0]).toBe('?a\t?b\t?c\t?d');
    expect(tsv[1]).toMatch(
      /^<urn:i>\t"plain, \\"quoted\\"\\nline"\t"hallo"@de\t(01|"01"\^\^<http:\/\/www\.w3\.org\/2001\/XMLSchema#integer>)$/,
    );
    expect(tsv[2]).toMatch(/^\t"<&>\\ttab"\t\t(1\.5|"1\.5"\^\^<.*decimal>)$/);
    const xml = await as('application/sparql-results+xml');
    expect(xml).toContain('<uri>urn:i</uri>');
    expect(xml).toMatch(/<literal xml:lang="de">hallo<\/literal>/);
    expect(xml).toMatch(/<literal datatype="http:\/\/www\.w3\.org\/2001\/XMLSchema#integer">01<\/literal>/);
    expect(xml).toContain('&lt;&amp;&gt;');
    expect(xml).toMatch(/<variable name="a"\s*\/>/);
  });
});
