import type { HttpRequest } from './http-connections.ts';
import type { RandomNumbers } from './random-numbers.ts';

/** The tenant of all requests. */
export const HTTP_NAMESPACE = 'bench';
export const HTTP_TOKEN = 'token-of-the-benchmark';

const WORLDS = 20;
const QUADS = 100;
/**
 * Number of distinct values that writes choose from, which keeps the amount of data constant over
 * time.
 */
const VALUES = 50;

/** Yields the initial worlds of the service, as N-Quads. */
export function* httpWorlds(): Generator<{ readonly slug: string; readonly data: string }> {
  for (let world = 0; world < WORLDS; world++) {
    const lines = Array.from(
      { length: QUADS },
      (_, quad) => `<urn:w${world}:s${quad % 20}> <urn:p${quad % 5}> "value ${quad} of the world number ${world}" .\n`,
    );
    yield { slug: `w${world}`, data: lines.join('') };
  }
}

const headers = { authorization: `Bearer ${HTTP_TOKEN}` };
const json = (path: string, body: unknown, method = 'POST'): HttpRequest => ({
  method,
  path,
  headers: { ...headers, 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** A kind of request and its percentage of the mix. */
interface Share {
  readonly name: string;
  readonly percent: number;
  request(world: string, value: number): HttpRequest;
}

const SHARES: readonly Share[] = [
  { name: 'get a world', percent: 40, request: (world) => ({ method: 'GET', path: `/worlds/${world}`, headers }) },
  { name: 'list worlds', percent: 5, request: () => ({ method: 'GET', path: '/worlds?pageSize=10', headers }) },
  {
    name: 'SELECT',
    percent: 25,
    request: (world, value) =>
      json(`/worlds/${world}/sparql`, { query: `SELECT ?p ?o { <urn:${world}:s${value % 20}> ?p ?o }` }),
  },
  {
    name: 'search',
    percent: 10,
    request: (world, value) => json(`/worlds/${world}/search`, { query: `value ${value}`, limit: 5 }),
  },
  { name: 'export', percent: 5, request: (world) => ({ method: 'POST', path: `/worlds/${world}/export`, headers }) },
  {
    name: 'update',
    percent: 10,
    request: (world, value) =>
      json(`/worlds/${world}/sparql`, {
        query: `DELETE WHERE { <urn:${world}:counter> <urn:count> ?o } ; INSERT DATA { <urn:${world}:counter> <urn:count> ${value} }`,
      }),
  },
  {
    name: 'import',
    percent: 3,
    request: (world, value) =>
      json(`/worlds/${world}/import`, {
        data: Buffer.from(`<urn:${world}:s1> <urn:imported> "import ${value}" .\n`).toString('base64'),
      }),
  },
  {
    name: 'rename',
    percent: 2,
    request: (world, value) => json(`/worlds/${world}`, { label: `label ${value}` }, 'PUT'),
  },
];

/** Describes the mix, for the report. */
export const HTTP_MIX = SHARES.map(({ name, percent }) => `${percent} % ${name}`).join(', ');

/**
 * Returns the next request of the mix: a read or write of a random world, which leaves the amount
 * of data constant.
 */
export function mixedRequest(random: RandomNumbers): HttpRequest {
  let point = random.below(100);
  const share = SHARES.find(({ percent }) => (point -= percent) < 0)!;
  return share.request(`w${random.below(WORLDS)}`, random.below(VALUES));
}

/** The cheapest request: its extra cost over an echo is that of the handler. */
export const GET_WORLD: HttpRequest = { method: 'GET', path: '/worlds/w0', headers };
