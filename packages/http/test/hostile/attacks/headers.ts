import { SignJWT } from 'jose';
import { ATTACKERS, type Attack, type HostileRequest, list } from '../attack.ts';
import { statusOf } from '../raw-status.ts';
import { JWT_KEY } from '../token-keys.ts';

const get = (path: string, headers: Readonly<Record<string, string>> = {}): HostileRequest => ({
  method: 'GET',
  path,
  headers,
});
const withToken = (token: string): HostileRequest => ({ ...get('/worlds/w', { authorization: token }), as: null });
const base64url = (text: string) => Buffer.from(text).toString('base64url');

/** Heads that a client library would not send. */
const head = (lines: readonly string[]) => (port: number) =>
  statusOf(port, Buffer.from([...lines, '', ''].join('\r\n'), 'latin1'));
const authorization = `Authorization: Bearer ${ATTACKERS.mallory}`;

type Row = readonly [
  string,
  (size: number) => HostileRequest | ((port: number) => Promise<readonly number[]>),
  readonly number[],
];

const TOKENS: readonly Row[] = [
  ['a wrong token', (size) => withToken(`Bearer ${'x'.repeat(900 * size)}`), [401, 431]],
  ['a token of spaces', (size) => withToken(`Bearer ${' '.repeat(900 * size)}x`), [401, 431]],
  ['a token of commas', (size) => withToken(`Bearer ${','.repeat(900 * size)}`), [401, 431]],
  ['a scheme of spaces', (size) => withToken(`x${' \t'.repeat(450 * size)}Bearer`), [401, 431]],
  ['another scheme', (size) => withToken(`Basic ${'QUJD'.repeat(220 * size)}`), [401, 431]],
  [
    'a JWT of no algorithm',
    (size) => withToken(`Bearer ${base64url('{"alg":"none"}')}.${base64url(`{"sub":"${'x'.repeat(600 * size)}"}`)}.`),
    [401, 431],
  ],
  [
    'a JWT of a wrong signature',
    (size) =>
      withToken(
        `Bearer ${base64url('{"alg":"HS256"}')}.${base64url(`{"sub":"${'x'.repeat(600 * size)}"}`)}.${'A'.repeat(43)}`,
      ),
    [401, 431],
  ],
  [
    'a JWT with a header that is nested',
    (size) => withToken(`Bearer ${base64url('['.repeat(600 * size))}.e30.AAAA`),
    [401, 431],
  ],
  [
    'a JWT with critical headers',
    (size) =>
      withToken(
        `Bearer ${base64url(JSON.stringify({ alg: 'HS256', crit: Array.from({ length: 80 * size }, (_, i) => `c${i}`) }))}.e30.AAAA`,
      ),
    [401, 431],
  ],
  [
    'a JWT with a key of its own',
    (size) =>
      withToken(
        `Bearer ${base64url(JSON.stringify({ alg: 'RS256', jwk: { kty: 'RSA', n: 'A'.repeat(500 * size), e: 'AQAB' } }))}.e30.AAAA`,
      ),
    [401, 431],
  ],
  [
    'a JWT with the address of a key',
    (size) =>
      withToken(
        `Bearer ${base64url(JSON.stringify({ alg: 'RS256', jku: `http://127.0.0.1:1/${'x'.repeat(500 * size)}` }))}.e30.AAAA`,
      ),
    [401, 431],
  ],
  [
    'a JWT that is encrypted',
    (size) =>
      withToken(
        `Bearer ${base64url('{"alg":"PBES2-HS512+A256KW","p2c":1000000000,"enc":"A128GCM"}')}.${'A'.repeat(600 * size)}.A.A.A`,
      ),
    [401, 431],
  ],
  ['a JWT of dots', (size) => withToken(`Bearer ${'.'.repeat(900 * size)}`), [401, 431]],
  ['a JWT with many grants', (size) => (port) => manyGrants(size, port), [200, 401, 403, 431]],
  ['a JWT that has expired', (size) => (port) => expired(size, port), [401, 431]],
];

async function signed(claims: Record<string, unknown>, expires: string): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer('tests')
    .setAudience('worlds')
    .setSubject('jan')
    .setExpirationTime(expires)
    .sign(JWT_KEY);
}

async function manyGrants(size: number, port: number): Promise<readonly number[]> {
  const grants = Array.from({ length: 15 * size }, (_, i) => ({ namespace: `n${i}`, read: true }));
  const token = await signed({ grants }, '5m');
  return statusOf(port, `GET /worlds HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`);
}

async function expired(size: number, port: number): Promise<readonly number[]> {
  const token = await signed({ namespace: 'mallet', x: 'x'.repeat(500 * size) }, '-1m');
  return statusOf(port, `GET /worlds HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`);
}

const HEADERS: readonly Row[] = [
  [
    'many headers',
    (size) => get('/worlds/w', Object.fromEntries(Array.from({ length: 50 * size }, (_, i) => [`x-h${i}`, 'a']))),
    [200, 431],
  ],
  [
    'a long Accept',
    (size) => get('/worlds/w/graphs?default', { accept: list(60 * size, (i) => `text/a${i};q=0.5`, ',') }),
    [200, 431],
  ],
  ['an Accept of commas', (size) => get('/worlds/w/graphs?default', { accept: ','.repeat(900 * size) }), [200, 431]],
  [
    'an Accept of semicolons',
    (size) => get('/worlds/w/graphs?default', { accept: `text/turtle${';'.repeat(900 * size)}` }),
    [200, 431],
  ],
  [
    'an Accept of quotes',
    (size) => get('/worlds/w/graphs?default', { accept: `text/turtle;a=${'"\\'.repeat(450 * size)}` }),
    [200, 400, 431],
  ],
  [
    'an Accept of spaces',
    (size) => get('/worlds/w/graphs?default', { accept: `text/turtle${' '.repeat(900 * size)};q` }),
    [200, 400, 431],
  ],
  [
    'a long Content-Type',
    (size) => ({
      method: 'POST',
      path: '/worlds/w/sparql',
      headers: { 'content-type': `application/json;${' '.repeat(900 * size)}x` },
      body: '{}',
    }),
    [200, 400, 431],
  ],
  [
    'parameters of a Content-Type',
    (size) => ({
      method: 'POST',
      path: '/worlds/w/sparql',
      headers: { 'content-type': `application/json${list(120 * size, (i) => `;a${i}=b`, '')}` },
      body: '{}',
    }),
    [200, 400, 431],
  ],
  [
    'spaces before a boundary',
    (size) => ({
      method: 'POST',
      path: '/worlds/w/graphs?default',
      headers: { 'content-type': `multipart/form-data;${' '.repeat(900 * size)}boundary` },
      body: 'x',
    }),
    [400, 431],
  ],
  [
    'many If-None-Match',
    (size) => get('/worlds/w', { 'if-none-match': list(100 * size, (i) => `"${i}"`, ',') }),
    [200, 431],
  ],
  [
    'many If-Match',
    (size) => ({
      method: 'DELETE',
      path: '/worlds/w',
      headers: { 'if-match': list(100 * size, (i) => `W/"${i}"`, ',') },
    }),
    [412, 431],
  ],
  [
    'an If-Match of quotes',
    (size) => ({ method: 'DELETE', path: '/worlds/w', headers: { 'if-match': '"'.repeat(900 * size) } }),
    [400, 412, 431],
  ],
  [
    'an If-Match of spaces',
    (size) => ({ method: 'DELETE', path: '/worlds/w', headers: { 'if-match': `"a"${' '.repeat(900 * size)}"` } }),
    [400, 412, 431],
  ],
  ['a long request id', (size) => get('/worlds/w', { 'x-request-id': 'x'.repeat(900 * size) }), [200, 431]],
  ['a long Origin', (size) => get('/worlds/w', { origin: `http://${'a.'.repeat(450 * size)}x` }), [200, 431]],
  [
    'a long Host',
    (size) => head(['GET /worlds/w HTTP/1.1', `Host: ${'x'.repeat(900 * size)}`, authorization]),
    [200, 400, 431],
  ],
  [
    'Expect',
    (size) => ({
      method: 'POST',
      path: '/worlds/w/sparql',
      headers: { expect: 'x'.repeat(900 * size), 'content-type': 'application/json' },
      body: '{}',
    }),
    [200, 400, 417, 431],
  ],
  [
    'the same header',
    (size) => head(['GET /worlds/w HTTP/1.1', 'Host: x', ...Array.from({ length: 90 * size }, () => authorization)]),
    [400, 401, 431],
  ],
  [
    'a header without a colon',
    (size) => head(['GET /worlds/w HTTP/1.1', 'Host: x', 'x'.repeat(900 * size)]),
    [400, 431],
  ],
  [
    'folded lines',
    (size) => head(['GET /worlds/w HTTP/1.1', 'Host: x', `X: ${'a\r\n '.repeat(200 * size)}`]),
    [400, 431],
  ],
  [
    'two lengths',
    (size) =>
      head([
        'POST /worlds/w/sparql HTTP/1.1',
        'Host: x',
        authorization,
        ...Array.from({ length: size + 1 }, (_, i) => `Content-Length: ${i}`),
      ]),
    [400],
  ],
  [
    'a length that is none',
    (size) =>
      head(['POST /worlds/w/sparql HTTP/1.1', 'Host: x', authorization, `Content-Length: ${'9'.repeat(20 * size)}`]),
    [400, 413],
  ],
  [
    'a length and chunks',
    (size) =>
      head([
        'POST /worlds/w/sparql HTTP/1.1',
        'Host: x',
        authorization,
        `Content-Length: ${size}`,
        'Transfer-Encoding: chunked',
      ]),
    [400],
  ],
  [
    'encodings of a transfer',
    (size) =>
      head([
        'POST /worlds/w/sparql HTTP/1.1',
        'Host: x',
        authorization,
        `Transfer-Encoding: ${'gzip, '.repeat(100 * size)}chunked`,
      ]),
    [400, 431, 501],
  ],
  ['a long method', (size) => head([`${'X'.repeat(900 * size)} /worlds HTTP/1.1`, 'Host: x']), [400, 405, 431]],
  ['a long version', (size) => head([`GET /worlds HTTP/1.${'1'.repeat(900 * size)}`, 'Host: x']), [400, 431, 505]],
  ['TRACE', (size) => ({ method: 'TRACE', path: `/worlds/w?${'x'.repeat(500 * size)}` }), [405, 431]],
  [
    'a method that Fetch does not know',
    (size) => ({ method: 'PROPFIND', path: `/worlds/w?${'x'.repeat(500 * size)}` }),
    [405, 431],
  ],
];

const PATHS: readonly Row[] = [
  ['a long path', (size) => get(`/worlds/${'x'.repeat(900 * size)}`), [404, 431]],
  ['many slashes', (size) => get('/'.repeat(900 * size)), [404, 431]],
  ['many dots', (size) => get('/..'.repeat(300 * size)), [404, 431]],
  ['percent-encoded letters', (size) => get(`/worlds/${'%41'.repeat(300 * size)}`), [404, 431]],
  ['percent signs that are none', (size) => get(`/worlds/${'%zz'.repeat(300 * size)}`), [400, 404, 431]],
  ['percent-encoded bytes that are not UTF-8', (size) => get(`/worlds/${'%ff'.repeat(300 * size)}`), [400, 404, 431]],
  ['semicolons', (size) => get(`/worlds/w${';'.repeat(900 * size)}`), [404, 431]],
  ['namespaces', (size) => get(`${'/namespaces/mallet'.repeat(50 * size)}/worlds`), [404, 431]],
  [
    'an absolute target',
    (size) => head([`GET http://${'x'.repeat(900 * size)}/worlds/w HTTP/1.1`, 'Host: x', authorization]),
    [200, 400, 431],
  ],
  [
    'a target of another scheme',
    (size) => head([`GET ${'a:'.repeat(450 * size)} HTTP/1.1`, 'Host: x', authorization]),
    [400, 404, 431],
  ],
  ['fields of a query', (size) => get(`/worlds?${list(100 * size, (i) => `k${i}`, '&')}`), [200, 431]],
  ['a description of the service', (size) => get(`/openapi.json?${'x'.repeat(900 * size)}`), [200, 431]],
  ['a description of the endpoint', (size) => get(`/worlds/w/sparql?x=${'x'.repeat(900 * size)}`), [200, 431]],
];

export const HEADERS_AND_PATHS: readonly Attack[] = [
  ...TOKENS.map((row) => attack('token', row)),
  ...HEADERS.map((row) => attack('header', row)),
  ...PATHS.map((row) => attack('path', row)),
];

function attack(kind: string, [name, at, statuses]: Row): Attack {
  const route = name.startsWith('a description')
    ? name.endsWith('endpoint')
      ? 'querySparqlWorld'
      : '/openapi.json'
    : 'connection';
  return { name: `${kind}: ${name}`, route, at, statuses };
}
