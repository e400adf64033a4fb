import { gzipSync } from 'node:zlib';
import { type Attack, BOUNDED, form, graphOf, type HostileRequest, importOf, json, list, nest } from '../attack.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const refused = [400, 413] as const;

const text = (path: string, body: string | Uint8Array, method = 'POST'): HostileRequest => ({
  method,
  path,
  headers: JSON_TYPE,
  body,
});

/** Bodies of JSON that every route with one gets in turns. */
const JSON_ROUTES = [
  ['sparqlWorld', 'POST', '/worlds/w/sparql'],
  ['importWorld', 'POST', '/worlds/w/import'],
  ['searchWorld', 'POST', '/worlds/w/search'],
  ['createWorld', 'POST', '/worlds'],
  ['updateWorld', 'PUT', '/worlds/w'],
  ['exportWorld', 'POST', '/worlds/w/export'],
  ['deleteWorld', 'DELETE', '/namespaces/mallet/worlds/w'],
  ['searchCollection', 'POST', '/worlds/search'],
  ['sparqlCollection', 'POST', '/worlds/sparql'],
] as const;

const JSON_BODIES: readonly (readonly [string, number, (n: number) => string | Uint8Array])[] = [
  ['nested arrays', 4_000, (n) => nest('[', '', ']')(n)],
  ['nested objects', 4_000, (n) => nest('{"a":', '1', '}')(n)],
  ['nested arrays without end', 60_000, (n) => '['.repeat(n)],
  ['an array', 20_000, (n) => `[${list(n, () => '0', ',')}]`],
  ['members', 6_000, (n) => `{${list(n, (i) => `"k${i}":0`, ',')}}`],
  ['the same member', 6_000, (n) => `{${list(n, () => '"query":0', ',')}}`],
  ['a long string', 60_000, (n) => `{"query":"${'x'.repeat(n)}`],
  ['a long key', 60_000, (n) => `{"${'x'.repeat(n)}":1}`],
  ['backslashes', 60_000, (n) => `{"a":"${'\\'.repeat(n)}"}`],
  ['escapes', 10_000, (n) => `{"a":"${'\\u0000'.repeat(n)}"}`],
  ['a long number', 60_000, (n) => `{"limit":${'9'.repeat(n)}}`],
  ['white space', 60_000, (n) => `${' '.repeat(n)}{}`],
  ['bad UTF-8', 60_000, (n) => Buffer.concat([Buffer.from('{"a":"'), Buffer.alloc(n, 0xc3), Buffer.from('"}')])],
  ['NUL', 60_000, (n) => new Uint8Array(n)],
  ['quotes', 30_000, (n) => '""'.repeat(n)],
  ['numbers that are none', 60_000, (n) => `{"limit":${'-'.repeat(n)}}`],
];

const JSON_ATTACKS: readonly Attack[] = JSON_BODIES.flatMap(([name, length, body], i) =>
  [0, 4].map((shift) => {
    const [route, method, path] = JSON_ROUTES[(i + shift) % JSON_ROUTES.length];
    // A body without anything that is known may be a request all the same.
    return {
      name: `json: ${name} to ${route}`,
      route,
      at: (size) => text(path, body(length * size), method),
      statuses: [...BOUNDED],
    };
  }),
);

const MIB = 1 << 20;

const IMPORTS: readonly Attack[] = [
  {
    name: 'import: a JSON array of 4 to 64 MiB',
    route: 'importWorld',
    at: (size) => text('/worlds/w/import', `[${'0,'.repeat(2 * MIB * size - 4)}0]`),
    statuses: refused,
  },
  {
    name: 'import: more than may be imported',
    route: 'importWorld',
    at: (size) => text('/worlds/w/import', Buffer.alloc(65 * MIB + size, 'A')),
    statuses: [413],
  },
  {
    name: 'import: base64 that ends wrong',
    route: 'importWorld',
    at: (size) => text('/worlds/w/import', `{"data":"${'QUJD'.repeat((MIB / 4) * size)}*"}`),
    statuses: [400],
  },
  {
    name: 'import: escaped slashes',
    route: 'importWorld',
    at: (size) => text('/worlds/w/import', `{"data":"${'\\/'.repeat(MIB * size)}"}`),
    statuses: [400],
  },
  {
    name: 'import: escaped letters',
    route: 'importWorld',
    at: (size) => text('/worlds/w/import', `{"data":"${'\\u0051'.repeat(20_000 * size)}"}`),
    statuses: refused,
  },
  {
    name: 'import: a long member beside the data',
    route: 'importWorld',
    at: (size) => text('/worlds/w/import', `{"data":"","x":"${'x'.repeat(MIB * size)}"}`),
    statuses: [204, 413],
  },
  {
    name: 'import: data twice',
    route: 'importWorld',
    at: (size) =>
      text('/worlds/w/import', `{"data":"${'QUJD'.repeat(50_000 * size)}","data":"${'QUJD'.repeat(50_000 * size)}"}`),
    statuses: refused,
  },
  {
    name: 'import: of a reader',
    route: 'importWorld',
    at: (size) => ({ ...importOf('x'.repeat(MIB * size), 'text/turtle'), as: 'reader' }),
    statuses: [403],
  },
  {
    name: 'import: of nobody',
    route: 'importWorld',
    at: (size) => ({ ...importOf('x'.repeat(MIB * size), 'text/turtle'), as: null }),
    statuses: [401],
  },
  {
    name: 'import: of a long type',
    route: 'importWorld',
    at: (size) => importOf('', `text/${'x'.repeat(50_000 * size)}`),
    statuses: [400],
  },
  {
    name: 'import: compressed',
    route: 'importWorld',
    at: (size) => ({
      ...text('/worlds/w/import', new Uint8Array(1000 * size)),
      headers: { ...JSON_TYPE, 'content-encoding': 'gzip' },
    }),
    statuses: [400],
  },
];

const streamed = (body: Uint8Array | string, headers: Readonly<Record<string, string>> = {}): HostileRequest => ({
  method: 'POST',
  path: '/worlds/w/import',
  headers: { 'content-type': 'text/turtle', ...headers },
  body,
});
const GZIP = { 'content-encoding': 'gzip' };

/** Documents that are imported while they arrive. */
const STREAMED: readonly Attack[] = (
  [
    ['nothing but space', 4 * MIB, (n) => streamed(Buffer.alloc(n, ' '))],
    ['a comment', 2 * MIB, (n) => streamed(Buffer.alloc(n, '#'))],
    ['a string without end', 2 * MIB, (n) => streamed(`<urn:s> <urn:p> "${'x'.repeat(n)}`)],
    ['an error at the beginning', 4 * MIB, (n) => streamed(`oops\n${' '.repeat(n)}`)],
    ['compressed space', 8 * MIB, (n) => streamed(gzipSync(Buffer.alloc(n, ' ')), GZIP)],
    ['a compressed string', 8 * MIB, (n) => streamed(gzipSync(`<urn:s> <urn:p> "${'x'.repeat(n)}" .`), GZIP)],
    ['compressed twice', 4 * MIB, (n) => streamed(gzipSync(gzipSync(Buffer.alloc(n, ' '))), GZIP)],
    [
      'many members of gzip',
      4_000,
      (n) => streamed(Buffer.concat(Array.from({ length: n }, () => gzipSync(' '))), GZIP),
    ],
    ['not compressed as declared', MIB, (n) => streamed(Buffer.alloc(n, ' '), GZIP)],
  ] as const satisfies readonly (readonly [string, number, (n: number) => HostileRequest])[]
).map(([name, length, request]) => ({
  name: `streamed: ${name}`,
  route: 'importWorld',
  at: (size) => request(length * size),
  statuses: BOUNDED,
}));

const part = (body: string, more = '') =>
  `--b\r\nContent-Disposition: form-data; name="f"; filename="f.ttl"${more}\r\nContent-Type: text/turtle\r\n\r\n${body}\r\n`;
const multipart = (body: string, boundary = 'b') => graphOf(body, `multipart/form-data; boundary=${boundary}`, 'POST');

const MULTIPART: readonly Attack[] = (
  [
    ['parts', 60, (n) => multipart(`${part('<urn:s> <urn:p> 1 .').repeat(n)}--b--\r\n`)],
    ['too many parts', 6_000, (n) => multipart(`${part('').repeat(n)}--b--\r\n`)],
    ['100,000 boundaries', 6_000, (n) => multipart(`${'--b\r\n\r\n\r\n'.repeat(n)}--b--`)],
    ['a part without end', 500_000, (n) => multipart(part('x'.repeat(n)))],
    ['headers of a part without end', 500_000, (n) => multipart(`--b\r\n${'X: y\r\n'.repeat(n / 6)}`)],
    ['beginnings of boundaries', 100_000, (n) => multipart(`--b\r\n${'\r\n--'.repeat(n)}`)],
    ['a preamble', 500_000, (n) => multipart(`${'x'.repeat(n)}\r\n${part('')}--b--`)],
    ['an epilogue', 500_000, (n) => multipart(`${part('')}--b--${'x'.repeat(n)}`)],
    ['a long name', 10_000, (n) => multipart(`${part('', `; x="${'x'.repeat(n)}"`)}--b--`)],
    [
      'names without end',
      1_000,
      (n) => multipart(`--b\r\nContent-Disposition: form-data${'; name='.repeat(n)}\r\n\r\n\r\n--b--`),
    ],
    ['a long boundary', 4, (n) => multipart('x', 'b'.repeat(n))],
    ['documents that break off', 60, (n) => multipart(`${part('<urn:s> <urn:p>').repeat(n)}--b--\r\n`)],
    [
      'documents with a long base each',
      25,
      (n) =>
        multipart(
          `${part(`@base <http://e/${'x/'.repeat(2000)}> . ${list(200, (i) => `<${i}> <p> 1 .`)}`).repeat(n)}--b--\r\n`,
        ),
    ],
  ] as const satisfies readonly (readonly [string, number, (n: number) => HostileRequest])[]
).map(([name, length, request]) => ({
  name: `multipart: ${name}`,
  route: 'postGraph',
  at: (size) => request(length * size),
  statuses: BOUNDED,
}));

const FORMS: readonly Attack[] = (
  [
    ['fields', 15_000, (n) => `query=ASK{}&${list(n, (i) => `k${i}=`, '&')}`],
    ['the same field', 6_000, (n) => list(n, () => 'query=ASK{}', '&')],
    ['graphs', 2_000, (n) => `query=ASK{}&${list(n, (i) => `default-graph-uri=urn:${i}`, '&')}`],
    ['graphs that are none', 6_000, (n) => `query=ASK{}&${list(n, () => 'named-graph-uri=x', '&')}`],
    ['ampersands', 60_000, (n) => '&'.repeat(n)],
    ['percent signs', 60_000, (n) => `query=${'%'.repeat(n)}`],
    ['percent-encoded letters', 20_000, (n) => `query=${'%20'.repeat(n)}ASK{}`],
    ['a long update with USING graphs', 2_000, (n) => `update=${'CLEAR+ALL;'.repeat(n)}&using-graph-uri=urn:g`],
    [
      'an update of comments with USING graphs',
      10_000,
      (n) => `update=${'%23%0A'.repeat(n)}CLEAR+ALL&using-graph-uri=urn:g`,
    ],
    ['an update of strings with USING graphs', 10_000, (n) => `update=${'%22'.repeat(n)}&using-graph-uri=urn:g`],
  ] as const satisfies readonly (readonly [string, number, (n: number) => string])[]
).map(([name, length, body]) => ({
  name: `form: ${name}`,
  route: 'sparqlWorld',
  at: (size) => ({ ...form('/worlds/w/sparql', {}), body: body(length * size) }),
  statuses: BOUNDED,
}));

const SPARQL_BODIES: readonly Attack[] = (
  [
    ['sources', 4_000, (n) => ({ query: 'ASK {}', sources: Array.from({ length: n }, () => 'w') })],
    [
      'sources of one that is not there',
      4_000,
      (n) => ({ query: 'ASK {}', sources: Array.from({ length: n }, (_, i) => `x${i}`) }),
    ],
    ['sources of others', 4_000, (n) => ({ query: 'ASK {}', sources: Array.from({ length: n }, () => 'victim/ada') })],
    ['sources that are none', 4_000, (n) => ({ query: 'ASK {}', sources: Array.from({ length: n }, () => ({})) })],
    [
      'default graphs',
      4_000,
      (n) => ({ query: 'ASK { ?s ?p ?o }', defaultGraphUris: Array.from({ length: n }, (_, i) => `urn:g${i}`) }),
    ],
    [
      'named graphs',
      4_000,
      (n) => ({
        query: 'SELECT * { GRAPH ?g { ?s ?p ?o } }',
        namedGraphUris: Array.from({ length: n }, (_, i) => `urn:g${i}`),
      }),
    ],
    ['a long graph', 50_000, (n) => ({ query: 'ASK {}', namedGraphUris: [`urn:${'x'.repeat(n)}`] })],
    ['a long namespace', 50_000, (n) => ({ query: 'ASK {}', namespace: 'x'.repeat(n), sources: ['w'] })],
  ] as const satisfies readonly (readonly [string, number, (n: number) => unknown])[]
).map(([name, length, body]) => ({
  name: `sparql: ${name}`,
  route: 'sparqlCollection',
  at: (size) => json('POST', '/worlds/sparql', body(length * size)),
  statuses: [200, 400, 403, 413],
}));

export const BODIES: readonly Attack[] = [
  ...JSON_ATTACKS,
  ...IMPORTS,
  ...STREAMED,
  ...MULTIPART,
  ...FORMS,
  ...SPARQL_BODIES,
];
