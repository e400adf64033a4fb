import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WorldsEngine, type WorldsErrorCode } from '@rdf-worlds/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorldsHandler, staticTokens } from '../src/index.ts';
import { createLimitedServer, nodeListener } from '../src/node.ts';

// Ordinary mistakes over HTTP: the status, the code, and what the message must name: what was sent,
// where, and what to do. Requests pass a real server and connection.

const OWNER = 'the-token-of-the-owner';
const READER = 'the-token-of-the-reader';
const limits = { maxBodyBytes: 1000, maxImportBytes: 2000, maxHeldImportBytes: 2000 };
const server = createLimitedServer(limits);
let engine: WorldsEngine;

beforeAll(async () => {
  engine = await WorldsEngine.open();
  await engine.createWorld({ slug: 'w', namespace: 'acme' });
  await engine.import({ source: 'acme/w', data: '<urn:s> <urn:p> "plum" .' });
  const acme = { namespace: 'acme', read: true };
  const authenticate = staticTokens([
    { token: OWNER, namespace: 'acme' },
    { token: READER, grants: [{ ...acme, write: false }] },
  ]);
  server.on('request', nodeListener(createWorldsHandler(engine, { authenticate, limits })));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await engine.close();
});

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

async function send(line: string, { headers = {}, body }: Sent) {
  const [method, path] = line.split(' ');
  const { port } = server.address() as AddressInfo;
  const sent = { authorization: `Bearer ${OWNER}`, ...headers };
  return new Promise<{ status: number; code: string; text: string }>((resolve, reject) => {
    const options = { host: '127.0.0.1', port, method, path, headers: sent, agent: false };
    const outgoing = httpRequest(options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece) => {
        text += piece;
      });
      const header = String(response.headers['rdf-worlds-error']);
      response.on('error', reject).on('end', () => {
        resolve({ status: response.statusCode!, code: header.split(';')[0], text });
      });
    });
    outgoing.on('error', reject).end(body);
  });
}

const typed = (type: string, body: string | Uint8Array, headers: Record<string, string> = {}): Sent => ({
  headers: { 'content-type': type, ...headers },
  body,
});
const json = (body: unknown): Sent => typed('application/json', typeof body === 'string' ? body : JSON.stringify(body));
const query = (text: string | Uint8Array) => typed('application/sparql-query', text);
const turtle = (text: string, headers?: Record<string, string>) => typed('text/turtle', text, headers);
const form = (text: string) => typed('application/x-www-form-urlencoded', text);
const base64 = (text: string) => Buffer.from(text).toString('base64');
const TRIPLE = '<urn:a> <urn:b> "c" .';

type Row = readonly [line: string, sent: Sent, ...names: string[]];
/** The rows of each status and code. */
const MISTAKES: Readonly<Record<string, readonly Row[]>> = {
  '400 INVALID_ARGUMENT': [
    // Records of worlds
    ['POST /worlds', json({ slgu: 'c' }), '"slgu"', 'did you mean slug?'],
    ['POST /worlds', json({ slug: 'c', lable: 'C' }), '"lable"', 'did you mean label?'],
    ['POST /worlds', json({}), 'slug', 'missing', 'string'],
    ['POST /worlds', json({ slug: 'Bad Slug!' }), 'slug', '"Bad Slug!"', 'must begin with a letter or digit'],
    ['POST /worlds', json({ slug: 'acme/c' }), 'slug', '"acme/c"', 'must begin with a letter or digit'],
    ['POST /worlds', json({ slug: 5 }), 'slug', 'expected string', 'received number'],
    ['POST /worlds', json([]), 'The body', 'expected object', 'received array'],
    ['POST /worlds', json('{"slug": "c",}'), 'not valid JSON', 'position 13'],
    ['POST /worlds', json('{"slug": "c"'), 'not valid JSON', 'position 12'],
    ['POST /worlds', {}, 'body is empty', 'send a JSON object'],
    ['POST /worlds', form('slug=c'), 'Content-Type', 'x-www-form-urlencoded', 'send application/json'],
    ['PUT /worlds/w', json({ label: 5 }), 'label', 'expected string', 'received number'],
    // Parameters of the URL
    ['GET /worlds?page=x', {}, 'page', 'expected an integer', '"x"'],
    ['GET /worlds?page=1&page=2', {}, 'page', 'more than once', 'send it once'],
    ['GET /worlds?pagesize=5', {}, '"pagesize"', 'did you mean pageSize?'],
    ['GET /worlds?consistency=strong', {}, 'consistency', 'bounded or latest', '"strong"'],
    ['GET /worlds/w/schema?limit=x', {}, 'limit', 'whole number'],
    ['GET /worlds/w?at=yesterday', {}, 'at: ', '"yesterday"', '2026-01-31T12:00:00Z'],
    ['GET /worlds/w?at=999999', {}, 'at: ', '999999', 'future'],
    // SPARQL
    ['GET /worlds/sparql?query=ASK{}&query=ASK{}', {}, 'query', '2 times', 'send it once'],
    ['GET /worlds/w/sparql?qeury=ASK{}', {}, '"qeury"', 'did you mean query?'],
    ['GET /worlds/w/sparql?update=CLEAR+ALL', {}, 'update', 'sent by POST'],
    ['GET /worlds/w/sparql?query=CLEAR+ALL', {}, 'an update', 'send it by POST'],
    ['GET /worlds/w/sparql?query=ASK{}&default-graph-uri=g', {}, 'default-graph-uri', 'absolute IRI', '"g"'],
    ['GET /worlds/w/sparql?query=ASK{}&timeoutMs=5', {}, 'timeoutMs', 'field of the JSON body', 'send it in the body'],
    ['POST /worlds/w/sparql', query(''), 'body is empty', 'send a query or an update'],
    ['POST /worlds/w/sparql', query('DROP ALL'), 'an update', 'application/sparql-update'],
    [
      'POST /worlds/w/sparql',
      typed('application/sparql-update', 'ASK {}'),
      'not an update',
      'application/sparql-query',
    ],
    ['POST /worlds/w/sparql', query(Uint8Array.of(0x41, 0xff)), 'not valid UTF-8'],
    [
      'POST /worlds/w/sparql',
      typed('application/sparql', 'ASK {}'),
      '"application/sparql"',
      'application/sparql-query',
    ],
    ['POST /worlds/w/sparql', typed('application/sparql-query; charset=latin1', 'ASK {}'), '"latin1"', 'send UTF-8'],
    ['POST /worlds/w/sparql', form('qeury=ASK{}'), '"qeury"', 'did you mean query?'],
    ['POST /worlds/w/sparql', form('query=ASK{}&update=CLEAR+ALL'), 'query, update', 'only one'],
    ['POST /worlds/w/sparql', json({ query: 'ASK {}', source: 'w' }), '"source"', 'did you mean sources?'],
    ['POST /worlds/w/sparql', json({ query: 5 }), 'query', 'expected string', 'received number'],
    ['POST /worlds/w/sparql', json({ query: 'ASK {}', bindings: { s: 'urn:s' } }), 'bindings.s', '"type": "uri"'],
    ['POST /worlds/w/sparql', json({ query: 'ASK {}', form: 'sleect' }), 'form', '"select"', 'found "sleect"'],
    ['POST /worlds/sparql', json({ query: 'ASK {}', sources: 'w' }), 'sources', 'expected array', 'received string'],
    ['POST /worlds/w/sparql', { body: 'ASK {}' }, 'not valid JSON', 'Without a Content-Type, a body is read as JSON'],
    // Search
    ['POST /worlds/search', json({ q: 'plum' }), '"q"', 'query is missing'],
    ['POST /worlds/search', json({ query: 'plum', limit: 0 }), 'limit', '>=1', 'found 0'],
    ['POST /worlds/search', json({ query: 'plum', limit: 'ten' }), 'limit', 'expected number', 'received string'],
    ['POST /worlds/search', json({ query: 'plum', predicates: ['name'] }), 'predicates[0]', 'absolute IRI'],
    // Imports and exports
    ['POST /worlds/w/import', json({ data: TRIPLE }), 'data', 'expected base64'],
    ['POST /worlds/w/import', json({ contentType: 'text/turtle' }), 'data', 'missing'],
    ['POST /worlds/w/import', { body: TRIPLE }, 'not valid JSON', 'Without a Content-Type, a body is read as JSON'],
    ['POST /worlds/w/import', turtle('x', { 'content-encoding': 'gzip' }), 'Content-Encoding', 'not gzip'],
    ['POST /worlds/w/import', turtle('x', { 'content-encoding': 'zstd' }), 'Content-Encoding', '"zstd"', 'gzip'],
    ['POST /worlds/w/import?mode=replce', turtle(''), 'mode', '"replace"', 'found "replce"'],
    ['POST /worlds/w/import?grpah=urn:g', turtle(''), '"grpah"', 'did you mean graph?'],
    ['POST /worlds/w/import?graph=g', turtle(''), 'graph', 'absolute IRI', 'found "g"'],
    ['POST /worlds/w/import?mode=merge&mode=merge', turtle(''), 'mode', 'only once'],
    ['POST /worlds/w/import', typed('multipart/form-data', 'x'), 'multipart/form-data', 'no boundary'],
    ['POST /worlds/w/import', turtle(TRIPLE, { 'rdf-worlds-if-revision': 'abc' }), 'RDF-Worlds-If-Revision', '"abc"'],
    ['POST /worlds/w/export', json({ contenttype: 'text/turtle' }), '"contenttype"', 'did you mean contentType?'],
    ['POST /worlds/w/fork', json({ target: 'v' }), '"target"', 'slug is missing'],
    // Graph Store Protocol
    ['PUT /worlds/w/graphs', turtle(TRIPLE), '?default', '?graph='],
    ['GET /worlds/w/graphs?graph=relative', {}, 'graph', 'absolute IRI', '"relative"'],
    ['GET /worlds/w/graphs?graph=urn:g&default', {}, 'graph, default', 'name one graph'],
    // Change feeds, and headers
    ['GET /changes', { headers: { 'last-event-id': 'garbage' } }, 'Last-Event-ID', '"garbage"', 'id of an event'],
    ['GET /changes?after=-1', {}, 'after', '"-1"', 'a revision such as 12'],
    ['GET /changes?follow=maybe', {}, 'follow', 'true or false', '"maybe"'],
    [
      'POST /worlds/w/sparql',
      typed('application/sparql-query', 'ASK {}', { 'rdf-worlds-revision-token': 'x' }),
      'RDF-Worlds-Revision-Token',
      'acme=12',
    ],
  ],
  '400 INVALID_SPARQL': [
    ['GET /worlds/sparql?query=SELECT', {}, 'after SELECT', 'the end of the text', 'line 1, column 7'],
    ['POST /worlds/w/sparql', query('SELECT * { ?s ?p }'), 'found "}"', 'line 1, column 18'],
    ['POST /worlds/w/sparql', query('ASK { ?s foaf:name ?n }'), 'foaf:', 'add PREFIX', 'line 1, column 10'],
  ],
  '400 INVALID_RDF': [
    ['POST /worlds/w/import', turtle('<urn:a> <urn:b>'), 'Turtle', 'line 1, column 16'],
    ['POST /worlds/w/import', turtle('ex:a ex:b ex:c .'), 'ex:', 'line 1, column 1'],
    ['PUT /worlds/w/graphs?default', turtle('name,age\nAda,36'), 'Turtle', 'line 1', 'a table (CSV or TSV)'],
    ['POST /worlds/w/import', json({ data: base64('x'), contentType: 'text/turtle' }), 'Turtle', 'line 1, column 1'],
  ],
  '400 UNSUPPORTED': [
    ['POST /worlds/w/import', typed('text/csv', 'a,b'), 'Content-Type', '"text/csv"', 'text/turtle'],
    ['POST /worlds/w/import', form(TRIPLE), 'Content-Type', 'x-www-form-urlencoded', 'text/turtle'],
    [
      'POST /worlds/w/import',
      json({ data: base64(TRIPLE), contentType: 'text/turtel' }),
      'contentType',
      '"text/turtel"',
      'text/turtle',
    ],
    ['POST /worlds/w/export', json({ contentType: 'text/csv' }), 'contentType', '"text/csv"', 'text/turtle'],
  ],
  '400 NOT_FOUND': [
    ['POST /worlds/nowhere/import', turtle(TRIPLE), 'acme/nowhere', 'check the name'],
    ['POST /worlds/sparql', json({ query: 'ASK {}', sources: ['nowhere'] }), 'acme/nowhere', 'check the name'],
    ['POST /worlds/search', json({ query: 'plum', sources: ['nowhere'] }), 'acme/nowhere', 'check the name'],
  ],
  '401 UNAUTHENTICATED': [
    ['GET /worlds', { headers: { authorization: '' } }, 'credentials', 'Authorization: Bearer <token>'],
    ['GET /worlds', { headers: { authorization: 'Basic YTpi' } }, 'credentials', 'Authorization: Bearer <token>'],
    ['GET /worlds', { headers: { authorization: OWNER } }, 'credentials', 'Authorization: Bearer <token>'],
    ['GET /worlds', { headers: { authorization: 'Bearer x' } }, 'not valid', 'Authorization: Bearer <token>'],
  ],
  '403 PERMISSION_DENIED': [
    ['POST /worlds', json({ slug: 'c', namespace: 'other' }), 'write other/c', 'ask for a grant'],
    ['POST /worlds/sparql', json({ query: 'ASK {}', sources: ['other/w'] }), 'read other/w', 'ask for a grant'],
    ['GET /namespaces/other/worlds', {}, 'other', 'grant'],
    ['GET /backup', {}, 'backup', 'callers with admin'],
    [
      'POST /namespaces/acme/worlds/w/import',
      turtle(TRIPLE, { authorization: `Bearer ${READER}` }),
      'write acme/w',
      'ask for a grant',
    ],
  ],
  '404 NOT_FOUND': [
    ['GET /worlds/nowhere', {}, 'acme/nowhere', 'check the name'],
    ['DELETE /worlds/nowhere', {}, 'acme/nowhere', 'check the name'],
    ['GET /worlds/nowhere/changes', {}, 'acme/nowhere', 'check the name'],
    ['GET /worlds/w/graphs?graph=urn:g', {}, '<urn:g>', 'acme/w'],
    ['GET /worlds/sparql?qeury=ASK{}', {}, 'POST', 'parameter query'],
    ['GET /worlds/search?query=plum', {}, 'To search all worlds, send POST'],
  ],
  '404 INVALID_ARGUMENT': [
    ['GET /worlds/', {}, 'slug', '""', 'must begin with a letter or digit'],
    ['GET /worlds/%ZZ', {}, 'slug', '"%ZZ"', 'must begin with a letter or digit'],
    ['GET /worlds/acme%2Fw', {}, 'slug', '"acme/w"', 'must begin with a letter or digit'],
  ],
  '404 UNSUPPORTED': [
    ['GET /world', {}, '"/world"', 'did you mean /worlds?'],
    ['POST /worlds/w/serch', json({ query: 'plum' }), '"/worlds/w/serch"', 'did you mean /worlds/w/search?'],
    ['POST /namespaces/acme/wrlds/w/sparql', query('ASK {}'), 'did you mean /namespaces/acme/worlds/w/sparql?'],
    ['GET /api/v2/graphql', {}, '"/api/v2/graphql"', '/openapi.json'],
  ],
  '405 UNSUPPORTED': [
    ['PATCH /worlds/w', json({ label: 'x' }), '"PATCH"', 'GET, PUT, DELETE'],
    ['DELETE /worlds', {}, '"DELETE"', 'GET, POST'],
    ['GET /worlds/w/export', {}, '"GET"', 'POST'],
    ['PATCH /worlds/w/graphs?default', turtle(TRIPLE), '"PATCH"', 'PUT, POST'],
  ],
  '409 ALREADY_EXISTS': [['POST /worlds', json({ slug: 'w' }), 'acme/w', 'choose another slug']],
  '409 CONFLICT': [
    [
      'POST /worlds/w/import',
      turtle(TRIPLE, { 'rdf-worlds-if-revision': '99' }),
      'acme/w',
      'not at the expected 99',
      'read it again',
    ],
  ],
  '412 CONFLICT': [
    ['PUT /worlds/w/graphs?default', turtle(TRIPLE, { 'if-match': '"old"' }), 'If-Match', 'read the current state'],
    [
      'PUT /worlds/w',
      typed('application/json', '{}', { 'if-match': 'unquoted' }),
      'If-Match',
      'read the current state',
    ],
    ['DELETE /worlds/w', { headers: { 'if-match': '"old"' } }, 'If-Match', 'read the current state'],
  ],
  '413 LIMIT_EXCEEDED': [
    ['POST /worlds/sparql', json({ query: 'x'.repeat(2000) }), 'larger than the limit of 1000 bytes', 'send less'],
    ['POST /worlds/w/import', turtle(' '.repeat(3000)), 'larger than the limit of 2000 bytes', 'send less'],
    [
      'POST /worlds/w/import',
      turtle(' '.repeat(3000), { 'transfer-encoding': 'chunked' }),
      'larger than the limit of 2000 bytes',
      'send less',
    ],
  ],
  '501 UNSUPPORTED': [
    [
      'POST /worlds/w/import',
      turtle(TRIPLE, { 'transfer-encoding': 'gzip, chunked' }),
      'Transfer-Encoding',
      '"gzip, chunked"',
      'or chunked',
    ],
  ],
};

const titled = (row: Row) => [`${row[0]} ${JSON.stringify(row[1])}`.slice(0, 150), row] as const;

for (const [answer, rows] of Object.entries(MISTAKES)) {
  const [status, code] = answer.split(' ') as [string, WorldsErrorCode];
  describe(answer, () => {
    it.each(rows.map(titled))('%s', async (_, [line, sent, ...names]) => {
      const found = await send(line, sent);
      expect([found.status, found.code], found.text).toEqual([Number(status), code]);
      const { message } = JSON.parse(found.text).error;
      for (const name of names) expect(message).toContain(name);
    });
  });
}

it('none of them changes anything', async () => {
  expect(await engine.listWorlds({ namespace: 'acme' })).toMatchObject([{ slug: 'w' }]);
  expect(await engine.stats({ namespace: 'acme' })).toMatchObject({ worlds: 1, quads: 1 });
});
