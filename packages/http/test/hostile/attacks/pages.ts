import type { Attack, HostileRequest } from '../attack.ts';
import { json, list } from '../attack.ts';

const get = (
  path: string,
  headers: Readonly<Record<string, string>> = {},
  as?: HostileRequest['as'],
): HostileRequest => ({
  method: 'GET',
  path,
  headers,
  as,
});

type Row = readonly [
  name: string,
  route: `/${string}`,
  at: (size: number) => HostileRequest,
  statuses: readonly number[],
  before?: Attack['before'],
];

const ROWS: readonly Row[] = [
  ['the start page', '/console', (size) => get(`/console/?${'x'.repeat(900 * size)}`, {}, null), [200, 431]],
  ['without its slash', '/console', (size) => get(`/console?${'x'.repeat(900 * size)}`, {}, null), [308, 431]],
  ['a long path', '/console', (size) => get(`/console/${'x'.repeat(900 * size)}`, {}, null), [404, 431]],
  ['dots', '/console', (size) => get(`/console${'/..'.repeat(300 * size)}/etc/passwd`, {}, null), [404, 431]],
  [
    'escaped dots',
    '/console',
    (size) => get(`/console/${'%2e%2e%2f'.repeat(100 * size)}etc/passwd`, {}, null),
    [404, 431],
  ],
  ['NUL', '/console', (size) => get(`/console/${'%00'.repeat(300 * size)}`, {}, null), [404, 431]],
  [
    'names of prototypes',
    '/console',
    (size) => get(`/console/${'__proto__/'.repeat(90 * size)}`, {}, null),
    [404, 431],
  ],
  [
    'codings',
    '/console',
    (size) => get('/console/', { 'accept-encoding': list(150 * size, () => 'br;q=0', ',') }, null),
    [200, 431],
  ],
  [
    'a coding of spaces',
    '/console',
    (size) => get('/console/', { 'accept-encoding': `gzip${' '.repeat(900 * size)};q` }, null),
    [200, 431],
  ],
  [
    'a weight of zeros',
    '/console',
    (size) => get('/console/', { 'accept-encoding': `gzip;q=0.${'0'.repeat(900 * size)}x` }, null),
    [200, 431],
  ],
  [
    'entity tags',
    '/console',
    (size) => get('/console/', { 'if-none-match': list(100 * size, (i) => `"${i}"`, ',') }, null),
    [200, 431],
  ],
  [
    'a range',
    '/console',
    (size) => get('/console/', { range: `bytes=${list(100 * size, (i) => `${i}-${i}`, ',')}` }, null),
    [200, 431],
  ],
  ['a POST', '/console', (size) => ({ ...json('POST', '/console/', 'x'.repeat(60_000 * size)), as: null }), [405]],
  ['by somebody who is no admin', '/metrics', (size) => get(`/metrics?${'x'.repeat(900 * size)}`), [403, 431]],
  ['without a token', '/metrics', (size) => get(`/metrics?${'x'.repeat(900 * size)}`, {}, null), [401, 431]],
  [
    'of many namespaces',
    '/metrics',
    () => get('/metrics', {}, 'admin'),
    [200],
    (size) =>
      Array.from({ length: 20 * size }, (_, i) => ({ ...get(`/namespaces/n${i}/stats`), as: 'admin' as const })),
  ],
  ['a POST', '/metrics', (size) => json('POST', '/metrics', 'x'.repeat(60_000 * size)), [405]],
  ['health', '/healthz', (size) => get(`/healthz?${'x'.repeat(900 * size)}`, {}, null), [200, 431]],
  ['readiness', '/readyz', (size) => get(`/readyz?${'x'.repeat(900 * size)}`, {}, null), [200, 431]],
  ['a POST', '/readyz', (size) => ({ ...json('POST', '/readyz', 'x'.repeat(60_000 * size)), as: null }), [405]],
  [
    'a description of the service to nobody',
    '/openapi.json',
    (size) => get(`/openapi.json?${'x'.repeat(900 * size)}`, {}, null),
    [200, 431],
  ],
];

/** Attacks on what the service answers outside its table of routes, MCP apart. */
export const PAGES: readonly Attack[] = ROWS.map(([name, route, at, statuses, before]) => ({
  name: `${route.slice(1)}: ${name}`,
  route,
  at,
  statuses,
  before,
}));
