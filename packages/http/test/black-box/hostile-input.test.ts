import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectError, expectNoContent } from './answer-shapes.ts';
import { bearer, type Caller } from './callers.ts';
import { type Asked, ask } from './exchange.ts';
import { rawAnswer, rawExchange } from './raw-exchange.ts';
import { type RunningServer, startServer } from './running-server.ts';

const DATA = '<urn:s> <urn:p> "unchanged" .\n';
const JSON_TYPE = { 'content-type': 'application/json' };
const base64 = (data: string | Uint8Array) => Buffer.from(data).toString('base64');

let server: RunningServer;
const rejections: unknown[] = [];
const onRejection = (reason: unknown) => rejections.push(reason);

beforeAll(async () => {
  process.on('unhandledRejection', onRejection);
  process.on('uncaughtException', onRejection);
  server = await startServer();
});
afterAll(async () => {
  await server.close();
  process.off('unhandledRejection', onRejection);
  process.off('uncaughtException', onRejection);
});

// Every case has worlds of its own, so that what one does to them is not held against the next.
let before: unknown;
beforeEach(async () => {
  rejections.length = 0;
  for (const namespace of await server.engine.listNamespaces()) await server.engine.deleteNamespace({ namespace });
  for (const namespace of ['alpha', 'beta']) {
    await server.engine.createWorld({ slug: 'ada', namespace });
    await server.engine.import({ source: `${namespace}/ada`, data: DATA });
  }
  before = await record();
});

async function record(): Promise<unknown> {
  const worlds = [];
  for (const namespace of await server.engine.listNamespaces())
    for await (const world of server.engine.worlds({ namespace })) worlds.push(world);
  return worlds;
}

// After every case, the service is as it was and still serves.
afterEach(async () => {
  expect(await record()).toEqual(before);
  const answer = await ask(server, { method: 'POST', path: '/worlds/ada/export', as: 'alice' });
  expect([answer.status, answer.text]).toEqual([200, DATA]);
  expect(rejections).toEqual([]);
});

const alice = (method: string, path: string, json?: unknown, more: Partial<Asked> = {}) =>
  ask(server, { method, path, as: 'alice', json, ...more });

/** The head of a request, with the blank line. */
function head(method: string, path: string, headers: readonly string[], as: Caller = 'alice'): string {
  return [`${method} ${path} HTTP/1.1`, 'Host: localhost', `Authorization: ${bearer(as)}`, ...headers, '', ''].join(
    '\r\n',
  );
}

describe('JSON', () => {
  it.each([
    ['truncated in a string', '{"query": "SELECT'],
    ['truncated after a comma', '{"query": "ASK {}",'],
    ['with a comment', '{"query": "ASK {}" /* */}'],
    ['with a comma too many', '{"query": "ASK {}",}'],
    ['with a byte order mark of UTF-16', '\ufffe{}'],
    ['nested 90,000 deep', `{"query": ${'['.repeat(90_000)}`],
    ['nested 90,000 deep and closed', `{"query": ${'['.repeat(90_000)}${']'.repeat(90_000)}}`],
  ])('%s is 400', async (_, body) => {
    for (const path of ['/worlds/ada/sparql', '/worlds/ada/search', '/worlds/ada/import', '/worlds'])
      expectError(await alice('POST', path, undefined, { body, headers: JSON_TYPE }), 400);
    // A field that PUT has, since unknown ones are ignored.
    const put = body.replace('"query"', '"label"');
    expectError(await alice('PUT', '/worlds/ada', undefined, { body: put, headers: JSON_TYPE }), 400);
  });

  it('with invalid UTF-8 is 400', async () => {
    const body = Buffer.concat([Buffer.from('{"slug":"bad'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]);
    expectError(await alice('POST', '/worlds', undefined, { body, headers: JSON_TYPE }), 400);
    const label = Buffer.concat([Buffer.from('{"label":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]);
    expectError(await alice('PUT', '/worlds/ada', undefined, { body: label, headers: JSON_TYPE }), 400);
  });

  it.each([
    'text/plain',
    'application/xml',
    'multipart/form-data; boundary=x',
    'text/turtle',
    'x',
    'application/jsonx',
  ])('sent as %s is rejected', async (type) => {
    const headers = { 'content-type': type };
    const body = JSON.stringify({ slug: 'typed', query: 'ASK {}', data: '' });
    for (const path of ['/worlds', '/worlds/ada/import', '/worlds/ada/search', '/worlds/ada/sparql'])
      expectError(await alice('POST', path, undefined, { body, headers }), 400);
    expectError(await alice('PUT', '/worlds/ada', undefined, { body, headers }), 400);
  });

  it.each(['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/json;charset="UTF-8"'])(
    'sent as %s is taken',
    async (type) => {
      const answer = await alice('POST', '/worlds/ada/search', undefined, {
        body: '{"query":"unchanged"}',
        headers: { 'content-type': type },
      });
      expect(answer.status).toBe(200);
    },
  );
});

describe('base64', () => {
  it.each(['not base64!', 'QUJD*', 'QQ=', 'Q===', '=', '====', 'QUJD=QUJD', '-_-_', 'QUJD\u00e9', 'QQ==QQ==', 'QUJDR'])(
    '%j is 400, naming the field',
    async (data) => {
      expect(expectError(await alice('POST', '/worlds/ada/import', { data }), 400)).toContain('data');
    },
  );
});

describe('documents', () => {
  const cases: [string, string, string | Uint8Array][] = [
    [
      'bad UTF-8 in N-Quads',
      'application/n-quads',
      Buffer.from([...Buffer.from('<urn:s> <urn:p> "'), 0xff, ...Buffer.from('" .')]),
    ],
    [
      'bad UTF-8 in Turtle',
      'text/turtle',
      Buffer.from([...Buffer.from('<urn:s> <urn:p> "'), 0xc0, 0x80, ...Buffer.from('" .')]),
    ],
    [
      'bad UTF-8 in JSON-LD',
      'application/ld+json',
      Buffer.from([...Buffer.from('{"urn:p": "'), 0xff, ...Buffer.from('"}')]),
    ],
    ['a truncated statement', 'application/n-quads', '<urn:ok> <urn:p> "1" .\n<urn:s> <urn:p> "cut'],
    ['a good statement and a bad one', 'text/turtle', '<urn:ok> <urn:p> "1" . <urn:s> <urn:p> .'],
    ['a relative IRI', 'application/n-triples', '<s> <urn:p> "1" .'],
    ['an IRI with a line break', 'application/n-quads', '<urn:a\nb> <urn:p> "1" .'],
    ['graphs in Turtle', 'text/turtle', '<urn:g> { <urn:s> <urn:p> 1 }'],
    ['rules of N3', 'text/n3', '{ ?s <urn:p> ?o } => { ?s <urn:q> ?o } .'],
    ['no XML', 'application/rdf+xml', '<rdf:RDF'],
    [
      'nested entities',
      'application/rdf+xml',
      '<!DOCTYPE r [<!ENTITY a "b"><!ENTITY c "&a;&a;">]><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="urn:s" rdf:value="&c;"/></rdf:RDF>',
    ],
    [
      'an external entity',
      'application/rdf+xml',
      '<!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/passwd">]><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="urn:s" rdf:value="&a;"/></rdf:RDF>',
    ],
    ['truncated JSON-LD', 'application/ld+json', '{"@id": "urn:s"'],
    ['no RDF at all', 'application/n-quads', '{"json": true}'],
  ];
  it.each(cases)('%s is 400 and changes nothing', async (_, contentType, document) => {
    expectError(await alice('POST', '/worlds/ada/import', { data: base64(document), contentType }), 400);
  });

  it.each(cases.filter(([, type]) => type !== 'application/n-quads'))(
    '%s, to a graph: 400',
    async (_, contentType, document) => {
      const headers = { 'content-type': contentType };
      for (const method of ['PUT', 'POST'])
        expectError(await alice(method, '/worlds/ada/graphs?default', undefined, { body: document, headers }), 400);
    },
  );
});

describe('SPARQL', () => {
  it.each([
    ['a word', 'SELECT'],
    ['a pattern that does not end', 'SELECT * {'],
    ['an undeclared prefix', 'SELECT * { ?s ex:p ?o }'],
    ['a variable in data', 'INSERT DATA { <urn:s> <urn:p> ?o }'],
    ['a second operation that is malformed', 'INSERT DATA { <urn:s> <urn:p> "x" } ; INSERT DATA { <urn:s> <urn:p> }'],
    ['a second operation that is refused', 'INSERT DATA { <urn:s> <urn:p> "x" } ; LOAD <http://127.0.0.1:1/>'],
    ['a graph made twice', 'INSERT DATA { <urn:s> <urn:p> "x" } ; CREATE GRAPH <urn:g> ; CREATE GRAPH <urn:g>'],
    ['a graph dropped that is not there', 'INSERT DATA { <urn:s> <urn:p> "x" } ; DROP GRAPH <urn:not-there>'],
    ['a graph copied that is not there', 'INSERT DATA { <urn:s> <urn:p> "x" } ; COPY <urn:not-there> TO <urn:g>'],
    ['two queries', 'ASK {} ASK {}'],
    ['a query and an update', 'ASK {} ; INSERT DATA {}'],
    ['a variable bound twice', 'SELECT * { BIND(1 AS ?x) BIND(2 AS ?x) }'],
    ['a variable outside its group', 'SELECT (COUNT(*) AS ?n) ?s { ?s ?p ?o }'],
    ['a NUL', '\u0000'],
    ['a pattern without an object', 'SELECT * { ?s "\ud800" }'],
    ['20,000 groups and too many', `SELECT * { ?s } ${'{'.repeat(20_000)}${'}'.repeat(20_000)}`],
    ['50,000 parentheses that do not end', `ASK { FILTER(${'('.repeat(50_000)}1${')'.repeat(49_999)}) }`],
  ])('%s is 400', async (_, query) => {
    for (const path of ['/worlds/ada/sparql', '/namespaces/alpha/worlds/ada/sparql'])
      expectError(await alice('POST', path, { query }), 400);
  });

  it('10,000 nested groups are answered or rejected', async () => {
    const answer = await alice('POST', '/worlds/ada/sparql', {
      query: `ASK ${'{'.repeat(10_000)}${'}'.repeat(10_000)}`,
    });
    if (answer.status !== 200) expectError(answer, 400);
  });

  it('invalid UTF-8 is 400 in every form', async () => {
    const bad = Buffer.from([...Buffer.from('ASK { ?s ?p "'), 0xff, ...Buffer.from('" }')]);
    const direct = { body: bad, headers: { 'content-type': 'application/sparql-query' } };
    expectError(await alice('POST', '/worlds/ada/sparql', undefined, direct), 400);
    const update = Buffer.from([...Buffer.from('INSERT DATA { <urn:s> <urn:p> "'), 0xff, ...Buffer.from('" }')]);
    const directUpdate = { body: update, headers: { 'content-type': 'application/sparql-update' } };
    expectError(await alice('POST', '/worlds/ada/sparql', undefined, directUpdate), 400);
  });

  it.each(['', 'not an iri', 'urn:a b', '<urn:g>', 'relative/path'])(
    'the graph %j of the dataset is 400',
    async (graph) => {
      for (const field of ['defaultGraphUris', 'namedGraphUris']) {
        const body = { query: 'SELECT * { ?s ?p ?o }', [field]: [graph] };
        expectError(await alice('POST', '/worlds/ada/sparql', body), 400);
      }
    },
  );
});

describe('paths', () => {
  const TRICKS = [
    '/worlds/%2F',
    '/worlds/%2e%2e',
    '/worlds/..%2f..%2fnamespaces%2fbeta%2fworlds%2fada',
    '/worlds/../namespaces/beta/worlds/ada',
    '/worlds/%2e%2e/namespaces/beta/worlds/ada',
    '/namespaces/alpha/../beta/worlds/ada',
    '/namespaces/alpha/%2e%2e/beta/worlds/ada',
    '/namespaces/alpha%2f..%2fbeta/worlds/ada',
    '/namespaces/alpha/worlds/..;/ada',
    '/worlds/%00',
    '/worlds/ada%00',
    '/worlds/a%00da',
    '/worlds/%ff',
    '/worlds/%zz',
    '/worlds/%',
    '/worlds/ada%0d%0aX-Injected:%201',
    '/worlds/ada%2fexport',
    '/worlds/ada%3fx',
    '/worlds/ada\\..\\x',
    '/worlds/%252e%252e',
    '/namespaces/%5f/worlds/nowhere',
    '/namespaces//worlds',
    '/namespaces/beta%20/worlds',
    '/WORLDS/ada',
    '/worlds/ada/export/..',
    '/worlds/ada/nonsense',
    '/worlds/ada/sparql/x',
    '/namespaces/alpha',
    '/.well-known/x',
    '/',
    '/nonsense',
    `/worlds/${'x'.repeat(8000)}`,
    `/worlds/${'%41'.repeat(2500)}`,
    `/${'worlds/'.repeat(1000)}`,
  ];
  it.each(TRICKS)('GET %s returns an Error body and reveals no world', async (path) => {
    const answer = await rawExchange(server.port, head('GET', path, []));
    expectError(answer, [400, 403, 404, 405, 414]);
    expect(answer.text).not.toContain('unchanged');
    expect(answer.headers.get('x-injected')).toBeNull();
  });

  it.each(['/worlds/../worlds/ada', '/worlds//ada', '/worlds/ada/', '//worlds/ada', '/worlds/ada#x', '/worlds/./ada'])(
    'GET %s: the world of the caller, or an Error body',
    async (path) => {
      const answer = await rawExchange(server.port, head('GET', path, []));
      if (answer.status === 200) expect(answer.json()).toMatchObject({ slug: 'ada', namespace: 'alpha' });
      else expectError(answer, [400, 404]);
    },
  );

  it('decodes a percent-encoded letter (RFC 3986 section 6.2.2.2)', async () => {
    const answer = await rawExchange(server.port, head('GET', '/worlds/%61da', []));
    expect([answer.status, answer.json().slug]).toEqual([200, 'ada']);
  });

  it.each(['DELETE', 'PUT', 'POST', 'PATCH', 'TRACE', 'PROPFIND'])(
    '%s with `..` reaches nothing of another tenant',
    async (method) => {
      for (const path of [
        '/worlds/../namespaces/beta/worlds/ada',
        '/worlds/..%2f..%2fnamespaces/beta/worlds/ada/import',
      ]) {
        const body = '{"data":"","label":"L"}';
        const headers = ['Content-Type: application/json', `Content-Length: ${body.length}`];
        expectError(await rawExchange(server.port, head(method, path, headers) + body), [400, 403, 404, 405, 501]);
      }
    },
  );

  it('ignores the host of an absolute request target', async () => {
    const answer = await rawExchange(server.port, head('GET', 'http://evil.example/worlds/ada', []));
    if (answer.status === 200) expect(answer.json().slug).toBe('ada');
    else expectError(answer, [400, 404]);
    expect(answer.text).not.toContain('evil');
  });

  it('rejects a path of 100,000 characters', async () => {
    const answer = await rawExchange(server.port, head('GET', `/worlds/${'x'.repeat(100_000)}`, []));
    // More than Node reads of a head: it answers by itself.
    expect([404, 414, 431]).toContain(answer.status);
  });

  it.each(['Host: a b', 'Host: ', 'Host: [::1', 'Host: x:99999999', 'Host: //', 'Host: \u00ff'])('%j', async (host) => {
    const request = `GET /worlds/ada HTTP/1.1\r\n${host}\r\nAuthorization: ${bearer('alice')}\r\n\r\n`;
    const answer = await rawExchange(server.port, Buffer.from(request, 'latin1'));
    if (answer.status !== 200) expect(answer.status).toBe(400);
  });
});

describe('methods', () => {
  it.each([
    ['/worlds', 'PUT', ['GET', 'POST']],
    ['/worlds', 'DELETE', ['GET', 'POST']],
    ['/worlds/ada', 'POST', ['GET', 'PUT', 'DELETE']],
    ['/worlds/ada', 'PATCH', ['GET', 'PUT', 'DELETE']],
    ['/worlds/ada/import', 'GET', ['POST']],
    ['/worlds/ada/import', 'PUT', ['POST']],
    ['/worlds/ada/export', 'DELETE', ['POST']],
    ['/worlds/ada/search', 'GET', ['POST']],
    ['/worlds/ada/sparql', 'PUT', ['GET', 'POST']],
    ['/namespaces/alpha/worlds', 'PATCH', ['GET', 'POST']],
    ['/namespaces/alpha/worlds/ada', 'POST', ['GET', 'PUT', 'DELETE']],
  ])('%s rejects %s: 405 with Allow', async (path, method, allowed) => {
    const answer = await alice(method, path, method === 'GET' ? undefined : {});
    expectError(answer, 405);
    const allow = (answer.headers.get('allow') ?? '').split(/\s*,\s*/);
    for (const each of allowed) expect(allow).toContain(each);
    expect(allow).not.toContain(method);
  });

  it('HEAD responds like GET, without the body', async () => {
    for (const path of ['/worlds', '/worlds/ada', '/namespaces/alpha/worlds/ada', '/worlds/ada/sparql']) {
      const [get, headed] = [await alice('GET', path), await alice('HEAD', path)];
      expect([headed.status, headed.text]).toEqual([get.status, '']);
      expect(headed.headers.get('content-type')).toBe(get.headers.get('content-type'));
      expect(headed.headers.get('etag')).toBe(get.headers.get('etag'));
    }
    expect((await alice('HEAD', '/worlds/nowhere')).status).toBe(404);
    expect((await ask(server, { method: 'HEAD', path: '/worlds/ada' })).status).toBe(401);
    expect((await alice('HEAD', '/namespaces/beta/worlds/ada')).status).toBe(403);
  });

  it('OPTIONS lists the methods of a path', async () => {
    const answer = await alice('OPTIONS', '/worlds/ada');
    expect([200, 204]).toContain(answer.status);
    const allow = (answer.headers.get('allow') ?? '').split(/\s*,\s*/);
    for (const each of ['GET', 'PUT', 'DELETE', 'HEAD', 'OPTIONS']) expect(allow).toContain(each);
  });
});

describe('headers', () => {
  it('two different tokens are 401', async () => {
    for (const [first, second] of [
      ['alice', 'bob'],
      ['bob', 'alice'],
    ] as const) {
      const request = head('GET', '/namespaces/alpha/worlds/ada', [`Authorization: ${bearer(second)}`], first);
      expectError(await rawExchange(server.port, request), [400, 401]);
    }
  });

  it('two Content-Length headers are 400', async () => {
    const request = head('POST', '/worlds/ada/sparql', [
      'Content-Type: application/json',
      'Content-Length: 2',
      'Content-Length: 3',
    ]);
    expect((await rawExchange(server.port, `${request}{}`)).status).toBe(400);
  });

  it('Content-Length with chunked encoding is 400 (RFC 9112 section 6.3)', async () => {
    const request = head('POST', '/worlds/ada/import', [
      'Content-Type: application/json',
      'Content-Length: 5',
      'Transfer-Encoding: chunked',
    ]);
    expect((await rawExchange(server.port, `${request}0\r\n\r\n`)).status).toBe(400);
  });

  it('two Content-Type headers are 400', async () => {
    const body = JSON.stringify({ query: 'INSERT DATA { <urn:s> <urn:p> "x" }' });
    const lines = ['Content-Type: text/plain', 'Content-Type: application/json', `Content-Length: ${body.length}`];
    expectError(await rawExchange(server.port, head('POST', '/worlds/ada/sparql', lines) + body), 400);
  });

  it('two Accept headers are combined (RFC 9110 section 5.2)', async () => {
    const lines = ['Accept: text/turtle;q=0.5', 'Accept: application/trig', 'Content-Length: 0'];
    const answer = await rawExchange(server.port, head('POST', '/worlds/ada/export', lines));
    expect([answer.status, answer.mediaType]).toEqual([200, 'application/trig']);
  });

  it('accepts an Accept header of 8,000 characters', async () => {
    const accept = `text/turtle;q=0.${'1'.repeat(50)}, ${'a/b;q=0.5, '.repeat(700)}*/*;q=0`;
    const answer = await alice('POST', '/worlds/ada/export', undefined, { accept });
    expect(answer.status).toBe(200);
  });

  it('values echoed in headers cannot inject headers', async () => {
    for (const path of ['/worlds/x%0d%0aSet-Cookie:%20a=b', '/worlds?page=1%0d%0aSet-Cookie:%20a=b']) {
      const answer = await rawExchange(
        server.port,
        head('GET', path, ['X-Request-Id: a\u0009b', 'Origin: https://a.example']),
      );
      expect(answer.headers.get('set-cookie')).toBeNull();
    }
  });
});

describe('bodies that do not arrive', () => {
  const body = JSON.stringify({ data: base64('<urn:s> <urn:p> "half" .\n'.repeat(100)) });
  const declared = (length: number) =>
    head('POST', '/worlds/ada/import', ['Content-Type: application/json', `Content-Length: ${length}`]);

  it.each([
    ['a declared length', declared(body.length), body.slice(0, 200)],
    [
      'chunks',
      head('POST', '/worlds/ada/import', ['Content-Type: application/json', 'Transfer-Encoding: chunked']),
      `${(200).toString(16)}\r\n${body.slice(0, 200)}\r\n`,
    ],
    ['not a byte', declared(body.length), ''],
    [
      'an update',
      head('POST', '/worlds/ada/sparql', ['Content-Type: application/sparql-update', 'Content-Length: 1000']),
      'INSERT DATA { <urn:s> <urn:p> "half" }',
    ],
    [
      'a graph',
      head('PUT', '/worlds/ada/graphs?default', ['Content-Type: application/n-triples', 'Content-Length: 1000']),
      '<urn:s> <urn:p> "half" .\n',
    ],
  ])('an aborted upload of %s changes nothing', async (_, request, part) => {
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(request + part);
    await sleep(100);
    socket.destroy();
    await sleep(100);
  });

  it('an upload that ends early is never accepted', async () => {
    const socket = connect(server.port, '127.0.0.1');
    const answered = rawAnswer(socket, { timeoutMs: 5000 }).catch(() => undefined);
    socket.end(declared(body.length) + body.slice(0, 300));
    const answer = await answered;
    if (answer) expect(answer.status).toBeGreaterThanOrEqual(400);
  });

  it('other requests are served while one body is slow', async () => {
    const socket = connect(server.port, '127.0.0.1');
    const text = JSON.stringify({ query: 'ASK { ?s ?p "unchanged" }' });
    const answered = rawAnswer(socket);
    socket.write(
      head('POST', '/worlds/ada/sparql', ['Content-Type: application/json', `Content-Length: ${text.length}`]),
    );
    for (const character of text) {
      socket.write(character);
      await sleep(15);
      if (character === '"') expect((await alice('GET', '/worlds/ada')).status).toBe(200);
    }
    const answer = await answered;
    expect([answer.status, answer.json().boolean]).toEqual([200, true]);
    socket.destroy();
  });

  it('many slow bodies do not block the service', async () => {
    const sockets = Array.from({ length: 200 }, () => {
      const socket = connect(server.port, '127.0.0.1');
      socket.on('error', () => {});
      socket.write(declared(1000) + body.slice(0, 10));
      return socket;
    });
    await sleep(200);
    expect((await alice('GET', '/worlds/ada')).status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });
});

describe('concurrent writes', () => {
  it('of the same slug create one world', async () => {
    // The case deletes what it made, so that its own afterEach sees the worlds of before.
    const answers = await Promise.all(Array.from({ length: 20 }, () => alice('POST', '/worlds', { slug: 'raced' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)]);
    expectNoContent(await alice('DELETE', '/worlds/raced'));
  });
});
