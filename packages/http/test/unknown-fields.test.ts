import { WorldsEngine } from '@rdf-worlds/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorldsHandler, type WorldsHandler } from '../src/index.ts';
import { OPERATIONS } from '../src/openapi-operations.ts';
import { OPERATION_PARAMETERS } from '../src/query-parameters.ts';
import { ROUTES } from '../src/routes.ts';

// A field or parameter that evidently means another is refused: `source` for `sources` would answer
// from all worlds. What means none is ignored.

let engine: WorldsEngine;
let handler: WorldsHandler;

beforeAll(async () => {
  engine = await WorldsEngine.open();
  for (const slug of ['a', 'b']) {
    await engine.createWorld({ slug, namespace: 'acme' });
    await engine.import({ source: `acme/${slug}`, data: `<urn:${slug}> <urn:p> "plum" .` });
  }
  handler = createWorldsHandler(engine, {
    authenticate: () => ({
      id: 'owner',
      defaultNamespace: 'acme',
      grants: [{ namespace: 'acme', read: true, write: true }],
    }),
  });
});
afterAll(() => engine.close());

async function send(line: string, body?: object | string, type = 'application/json') {
  const [method, path] = line.split(' ');
  const headers = { authorization: 'Bearer x', ...(body !== undefined && { 'content-type': type }) };
  const text = typeof body === 'object' ? JSON.stringify(body) : body;
  const response = await handler(new Request(`http://x${path}`, { method, headers, body: text }));
  const answer = await response.text();
  const { error } = response.ok || answer === '' ? {} : JSON.parse(answer);
  return { status: response.status, message: error?.message as string | undefined };
}

const QUERY = { query: 'SELECT * { ?s ?p ?o }' };
const FORM = 'application/x-www-form-urlencoded';

/** A request, its body, and what the message must name: the given name and the meant one. */
const MISSPELT: [line: string, body: object, given: string, meant: string][] = [
  ['POST /worlds/sparql', { ...QUERY, source: 'b' }, '"source"', 'sources'],
  ['POST /worlds/search', { query: 'plum', source: 'b' }, '"source"', 'sources'],
  ['POST /worlds/sparql', { ...QUERY, Sources: ['b'] }, '"Sources"', 'sources'],
  ['POST /worlds/sparql', { ...QUERY, 'default-graph-uri': ['urn:g'] }, '"default-graph-uri"', 'defaultGraphUris'],
  ['POST /worlds/sparql', { ...QUERY, base_iri: 'urn:x' }, '"base_iri"', 'baseIri'],
  ['POST /worlds/sparql', { qeury: 'ASK {}' }, '"qeury"', 'query'],
  ['POST /worlds/sparql', { queries: 'ASK {}' }, '"queries"', 'query'],
  ['POST /worlds/sparql', { text: 'ASK {}' }, '"text"', 'query is missing'],
  ['POST /worlds/a/sparql', { update: 'CLEAR ALL' }, '"update"', 'query is missing'],
  ['POST /worlds/search', { q: 'plum' }, '"q"', 'query is missing'],
  ['POST /worlds/search', { query: 'plum', prefixes: true }, '"prefixes"', 'prefix'],
  ['POST /worlds/search', { query: 'plum', predicate: ['urn:p'] }, '"predicate"', 'predicates'],
  ['POST /worlds', { slug: 'c', lable: 'C' }, '"lable"', 'label'],
  ['POST /worlds', { name: 'c' }, '"name"', 'slug is missing'],
  ['PUT /worlds/a', { desription: 'x' }, '"desription"', 'description'],
  ['POST /worlds/a/export', { contenttype: 'text/turtle' }, '"contenttype"', 'contentType'],
  ['POST /worlds/a/import', { data: '', contentTypes: 'text/turtle' }, '"contentTypes"', 'contentType'],
  ['POST /worlds/a/import', { body: '' }, '"body"', 'data is missing'],
  ['POST /worlds/a/fork', { slug: 'd', sources: 'a' }, '"sources"', 'source'],
  ['POST /worlds/a/diff', { form: '2026-01-01T00:00:00Z' }, '"form"', 'from'],
  ['POST /worlds/sparql', { ...QUERY, sources: [{ slug: 'a', namespce: 'acme' }] }, 'sources[0]', 'namespace'],
  ['POST /worlds/sparql', { ...QUERY, sources: [{ world: 'a' }] }, '"world"', 'sources[0]'],
  ['POST /worlds/a/diff', { to: { source: { slug: 'b', shcema: true } } }, 'to.source', 'schema'],
  ['POST /worlds/search', { query: 'plum', fusion: { methd: 'rrf' } }, 'fusion', 'method'],
];

/** Fields that mean none of ours. */
const IGNORED: [line: string, body: object, status: number][] = [
  ['POST /worlds/sparql', { ...QUERY, clientVersion: '2', t: 1 }, 200],
  ['POST /worlds/search', { query: 'plum', sessionId: 'x', sources: [{ slug: 'a', icon: 'x' }] }, 200],
  ['PUT /worlds/a', { icon: 'x' }, 204],
  ['POST /worlds/a/export', { filename: 'a.nq' }, 200],
];

describe('fields of a body', () => {
  it.each(MISSPELT)('%s refuses %o', async (line, body, given, meant) => {
    const { status, message } = await send(line, body);
    expect(status).toBe(400);
    expect(message).toContain(given);
    expect(message).toContain(meant);
  });

  it.each(IGNORED)('%s ignores what means nothing in %o', async (line, body, expected) => {
    expect((await send(line, body)).status).toBe(expected);
  });

  it('names the misspelt field rather than an unknown one before it', async () => {
    const { message } = await send('POST /worlds/search', { tag: 1, qury: 'plum' });
    expect(message).toBe('The body: there is no field "qury"; did you mean query?');
  });
});

/** A request, and the parameters that its message must name. */
const PARAMETERS: [line: string, body: string | object | undefined, type: string | undefined, ...named: string[]][] = [
  ['GET /worlds?pagesize=1', undefined, undefined, '"pagesize"', 'pageSize'],
  ['GET /worlds/a?consistancy=latest', undefined, undefined, '"consistancy"', 'consistency'],
  ['GET /worlds/a/sparql?qurey=ASK%20%7B%7D', undefined, undefined, '"qurey"', 'query'],
  ['GET /worlds/sparql?query=ASK%7B%7D&default-graph-uris=urn:g', undefined, undefined, 'default-graph-uri'],
  ['POST /worlds/a/sparql', 'query=ASK%7B%7D&named-graph-url=urn:g', FORM, 'named-graph-uri'],
  ['POST /worlds/a/sparql?query=ASK%7B%7D', QUERY, undefined, 'query', 'JSON body'],
  ['POST /worlds/sparql?sources=a', QUERY, undefined, 'sources', 'JSON body'],
  ['POST /worlds/search?limit=5', { query: 'plum' }, undefined, 'limit', 'JSON body'],
  ['POST /worlds/a/import?mod=replace', '', 'text/turtle', '"mod"', 'mode'],
  ['POST /worlds/a/import?contentType=text/turtle', '', 'text/turtle', 'contentType'],
  ['POST /worlds/a/graphs?grpah=urn:g', '', 'text/turtle', '"grpah"', 'graph'],
  ['GET /changes?folow=false', undefined, undefined, '"folow"', 'follow'],
  ['GET /worlds/a/schema?limits=5', undefined, undefined, '"limits"', 'limit'],
];

describe('query parameters', () => {
  it.each(PARAMETERS)('%s is refused', async (line, body, type, ...named) => {
    const { status, message } = await send(line, body, type);
    expect(status).toBe(400);
    for (const name of named) expect(message).toContain(name);
  });

  it('ignores parameters of clients and caches', async () => {
    expect((await send('GET /worlds?_=17&t=5&utm_source=x')).status).toBe(200);
    expect((await send('GET /worlds/a/sparql?query=ASK%7B%7D&format=json')).status).toBe(200);
  });

  it('knows every parameter that the OpenAPI document has', () => {
    for (const { operation } of ROUTES) {
      const { query, queryByAddress } = OPERATIONS[operation];
      const documented = [query, queryByAddress].flatMap((schema) => Object.keys(schema?.shape ?? {}));
      expect(OPERATION_PARAMETERS[operation].url ?? [], operation).toEqual(expect.arrayContaining(documented));
    }
  });
});
