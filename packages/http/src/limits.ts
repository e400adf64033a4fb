import type { WorldsErrorCode } from '@rdf-worlds/core';

/**
 * One limit. Options, flags of `serve` and the OpenAPI document are derived from the table, so
 * adding a limit is adding a row.
 */
export interface LimitRow {
  /** Value unless the options override it. */
  readonly default: number;
  /**
   * What it bounds, for the help of `serve`. The suffix of the name gives the unit: bytes,
   * milliseconds or a count.
   */
  readonly bounds: string;
  /** Error code of a request that exceeds it. */
  readonly code: Extract<WorldsErrorCode, 'LIMIT_EXCEEDED' | 'OVERLOADED' | 'TIMEOUT'>;
  /**
   * The status of a request that exceeds it; null if the request waits instead, or the connection
   * is closed without an answer.
   */
  readonly status: 400 | 408 | 413 | 429 | 431 | 503 | null;
  /** Who enforces it: the handler, or only the server made by `createLimitedServer`. */
  readonly scope: 'request' | 'connection';
}

const MIB = 1 << 20;

/** All limits on the cost of requests and connections. */
export const LIMITS = {
  maxBodyBytes: {
    default: MIB,
    bounds: 'bytes of a request body',
    code: 'LIMIT_EXCEEDED',
    status: 413,
    scope: 'request',
  },
  maxImportBytes: {
    default: 1024 * MIB,
    bounds: 'bytes of the body of an import or a graph document, as sent',
    code: 'LIMIT_EXCEEDED',
    status: 413,
    scope: 'request',
  },
  maxHeldImportBytes: {
    default: 64 * MIB,
    bounds: 'bytes of such a body that is held in memory: JSON, JSON-LD and multipart; the others are streamed',
    code: 'LIMIT_EXCEEDED',
    status: 413,
    scope: 'request',
  },
  maxJsonValues: {
    default: 100_000,
    bounds: 'values in a JSON body: members, elements, objects and arrays',
    code: 'LIMIT_EXCEEDED',
    status: 413,
    scope: 'request',
  },
  // A large object is a hash table, which costs ten times as much as an array to make and to check.
  maxJsonMembers: {
    default: 10_000,
    bounds: 'members of one object in a JSON body',
    code: 'LIMIT_EXCEEDED',
    status: 413,
    scope: 'request',
  },
  // Validation and writers of JSON recurse level by level.
  maxJsonDepth: {
    default: 1_000,
    bounds: 'objects and arrays inside one another in a JSON body',
    code: 'LIMIT_EXCEEDED',
    status: 400,
    scope: 'request',
  },
  // Each name is validated twice, here and by the engine. A query over a collection is not limited:
  // it covers every world of the namespace.
  maxSources: {
    default: 10_000,
    bounds: 'worlds that a query or search names in sources',
    code: 'LIMIT_EXCEEDED',
    status: 413,
    scope: 'request',
  },
  maxParts: {
    default: 1_000,
    bounds: 'parts of a multipart body',
    code: 'LIMIT_EXCEEDED',
    status: 413,
    scope: 'request',
  },
  maxHeldBodyBytes: {
    default: 256 * MIB,
    bounds: 'bytes of request bodies held in memory at the same time; a single caller may use half',
    code: 'LIMIT_EXCEEDED',
    status: 503,
    scope: 'request',
  },
  maxUploads: {
    default: 64,
    bounds: 'streamed bodies received at the same time, plus one for each caller above that; the others wait',
    code: 'OVERLOADED',
    status: null,
    scope: 'request',
  },
  maxUploadsPerCaller: {
    default: 8,
    bounds: 'streamed bodies of one caller received at the same time, at least one; the others wait',
    code: 'OVERLOADED',
    status: null,
    scope: 'request',
  },
  // An import holds memory while it waits for its client.
  uploadPatienceMs: {
    default: 5_000,
    bounds: 'milliseconds that a streamed body may keep its import waiting while other imports need memory',
    code: 'OVERLOADED',
    status: 503,
    scope: 'request',
  },
  bodyIdleMs: {
    default: 30_000,
    bounds: 'milliseconds without receiving a byte of an incomplete body',
    code: 'TIMEOUT',
    status: 408,
    scope: 'request',
  },
  bodyMs: {
    default: 300_000,
    bounds: 'milliseconds to receive a whole body; time in which an import works on it does not count',
    code: 'TIMEOUT',
    status: 408,
    scope: 'request',
  },
  timeoutMs: {
    default: 30_000,
    bounds: 'milliseconds for a request, to the end of the response; waiting for its body does not count',
    code: 'TIMEOUT',
    status: 503,
    scope: 'request',
  },
  backupMs: {
    default: 3_600_000,
    bounds: 'milliseconds for a backup over HTTP, to the end of the response',
    code: 'TIMEOUT',
    status: 503,
    scope: 'request',
  },
  maxConcurrentRequests: {
    default: 256,
    bounds: 'requests processed at the same time, plus one for each caller above that; the others wait',
    code: 'OVERLOADED',
    status: null,
    scope: 'request',
  },
  maxConcurrentRequestsPerCaller: {
    default: 64,
    bounds: 'requests of one caller processed at the same time, at least one; the others wait',
    code: 'OVERLOADED',
    status: null,
    scope: 'request',
  },
  maxQueuedRequests: {
    default: 1_024,
    bounds: 'requests waiting to be processed',
    code: 'OVERLOADED',
    status: 503,
    scope: 'request',
  },
  maxQueuedRequestsPerCaller: {
    default: 256,
    bounds: 'requests of one caller waiting to be processed',
    code: 'OVERLOADED',
    status: 429,
    scope: 'request',
  },
  maxFeeds: {
    default: 500,
    bounds: 'change feeds open at the same time',
    code: 'OVERLOADED',
    status: 503,
    scope: 'request',
  },
  maxFeedsPerCaller: {
    default: 32,
    bounds: 'change feeds of one caller open at the same time',
    code: 'OVERLOADED',
    status: 429,
    scope: 'request',
  },
  feedHeartbeatMs: {
    default: 15_000,
    bounds: 'milliseconds between the heartbeats of a change feed, each of which checks the token again',
    code: 'TIMEOUT',
    status: null,
    scope: 'request',
  },
  feedIdleMs: {
    default: 60_000,
    bounds: 'milliseconds that the reader of a change feed may read nothing',
    code: 'TIMEOUT',
    status: null,
    scope: 'request',
  },
  maxRows: {
    default: 1_000_000,
    bounds: 'rows or triples in the result of a query',
    code: 'LIMIT_EXCEEDED',
    status: 400,
    scope: 'request',
  },
  maxMemoryBytes: {
    default: 512 * MIB,
    bounds: 'bytes of memory that one query may use',
    code: 'LIMIT_EXCEEDED',
    status: 400,
    scope: 'request',
  },
  maxPipelinedRequests: {
    default: 32,
    bounds: 'pipelined requests waiting on one connection',
    code: 'LIMIT_EXCEEDED',
    status: null,
    scope: 'request',
  },
  maxConnections: {
    default: 1_000,
    bounds: 'open connections; a new connection closes the one that has been idle longest',
    code: 'LIMIT_EXCEEDED',
    status: null,
    scope: 'connection',
  },
  maxRequestsPerSocket: {
    default: 10_000,
    bounds: 'requests on one connection before it is closed',
    code: 'LIMIT_EXCEEDED',
    status: 503,
    scope: 'connection',
  },
  maxHeaderBytes: {
    default: 16_384,
    bounds: 'bytes of the headers of a request',
    code: 'LIMIT_EXCEEDED',
    status: 431,
    scope: 'connection',
  },
  headersTimeoutMs: {
    default: 10_000,
    bounds: 'milliseconds to receive the headers of a request, and the first byte on a connection',
    code: 'TIMEOUT',
    status: 408,
    scope: 'connection',
  },
  keepAliveTimeoutMs: {
    default: 5_000,
    bounds: 'milliseconds that an idle connection stays open between requests',
    code: 'TIMEOUT',
    status: null,
    scope: 'connection',
  },
} as const satisfies Record<string, LimitRow>;

/** Name of a limit; a key of {@link LIMITS}. */
export type LimitName = keyof typeof LIMITS;

/** A value for each row of `LIMITS`: 0 or more; `Infinity` for no limit. */
export type Limits = Readonly<Record<LimitName, number>>;

/** The names of the limits, in table order. */
export const LIMIT_NAMES = Object.keys(LIMITS) as readonly LimitName[];

/** The default of each limit. */
export const DEFAULT_LIMITS: Limits = Object.fromEntries(
  LIMIT_NAMES.map((name) => [name, LIMITS[name].default]),
) as Record<LimitName, number>;
