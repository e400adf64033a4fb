/** Stable codes of all errors that a caller can meet. To add one, add a row. */
export const ERROR_CODES = {
  INVALID_ARGUMENT: 'an argument is missing, malformed or contradicts another',
  INVALID_RDF: 'a document or term is not well-formed RDF',
  INVALID_SPARQL: 'a query or update is not well-formed SPARQL',
  NOT_FOUND: 'a world, namespace or graph does not exist',
  ALREADY_EXISTS: 'a world with this name already exists',
  UNAUTHENTICATED: 'the caller is unknown',
  PERMISSION_DENIED: 'the caller may not do this',
  CONFLICT: 'the world changed since the revision that the caller expected',
  UNSUPPORTED: 'a format, feature or plug-in is not available here',
  LIMIT_EXCEEDED: 'a limit on size, rows or memory was exceeded',
  QUOTA_EXCEEDED: 'a world or namespace would exceed its quota',
  OVERLOADED: 'the process is overloaded; the same request may succeed later',
  UNAVAILABLE: 'the server cannot be reached, or its response was cut off',
  TIMEOUT: 'the deadline has passed',
  ABORTED: 'the caller cancelled the work',
  IN_DOUBT: 'the storage failed during a write, so it is unknown whether the commit is durable',
  TRUNCATED: 'the log or the history no longer reaches back far enough',
  CORRUPT: 'stored data is damaged',
  INTERNAL: 'a defect of the library',
} as const;

/** A stable error code; a key of {@link ERROR_CODES}, which describes them. */
export type WorldsErrorCode = keyof typeof ERROR_CODES;

/**
 * Position in a text; line and column start at 1. Columns count UTF-16 units in strings and bytes
 * in byte documents.
 */
export interface TextLocation {
  readonly line: number;
  readonly column: number;
}

/** The quota that a change would have exceeded. */
export interface ExceededQuota {
  readonly quota: 'quads' | 'bytes' | 'worlds' | 'diskBytes';
  /** In the unit of the quota: a count, or bytes. So are `used` and `added`. */
  readonly limit: number;
  /** Used before the change, including commits in flight. */
  readonly used: number;
  /**
   * Amount that the change would have added; for an import that ended early, the amount added so
   * far.
   */
  readonly added: number;
  readonly namespace: string;
  /** Absent for a quota of the namespace. */
  readonly world?: string;
}

/** Optional fields of a {@link WorldsError}. */
export interface WorldsErrorOptions {
  /** The underlying error, as of `Error`. */
  readonly cause?: unknown;
  /** Appended to the message as line and column. */
  readonly location?: TextLocation | undefined;
  /** For IN_DOUBT: the token of the commit, for `engine.commitStatus`. */
  readonly commit?: string | undefined;
  /**
   * For TRUNCATED from the change feed: the namespace's revision, from which a reader can restart.
   * For TRUNCATED from a read with `at`: the oldest revision that can be read.
   */
  readonly revision?: number | undefined;
  /**
   * For TRUNCATED: the oldest revision that is kept. From the change feed, the smallest `after`
   * that it accepts, for readers of everything that is still known, such as a history; absent if
   * the namespace was deleted. From a read with `at`, the same as `revision`.
   */
  readonly oldestRevision?: number | undefined;
  /** For QUOTA_EXCEEDED. */
  readonly exceeded?: ExceededQuota | undefined;
}

const ordinaryHasInstance = Function.prototype[Symbol.hasInstance];
/** On the prototype; a registered symbol, hence the same in all realms and copies. */
const BRAND = Symbol.for('rdf-worlds.WorldsError');

/**
 * The error class for callers: a stable `code`, a message that says what is wrong, where, and what
 * to do, and a `location` where applicable.
 */
export class WorldsError extends Error {
  /**
   * Returns whether a value is a WorldsError of this or any other copy of the library: test
   * runners, bundlers and `node:vm` load packages more than once, and each copy has its own class.
   */
  static override [Symbol.hasInstance](value: unknown): value is WorldsError {
    // biome-ignore lint/complexity/noThisInStatic: subclasses inherit this, and are told apart by their prototypes, as usual
    if (this !== WorldsError) return ordinaryHasInstance.call(this, value);
    return typeof value === 'object' && value !== null && BRAND in value;
  }

  override readonly name = 'WorldsError';
  /** What kind of error it is. Branch on this, not on the message. */
  readonly code: WorldsErrorCode;
  /** Where a text or document is wrong; absent if there is no such place. */
  readonly location?: TextLocation;
  /** For IN_DOUBT: the token of the commit, for `engine.commitStatus`. */
  readonly commit?: string;
  /**
   * For TRUNCATED from the change feed: the namespace's revision, from which a reader can restart.
   * For TRUNCATED from a read with `at`: the oldest revision that can be read.
   */
  readonly revision?: number;
  /**
   * For TRUNCATED: the oldest revision that is kept. From the change feed, the smallest `after`
   * that it accepts, for readers of everything that is still known, such as a history; absent if
   * the namespace was deleted. From a read with `at`, the same as `revision`.
   */
  readonly oldestRevision?: number;
  /** For QUOTA_EXCEEDED: the quota, its limit and its usage. */
  readonly exceeded?: ExceededQuota;

  constructor(code: WorldsErrorCode, message: string, options: WorldsErrorOptions = {}) {
    const { cause, location, commit, revision, oldestRevision, exceeded } = options;
    super(location ? `${message} (line ${location.line}, column ${location.column})` : message, { cause });
    this.code = code;
    if (location) this.location = location;
    if (commit !== undefined) this.commit = commit;
    if (revision !== undefined) this.revision = revision;
    if (oldestRevision !== undefined) this.oldestRevision = oldestRevision;
    if (exceeded) this.exceeded = exceeded;
  }
}

Object.defineProperty(WorldsError.prototype, BRAND, { value: true });

/**
 * Returns whether the reason of a signal is its deadline. Compares names, because a DOMException of
 * another realm has another class.
 */
function isTimeout(reason: unknown): boolean {
  return (reason as Partial<Error> | undefined)?.name === 'TimeoutError';
}

/**
 * Throws if `signal` has fired: the reason itself if it is a WorldsError, TIMEOUT for a deadline,
 * otherwise ABORTED with the reason as its cause.
 */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (!signal?.aborted) return;
  const { reason } = signal;
  if (reason instanceof WorldsError) throw reason;
  if (isTimeout(reason))
    throw new WorldsError('TIMEOUT', 'The deadline of the given signal passed.', { cause: reason });
  throw new WorldsError('ABORTED', 'The operation was aborted by its signal.', { cause: reason });
}
