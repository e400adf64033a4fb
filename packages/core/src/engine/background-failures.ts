import { isError } from '../model/any-realm.ts';
import { WorldsError } from '../model/worlds-error.ts';
import { type Logger, silentLogger } from './logger.ts';

interface ActivityRow {
  /** What a failure means for the caller; the text of log entries and warnings. */
  readonly message: string;
  /**
   * Whether the problem ends when the namespace leaves memory, because the work is pointless then.
   */
  readonly endsWithMemory: boolean;
  /** Search itself logs failures of embedders, with the name of the embedder. */
  readonly isLoggedBySearch?: boolean;
}

/** Work of the engine and its storage that no caller waits for. */
const ACTIVITIES = {
  opening: {
    message: 'A part of the storage is damaged; the rest is available. Run check() and restore a backup.',
    endsWithMemory: false,
  },
  checkpoint: {
    message: 'A checkpoint failed; acknowledged commits are safe in the log, and a later checkpoint tries again.',
    endsWithMemory: false,
  },
  compaction: {
    message: 'A compaction failed; the data is unharmed, and a later compaction tries again.',
    endsWithMemory: true,
  },
  merge: {
    message: 'A background merge failed; the data is unharmed, and a later merge tries again.',
    endsWithMemory: true,
  },
  loading: {
    message: 'A stored text index is damaged; it is built from the quads instead, and the next checkpoint replaces it.',
    endsWithMemory: true,
  },
  indexing: { message: 'Indexing failed; the next search tries again.', endsWithMemory: true },
  embedding: {
    message: 'Embedding failed and is retried; until it works, searches rank by full text only, where possible.',
    endsWithMemory: true,
    isLoggedBySearch: true,
  },
  following: {
    message: 'The commits of another engine could not be read; the next call on the namespace tries again.',
    endsWithMemory: true,
  },
  storage: { message: 'The storage failed in its own background work.', endsWithMemory: false },
} as const satisfies Record<string, ActivityRow>;

/** Background work that can fail; see {@link EngineHealth}. */
export type BackgroundActivity = keyof typeof ACTIVITIES;

/** Background work that keeps failing. */
export interface BackgroundProblem {
  /** Null if the failure belongs to the storage as a whole. */
  readonly namespace: string | null;
  readonly activity: BackgroundActivity;
  /** The most recent failure. */
  readonly error: Error;
  /** Time of the most recent failure, in milliseconds since the epoch. */
  readonly atMs: number;
  /** Failures since it last succeeded; at least 1. */
  readonly failures: number;
}

/** State of an engine's background work. */
export interface EngineHealth {
  /** `degraded` while there are problems. Acknowledged data is safe in either state. */
  readonly status: 'ok' | 'degraded';
  /** One entry for each namespace and activity that failed and has not succeeded since. */
  readonly problems: readonly BackgroundProblem[];
  /**
   * Paths of unknown files in the storage, found when it was opened; undefined if there are none.
   * They are ignored and do not count as a problem.
   */
  readonly strays?: readonly string[];
}

/** Receives every background failure. Errors that it throws are logged and otherwise ignored. */
export type OnBackgroundError = (
  error: Error,
  origin: { readonly namespace: string | null; readonly activity: BackgroundActivity },
) => void;

export interface BackgroundFailuresOptions {
  readonly onBackgroundError?: OnBackgroundError;
  readonly logger?: Logger;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** Maximum number of unknown files named in the warning. */
const MAX_TOLD = 20;
const STRAYS = 'The storage ignores files that it did not create; move them elsewhere.';

/**
 * Reports the failures of work that no caller waits for. Each is passed to `onBackgroundError` and
 * the logger. Without both, the first failure is emitted as a process warning, and the next only
 * after the activity has succeeded again. Problems stay listed until then.
 */
export class BackgroundFailures {
  readonly logger: Logger;
  private readonly options: BackgroundFailuresOptions;
  private readonly problems = new Map<string, BackgroundProblem>();
  private strays: readonly string[] | undefined;
  /** Number of failures so far, by activity. */
  readonly counts = Object.fromEntries(Object.keys(ACTIVITIES).map((activity) => [activity, 0])) as Record<
    BackgroundActivity,
    number
  >;

  constructor(options: BackgroundFailuresOptions) {
    this.options = options;
    this.logger = options.logger ?? silentLogger;
  }

  get health(): EngineHealth {
    const problems = [...this.problems.values()];
    const status = problems.length > 0 ? 'degraded' : 'ok';
    return this.strays ? { status, problems, strays: this.strays } : { status, problems };
  }

  /**
   * Records the unknown files in the storage and warns once, by the logger or else by a process
   * warning.
   */
  foundStrays(strays: readonly string[]): void {
    if (strays.length === 0) return;
    this.strays = strays;
    const { logger } = this.options;
    if (logger) logger.warn({ strays: strays.slice(0, MAX_TOLD) }, STRAYS);
    else warn(`rdf-worlds: ${STRAYS} (${strays.slice(0, MAX_TOLD).join(', ')})`);
  }

  /** Records a failure and reports it. Never throws. */
  failed(namespace: string | null, activity: BackgroundActivity, cause: unknown): void {
    const error = isError(cause) ? cause : new WorldsError('INTERNAL', String(cause), { cause });
    const key = keyOf(namespace, activity);
    const failures = (this.problems.get(key)?.failures ?? 0) + 1;
    this.problems.set(key, { namespace, activity, error, atMs: this.options.clock(), failures });
    this.counts[activity]++;
    const { message, isLoggedBySearch }: ActivityRow = ACTIVITIES[activity];
    const { onBackgroundError, logger } = this.options;
    if (!isLoggedBySearch) logger?.error({ err: error, namespace, activity }, message);
    if (onBackgroundError) this.tell(onBackgroundError, error, { namespace, activity });
    else if (!logger && failures === 1) warn(`${placeOf(namespace)}: ${message} (${error.message})`);
  }

  /** Removes the problem of an activity, if any. */
  succeeded(namespace: string | null, activity: BackgroundActivity): void {
    if (this.problems.size > 0) this.problems.delete(keyOf(namespace, activity));
  }

  /** Removes the problems that end when a namespace leaves memory. */
  unloaded(namespace: string): void {
    if (this.problems.size === 0) return;
    for (const [activity, { endsWithMemory }] of Object.entries(ACTIVITIES)) {
      if (endsWithMemory) this.succeeded(namespace, activity as BackgroundActivity);
    }
  }

  /** Removes all problems of a deleted namespace. */
  deleted(namespace: string): void {
    for (const activity of Object.keys(ACTIVITIES)) this.succeeded(namespace, activity as BackgroundActivity);
  }

  private tell(listener: OnBackgroundError, error: Error, origin: Parameters<OnBackgroundError>[1]): void {
    const listenerFailed = (cause: unknown) => {
      const message = 'onBackgroundError threw; the engine is not affected.';
      if (this.options.logger) this.logger.error({ err: cause, ...origin }, message);
      else warn(`${message} (${isError(cause) ? cause.message : String(cause)})`);
    };
    try {
      // The listener may be an async function, although its type does not say so.
      Promise.resolve(listener(error, origin)).catch(listenerFailed);
    } catch (cause) {
      listenerFailed(cause);
    }
  }
}

function keyOf(namespace: string | null, activity: BackgroundActivity): string {
  return namespace === null ? activity : `${activity} ${namespace}`;
}

function placeOf(namespace: string | null): string {
  return namespace === null ? 'rdf-worlds' : `rdf-worlds: namespace ${namespace}`;
}

/** Emits a process warning, or writes to the console in environments without `process`. */
function warn(message: string): void {
  if (typeof globalThis.process?.emitWarning === 'function') globalThis.process.emitWarning(message);
  else globalThis.console?.warn(message);
}
