import type { OperationName } from '../../src/route-info.ts';

/**
 * Who sends an attack: each has the namespace `mallet`. `reader` may read it, and `guest` only two
 * worlds of it, so that answers are put into an order of their own. `admin` may
 * do what no tenant may.
 */
export const ATTACKERS = {
  mallory: 'mallory-of-mallet-5f1c',
  reader: 'reader-of-mallet-0d9e',
  guest: 'guest-of-mallet-33b7',
  admin: 'admin-of-everything-81c0',
} as const;

export const NAMESPACE = 'mallet';
/** The world that attacks are made on; it has {@link DATA} before each. */
export const WORLD = 'w';
/** A world that some attacks compare it with, after they have made it. */
export const OTHER_WORLD = 'other';

/** 1,000 triples, of three predicates, with a cycle of `urn:p0`. */
export const DATA = Array.from(
  { length: 1000 },
  (_, i) => `<urn:s${i}> <urn:p${i % 3}> ${i % 2 ? `<urn:s${(i + 3) % 1000}>` : `"text number ${i}"`} .\n`,
).join('');

export interface HostileRequest {
  readonly method: string;
  /** From the root of the service, with the query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** `mallory` when not given; null sends no credentials. */
  readonly as?: keyof typeof ATTACKERS | null;
  /** Whether a good answer never ends: it is left once it has begun. */
  readonly isEndless?: boolean;
}

/**
 * An attack that is more than one request: speaks to the port, and gives the statuses of all
 * answers, 0 for a connection that was closed without one. `writer` is the port of the server that
 * writes, which is another one if a follower is attacked.
 */
export type Conversation = (port: number, writer: number) => Promise<readonly number[]>;

/**
 * The attacked server: `memory` keeps all data in memory and no past, `history` has a directory and
 * keeps every commit, `follower` reads the directory of such a server, without writing.
 */
export type ServerKind = 'memory' | 'history' | 'follower';

export interface Attack {
  readonly name: string;
  /**
   * What is attacked: a route, the path of anything else that the service answers, or `connection`,
   * the server before it knows a route.
   */
  readonly route: OperationName | 'connection' | `/${string}`;
  /** The attack at a size of 1, 4 or 16. */
  readonly at: (size: number) => HostileRequest | Conversation;
  /**
   * The statuses that may be answered. An answer that breaks off counts as the error that is in the
   * list.
   */
  readonly statuses: readonly number[];
  /** Default: `memory`. */
  readonly server?: ServerKind;
  /** Requests that prepare the attack; not watched. Sent to the server that writes. */
  readonly before?: (size: number) => readonly HostileRequest[];
  /**
   * What the cost may grow with: with `size` the CPU time at 16 is at most n log n times that at 1;
   * with `answer` the attack asks for an answer that grows faster, and only its deadline and limits
   * bound it.
   */
  readonly cost?: 'size' | 'answer';
}

/** The answer of something that is right, however large. */
export const ANSWERED = [200, 204] as const;
/** Refused for what it is. */
export const REFUSED = [400] as const;
/** Answered, or stopped by a limit or the deadline. */
export const BOUNDED = [200, 201, 204, 400, 413, 503] as const;
export const UNAUTHENTICATED = [401] as const;

export const list = (length: number, item: (i: number) => string, separator = ' ') =>
  Array.from({ length }, (_, i) => item(i)).join(separator);

export const nest = (open: string, inner: string, close: string) => (depth: number) =>
  open.repeat(depth) + inner + close.repeat(depth);

const JSON_TYPE = { 'content-type': 'application/json' };

export function json(method: string, path: string, value: unknown): HostileRequest {
  return { method, path, headers: JSON_TYPE, body: JSON.stringify(value) };
}

/** The ways to send a query; a table of texts takes turns over them. */
const QUERY_WAYS: readonly (readonly [OperationName, (query: string) => HostileRequest])[] = [
  ['sparqlWorld', (query) => json('POST', '/worlds/w/sparql', { query })],
  ['sparqlCollection', (query) => json('POST', '/worlds/sparql', { query })],
  ['sparqlWorld', (query) => direct('/namespaces/mallet/worlds/w/sparql', 'query', query)],
  ['sparqlCollection', (query) => form('/namespaces/mallet/worlds/sparql', { query })],
  ['sparqlWorld', (query) => form('/worlds/w/sparql', { query })],
  ['sparqlCollection', (query) => direct('/worlds/sparql', 'query', query)],
];

/** The same for updates. */
const UPDATE_WAYS: typeof QUERY_WAYS = [
  ['sparqlWorld', (query) => json('POST', '/worlds/w/sparql', { query })],
  ['sparqlWorld', (update) => direct('/worlds/w/sparql', 'update', update)],
  ['sparqlWorld', (update) => form('/namespaces/mallet/worlds/w/sparql', { update })],
  ['sparqlCollection', (query) => json('POST', '/worlds/sparql', { query, sources: ['w'] })],
];

export function direct(path: string, kind: 'query' | 'update', body: string): HostileRequest {
  return { method: 'POST', path, headers: { 'content-type': `application/sparql-${kind}` }, body };
}

export function form(path: string, fields: Readonly<Record<string, string>>): HostileRequest {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return { method: 'POST', path, headers, body: new URLSearchParams(fields).toString() };
}

/**
 * A text at a length of n: its name, n at size 1, the text, and where they differ the statuses and
 * what its cost grows with.
 */
export type TextRow = readonly [
  name: string,
  length: number,
  text: (n: number) => string,
  more?: Partial<Pick<Attack, 'statuses' | 'cost' | 'before'>>,
];

function sparqlAttacks(kind: string, ways: typeof QUERY_WAYS, rows: readonly TextRow[]): readonly Attack[] {
  return rows.map(([name, length, text, more], i) => {
    const [route, send] = ways[i % ways.length];
    return {
      name: `${kind}: ${name}`,
      route,
      at: (size) => send(text(length * size)),
      statuses: BOUNDED,
      ...more,
    };
  });
}

export const queryAttacks = (rows: readonly TextRow[]) => sparqlAttacks('query', QUERY_WAYS, rows);
export const updateAttacks = (rows: readonly TextRow[]) => sparqlAttacks('update', UPDATE_WAYS, rows);

export function importOf(document: string | Uint8Array, contentType: string): HostileRequest {
  return json('POST', '/worlds/w/import', { data: Buffer.from(document).toString('base64'), contentType });
}

export function graphOf(document: string | Uint8Array, contentType: string, method = 'PUT'): HostileRequest {
  return { method, path: '/worlds/w/graphs?default', headers: { 'content-type': contentType }, body: document };
}
