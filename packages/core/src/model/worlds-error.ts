/** The stable codes of everything that can go wrong for a caller; adding one is adding a row. */
export const ERROR_CODES = {
  INVALID_ARGUMENT: 'an argument is missing, malformed or contradicts another',
  INVALID_RDF: 'a document or term is not well-formed RDF',
  INVALID_SPARQL: 'a query or update is not well-formed SPARQL',
  NOT_FOUND: 'a world, namespace or graph does not exist',
  ALREADY_EXISTS: 'a world with this name exists',
  UNAUTHENTICATED: 'the caller is unknown',
  PERMISSION_DENIED: 'the caller may not do this',
  CONFLICT: 'the world changed since the revision that the caller expected',
  UNSUPPORTED: 'a format, feature or plug-in is not available here',
  LIMIT_EXCEEDED: 'a limit on size, rows or memory was reached',
  QUOTA_EXCEEDED: 'a world or namespace would hold more than it may',
  OVERLOADED: 'the process has too much to do at the moment; the same request may succeed later',
  TIMEOUT: 'the deadline passed',
  ABORTED: 'the caller gave the work up',
  IN_DOUBT: 'the storage failed while it wrote, and may or may not have kept the commit',
  TRUNCATED: 'the log no longer reaches back so far',
  CORRUPT: 'stored data is damaged',
  INTERNAL: 'a defect of the library',
} as const;

export type WorldsErrorCode = keyof typeof ERROR_CODES;

/**
 * A place in a text; both numbers start at 1. Columns count UTF-16 units in strings and bytes in
 * byte documents.
 */
export interface TextLocation {
  readonly line: number;
  readonly column: number;
}

/** Which quota a change would have exceeded. */
export interface ExceededQuota {
  readonly quota: 'quads' | 'bytes' | 'worlds' | 'diskBytes';
  readonly limit: number;
  /** Used before the change, commits on their way included. */
  readonly used: number;
  /** What the change would have added; of an import that ended early, what it had added so far. */
  readonly added: number;
  readonly namespace: string;
  /** Not given for a quota of the namespace. */
  readonly world?: string;
}

export interface WorldsErrorOptions {
  readonly cause?: unknown;
  readonly location?: TextLocation | undefined;
  /** Of IN_DOUBT: the token of the commit, for `engine.commitStatus`. */
  readonly commit?: string | undefined;
  /**
   * Of TRUNCATED, from the change feed: the namespace's revision, from which a reader can start
   * again.
   */
  readonly revision?: number | undefined;
  /** Of QUOTA_EXCEEDED. */
  readonly exceeded?: ExceededQuota | undefined;
}

const ordinaryHasInstance = Function.prototype[Symbol.hasInstance];
/** On the prototype, and the same symbol in all realms and copies. */
const BRAND = Symbol.for('rdf-worlds.WorldsError');

/**
 * The one error that callers meet: a stable `code`, a message that says what, where and what to do,
 * and where it applies a `location`.
 */
export class WorldsError extends Error {
  /**
   * Whether a value is a WorldsError of this copy of the library or of another: test runners,
   * bundlers and `node:vm` load packages more than once, and each copy has a class of its own.
   */
  static override [Symbol.hasInstance](value: unknown): value is WorldsError {
    // biome-ignore lint/complexity/noThisInStatic: subclasses inherit this, and are told apart by their prototypes, as usual
    if (this !== WorldsError) return ordinaryHasInstance.call(this, value);
    return typeof value === 'object' && value !== null && BRAND in value;
  }

  override readonly name = 'WorldsError';
  readonly code: WorldsErrorCode;
  readonly location?: TextLocation;
  /** Of IN_DOUBT: the token of the commit, for `engine.commitStatus`. */
  readonly commit?: string;
  /**
   * Of TRUNCATED, from the change feed: the namespace's revision, from which a reader can start
   * again.
   */
  readonly revision?: number;
  /** Of QUOTA_EXCEEDED: which quota, its limit and what is used of it. */
  readonly exceeded?: ExceededQuota;

  constructor(code: WorldsErrorCode, message: string, options: WorldsErrorOptions = {}) {
    const { cause, location, commit, revision, exceeded } = options;
    super(location ? `${message} (line ${location.line}, column ${location.column})` : message, { cause });
    this.code = code;
    if (location) this.location = location;
    if (commit !== undefined) this.commit = commit;
    if (revision !== undefined) this.revision = revision;
    if (exceeded) this.exceeded = exceeded;
  }
}

Object.defineProperty(WorldsError.prototype, BRAND, { value: true });

/**
 * Whether the reason of a signal is its deadline, by name: the DOMException of another realm is
 * another class.
 */
function isTimeout(reason: unknown): boolean {
  return (reason as Partial<Error> | undefined)?.name === 'TimeoutError';
}

/** Throws ABORTED, with the signal's reason as its cause, when `signal` has fired. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (!signal?.aborted) return;
  const { reason } = signal;
  if (reason instanceof WorldsError) throw reason;
  if (isTimeout(reason))
    throw new WorldsError('TIMEOUT', 'The deadline of the given signal passed.', { cause: reason });
  throw new WorldsError('ABORTED', 'The operation was aborted by its signal.', { cause: reason });
}
