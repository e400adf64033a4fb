import { describe, expect, it } from 'vitest';
import { expectError, expectNoContent } from './answer-shapes.ts';
import { bearer, type Caller } from './callers.ts';
import { FAMILIES } from './operations.ts';
import { rawExchange } from './raw-exchange.ts';
import { base64, ServiceFixture } from './service-fixture.ts';

// Behaviour that the operations and schemas alone do not determine: one describe per decision, with
// the decision as its title.

const service = new ServiceFixture();
const { alice, freshName, freshWorld, data } = service;

describe('body size: import 64 MiB, elsewhere 1 MiB; over it 413; request `Content-Encoding` is 400', () => {
  const MIB = 2 ** 20;
  const padded = (bytes: number, fields: object) => {
    const text = JSON.stringify({ ...fields, padding: '' });
    return text.replace('"padding":""', `"padding":"${' '.repeat(bytes - text.length)}"`);
  };
  const headers = { 'content-type': 'application/json' };

  it.each([
    ['PUT', '', { label: 'L' }, 204],
    ['POST', '/export', {}, 200],
    ['POST', '/sparql', { query: 'ASK {}' }, 200],
    ['POST', '/search', { query: 'x' }, 200],
    ['DELETE', '', {}, 204],
  ])('%s %s accepts 1 MiB and not one byte more', async (method, suffix, fields, success) => {
    const slug = await freshWorld();
    const path = `/worlds/${slug}${suffix}`;
    expectError(await alice(method, path, undefined, { body: padded(MIB + 1, fields), headers }), 413);
    expect((await alice(method, path, undefined, { body: padded(MIB, fields), headers })).status).toBe(success);
  });

  it('create accepts 1 MiB and not one byte more', async () => {
    const slug = freshName('big');
    expectError(await alice('POST', '/worlds', undefined, { body: padded(MIB + 1, { slug }), headers }), 413);
    expect((await alice('POST', '/worlds', undefined, { body: padded(MIB, { slug }), headers })).status).toBe(201);
  });

  it('import accepts more than 1 MiB', async () => {
    const slug = await freshWorld();
    const sent = '<urn:s> <urn:p> "o" .\n'.repeat((3 * MIB) / 22);
    expectNoContent(await alice('POST', `/worlds/${slug}/import`, { data: base64(sent) }));
    expect(await data(`alpha/${slug}`)).toBe('<urn:s> <urn:p> "o" .\n');
  });

  it('413 even if the length is not declared', async () => {
    const slug = await freshWorld();
    const chunk = ' '.repeat(64 * 1024);
    const request = [
      `POST /worlds/${slug}/sparql HTTP/1.1`,
      'Host: x',
      `Authorization: ${bearer('alice')}`,
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
      '',
      '',
    ].join('\r\n');
    const chunks = `${chunk.length.toString(16)}\r\n${chunk}\r\n`.repeat(17);
    expectError(await rawExchange(service.server.port, `${request}${chunks}0\r\n\r\n`), 413);
  });

  it.each(['gzip', 'deflate', 'br', 'x-unheard-of'])('400 for Content-Encoding: %s', async (encoding) => {
    const slug = await freshWorld();
    const sent = { body: JSON.stringify({ data: '' }), headers: { ...headers, 'content-encoding': encoding } };
    for (const suffix of ['/import', '/sparql', '/search', '/export'])
      expectError(await alice('POST', `/worlds/${slug}${suffix}`, undefined, sent), 400);
  });
});

describe('empty bodies: fine on export and delete, 400 elsewhere; `data: ""` is a valid empty import; a whitespace query is an empty query; a prologue alone is an update that does nothing', () => {
  it('empty bodies', async () => {
    const slug = await freshWorld('<urn:s> <urn:p> "o" .\n');
    for (const family of FAMILIES) {
      const path = `${family.worlds('alpha')}/${slug}`;
      for (const more of [{}, { body: '', headers: { 'content-type': 'application/json' } }]) {
        expect((await alice('POST', `${path}/export`, undefined, more)).status).toBe(200);
        expectError(await alice('POST', `${path}/import`, undefined, more), 400);
        expectError(await alice('POST', `${path}/sparql`, undefined, more), 400);
        expectError(await alice('POST', `${path}/search`, undefined, more), 400);
        expectError(await alice('PUT', path, undefined, more), 400);
        expectError(await alice('POST', family.worlds('alpha'), undefined, more), 400);
      }
    }
    const headers = { 'content-type': 'application/json' };
    expectNoContent(await alice('DELETE', `/worlds/${slug}`, undefined, { body: '', headers }));
  });

  it('data: "" is a valid empty import', async () => {
    const slug = await freshWorld('<urn:s> <urn:p> "o" .\n');
    expectNoContent(await alice('POST', `/worlds/${slug}/import`, { data: '' }));
    for (const contentType of ['text/turtle', 'application/n-triples', 'application/trig'])
      expectNoContent(await alice('POST', `/worlds/${slug}/import`, { data: '', contentType }));
    expect(await data(`alpha/${slug}`)).toBe('<urn:s> <urn:p> "o" .\n');
  });

  it.each([undefined, '', ' ', '\n\t \r\n'])('the query %j is the service description', async (query) => {
    const slug = await freshWorld();
    for (const family of FAMILIES)
      for (const path of [`${family.worlds('alpha')}/${slug}/sparql`, `${family.worlds('alpha')}/sparql`]) {
        const answer = await alice('POST', path, { query });
        expect([answer.status, answer.mediaType]).toEqual([200, 'text/turtle']);
        expect(answer.text).toContain('http://www.w3.org/ns/sparql-service-description#');
      }
  });

  it('a prologue alone is an update that does nothing', async () => {
    const slug = await freshWorld('<urn:s> <urn:p> "o" .\n');
    for (const query of ['PREFIX ex: <urn:x>', 'BASE <http://x/>\nPREFIX : <#> # no more'])
      expectNoContent(await alice('POST', `/worlds/${slug}/sparql`, { query }));
    expect(await data(`alpha/${slug}`)).toBe('<urn:s> <urn:p> "o" .\n');
  });
});

describe('order of checks: 401, 403 for the path, 413, 400 body, 403 body sources, unknown world, 409. 401 and 403 for the path before the body is read', () => {
  const TOO_BIG = 2 * 2 ** 20;
  /** Sends the head of a request that announces a body, and no body. */
  const headOnly = (path: string, caller: Caller | undefined, length: number, method = 'POST') => {
    const lines = [
      `${method} ${path} HTTP/1.1`,
      'Host: x',
      ...(caller ? [`Authorization: ${bearer(caller)}`] : ['Authorization: Bearer wrong']),
      'Content-Type: application/json',
      `Content-Length: ${length}`,
    ];
    return rawExchange(service.server.port, `${lines.join('\r\n')}\r\n\r\n`, { timeoutMs: 3000 });
  };

  it('401 before everything else, and before the body is read', async () => {
    for (const path of [
      '/namespaces/beta/worlds',
      '/worlds',
      '/worlds/x/sparql',
      '/namespaces/alpha/worlds/x/import',
      '/namespaces/beta/worlds/search',
    ]) {
      expectError(await headOnly(path, undefined, 100), 401);
      expectError(await headOnly(path, undefined, 200 * 2 ** 20), 401);
    }
  });

  it('403 for the path before the body is read, and before 413', async () => {
    for (const [caller, path] of [
      ['bob', '/namespaces/alpha/worlds'],
      ['bob', '/namespaces/alpha/worlds/x/import'],
      ['bob', '/namespaces/alpha/worlds/sparql'],
      ['bob', '/namespaces/alpha/worlds/search'],
      ['carol', '/namespaces/alpha/worlds/hidden/export'],
      ['rita', '/namespaces/alpha/worlds/x/import'],
      ['rita', '/worlds/x/import'],
      ['rita', '/worlds'],
    ] as const) {
      expectError(await headOnly(path, caller, 100), 403);
      expectError(await headOnly(path, caller, 200 * 2 ** 20), 403);
    }
  });

  it('413 before the body is read if the length is declared', async () => {
    expectError(await headOnly('/worlds/x/sparql', 'alice', TOO_BIG), 413);
    expectError(await headOnly('/worlds/x/import', 'alice', 65 * 2 ** 20), 413);
    expectError(await headOnly('/worlds', 'alice', TOO_BIG), 413);
    expectError(await headOnly('/worlds/x', 'alice', TOO_BIG, 'PUT'), 413);
  });

  it('413 before 400', async () => {
    const headers = { 'content-type': 'application/json' };
    expectError(await alice('POST', '/worlds', undefined, { body: 'x'.repeat(TOO_BIG), headers }), 413);
  });

  it('400 body before 403 body sources', async () => {
    const cases: [string, string, unknown][] = [
      ['PUT', '/worlds/x', { source: 'beta/x', label: 7 }],
      ['DELETE', '/worlds/x', { source: { slug: 'x', namespace: 'beta', write: 7 } }],
      ['POST', '/worlds/x/export', { source: 'beta/x', contentType: 7 }],
      ['POST', '/worlds/x/import', { source: 'beta/x', data: '!' }],
      ['POST', '/worlds/x/sparql', { sources: ['beta/x'], query: 7 }],
      ['POST', '/worlds/sparql', { namespace: 'beta', query: 7 }],
      ['POST', '/worlds/search', { namespace: 'beta' }],
      ['POST', '/worlds', { namespace: 'beta', slug: 7 }],
    ];
    for (const [method, path, body] of cases) expectError(await alice(method, path, body), 400);
  });

  it('403 body sources before unknown world', async () => {
    const cases: [string, string, unknown][] = [
      ['PUT', '/worlds/nowhere', { source: 'beta/nowhere' }],
      ['DELETE', '/worlds/nowhere', { source: 'beta/nowhere' }],
      ['POST', '/worlds/nowhere/export', { source: 'beta/nowhere' }],
      ['POST', '/worlds/nowhere/import', { source: 'beta/nowhere', data: '' }],
      ['POST', '/worlds/nowhere/sparql', { sources: ['nowhere', 'beta/x'], query: 'ASK {}' }],
      ['POST', '/worlds/search', { sources: ['nowhere', 'beta/x'], query: 'x' }],
      ['POST', '/worlds/nowhere/sparql', { namespace: 'beta', query: 'ASK {}' }],
    ];
    for (const [method, path, body] of cases) expectError(await alice(method, path, body), 403);
  });

  it('400 and 403 before 409', async () => {
    const slug = await freshWorld();
    await service.server.engine.createWorld({ slug, namespace: 'beta' });
    expectError(await alice('POST', '/worlds', { slug, label: 7 }), 400);
    expectError(await alice('POST', '/worlds', { slug, namespace: 'beta' }), 403);
    expectError(await alice('POST', '/worlds', { slug }), 409);
  });
});
