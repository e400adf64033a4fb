import type { Embedder, TrainableEmbedder } from '../contracts/embedder.ts';
import type { SparqlEngine } from '../contracts/sparql-engine.ts';
import type { Storage } from '../contracts/storage.ts';
import type { TextIndexFactory } from '../contracts/text-index.ts';
import type { VectorIndexFactory } from '../contracts/vector-index.ts';
import { fieldsOf, requireKnownFields } from '../model/known-fields.ts';
import type { MemoryPool } from '../model/memory-pool.ts';
import { requireOptions } from '../model/passed-value.ts';
import type { RequestLimits } from '../model/request-limits.ts';
import { WorldsError } from '../model/worlds-error.ts';
import type { FieldOptions } from '../search/fields/field-weights.ts';
import type { OnEmbedderFailure } from '../search/literal-vectors.ts';
import type { FeedbackOptions, Fusion } from '../search/ranking-options.ts';
import type { OnBackgroundError } from './background-failures.ts';
import type { HistoryOptions } from './history/history-options.ts';
import type { Logger } from './logger.ts';
import type { QuotaPolicy, QuotaTable } from './quotas.ts';

/**
 * Options of `WorldsEngine.open`. All are optional; undefined means the default. Unknown
 * options and invalid values throw INVALID_ARGUMENT when the engine is opened.
 */
export interface WorldsEngineOptions {
  /**
   * Durable storage for every acknowledged commit, such as `fileStorage({ path })` of
   * `@rdf-worlds/storage-file`. The engine opens and closes it. Without it, all data is in memory
   * and lost when the engine closes.
   */
  readonly storage?: Storage | undefined;
  /**
   * With storage: size of the log of a namespace, in bytes, at which a checkpoint is written in the
   * background. Smaller values shorten the replay of the log after a restart, larger ones write
   * less. Each commit counts 2 KiB in addition to its size, because replaying it has a fixed cost.
   * Default: 32 MiB.
   */
  readonly checkpointLogBytes?: number | undefined;
  /**
   * `automatic` (default): memory and disk space of deleted data is reclaimed in the background
   * once it is a substantial part of the total. `manual`: only when `compact` is called.
   */
  readonly compaction?: 'automatic' | 'manual' | undefined;
  /**
   * Memory limit in bytes for the data of namespaces and of unfinished imports: columns,
   * dictionaries, search indexes and so on. The memory of running requests is limited separately,
   * by `memoryPool`.
   *
   * With storage, idle namespaces are evicted in LRU order above three quarters of the limit (the
   * rest covers memory that is not yet garbage-collected) and reloaded when a request names them. A
   * request that would take a single namespace above the limit, by opening, writing or searching
   * it, throws LIMIT_EXCEEDED. Without storage nothing can be evicted; requests that would take all
   * namespaces together above the limit throw LIMIT_EXCEEDED.
   *
   * Default: half of the memory of the machine or of the process's cgroup. By default, the part on
   * the JavaScript heap may not exceed a third of V8's heap limit either. A value replaces both
   * defaults; `Infinity` disables the limit.
   */
  readonly maxMemoryBytes?: number | undefined;
  /**
   * Memory shared by all running requests, in addition to `maxMemoryBytes`. A request that finds
   * the pool exhausted throws OVERLOADED. All imports together may use half of it; further imports
   * wait. A single request may use half of it, or the `maxMemoryBytes` passed with the request;
   * beyond that it throws LIMIT_EXCEEDED.
   *
   * Default: a pool shared by all engines of the process, of a quarter of the memory of the machine
   * or of the process's cgroup, and at most half of the JavaScript heap limit.
   */
  readonly memoryPool?: MemoryPool | undefined;
  /**
   * Limits of a single query, update or document, by the names in `DEFAULT_REQUEST_LIMITS`.
   * `Infinity` disables a limit. An unknown name throws INVALID_ARGUMENT.
   */
  readonly limits?: Partial<RequestLimits> | undefined;
  /**
   * Quotas for namespaces and worlds, as a table or as a function. A commit that would exceed a
   * quota throws QUOTA_EXCEEDED and changes nothing; deletions are always allowed. Without quotas,
   * sizes are not counted. An unknown field throws INVALID_ARGUMENT.
   */
  readonly quotas?: QuotaTable | QuotaPolicy | undefined;
  /**
   * How much of the past is kept, so that it can be read with `at`: quads, graphs and records of
   * worlds as they were. Kept commits and the data that they deleted count as data of the namespace
   * for `maxMemoryBytes`. With storage, they are part of checkpoints and survive a restart.
   *
   * Default: a namespace that was stored with a history keeps it with the options that it had, and
   * others keep none. `null`: nothing is kept, and what was stored is forgotten.
   */
  readonly history?: HistoryOptions | null | undefined;
  /**
   * With storage: how long commits are kept for `changes`, in milliseconds. A change feed cannot
   * start from an older commit.
   * Default: 7 days.
   */
  readonly retainChangesMs?: number | undefined;
  /**
   * With storage: bytes of log per namespace that are kept for `changes` beyond what recovery
   * needs. Without storage: bytes of commits that a namespace whose changes are followed keeps in
   * memory. Default: 16 MiB.
   */
  readonly retainChangesBytes?: number | undefined;
  /** Evaluates queries and updates. Default: the built-in engine. */
  readonly sparql?: SparqlEngine | undefined;
  /** Full-text index. Default: the built-in `bm25TextIndex()`. `null` disables full-text search. */
  readonly textIndex?: TextIndexFactory | null | undefined;
  /** Vector index; used only with an embedder. Default: the built-in index. */
  readonly vectorIndex?: VectorIndexFactory | undefined;
  /**
   * Computes vectors of texts. Without an embedder, search is full-text only and `vecRank` is null.
   * A trainable embedder learns one model per namespace from its texts.
   */
  readonly embedder?: Embedder | TrainableEmbedder | null | undefined;
  /**
   * What a search does if the embedder fails: use full text only (`degrade`, the default) or throw
   * (`fail`). Without a text index it always throws.
   */
  readonly onEmbedderFailure?: OnEmbedderFailure | undefined;
  /**
   * Timeout in milliseconds for embedding a query; a batch of documents gets ten times as long.
   * Default: 30,000.
   */
  readonly embedderTimeoutMs?: number | undefined;
  /**
   * How text ranks and vector ranks are combined, unless a search overrides it. Default:
   * `adaptive`.
   */
  readonly fusion?: Fusion | undefined;
  /**
   * Also matches triples by the labels of their subjects and the local names of subjects and
   * predicates, so that `alice phone` finds `ex:alice foaf:phone "123"`. `true`, or a weight for
   * each field. Default: off, because it requires an index of the names.
   */
  readonly fields?: FieldOptions | undefined;
  /**
   * Whether queries are expanded with terms from the best hits (pseudo-relevance feedback), unless
   * a search overrides it. Default: off.
   */
  readonly feedback?: boolean | FeedbackOptions | undefined;
  /**
   * Namespace of worlds that a request names by their slug alone, and the one that `_` denotes.
   * Default: `default`.
   */
  readonly defaultNamespace?: string | undefined;
  /**
   * Loads remote JSON-LD contexts. Returns the document, as text or as parsed JSON, and its URL
   * after redirects. Without it they are rejected: the library makes no network requests of its
   * own. `remoteContexts` fetches them from allowed addresses.
   */
  readonly documentLoader?:
    | ((url: string) => Promise<{ document: unknown; documentUrl?: string | undefined }>)
    | undefined;
  /** Clock for timestamps, in milliseconds since the epoch. Default: `Date.now`. */
  readonly clock?: (() => number) | undefined;
  /**
   * Source of randomness for ids and blank-node scopes: returns `length` random bytes. Default:
   * `crypto.getRandomValues`.
   */
  readonly random?: ((length: number) => Uint8Array) | undefined;
  /**
   * Receives every failure of background work, such as a checkpoint. `engine.health()` lists the
   * failures that persist. If neither this nor `logger` is set, the first failure of each kind is
   * emitted as a process warning.
   */
  readonly onBackgroundError?: OnBackgroundError | undefined;
  /**
   * pino-compatible logger. Default: silent, except for the warnings described at
   * `onBackgroundError`.
   */
  readonly logger?: Logger | undefined;
}

/** The names of all options. The compiler rejects a missing or an unknown name. */
export const ENGINE_OPTIONS = fieldsOf<WorldsEngineOptions>({
  storage: true,
  checkpointLogBytes: true,
  compaction: true,
  maxMemoryBytes: true,
  memoryPool: true,
  limits: true,
  quotas: true,
  history: true,
  retainChangesMs: true,
  retainChangesBytes: true,
  sparql: true,
  textIndex: true,
  vectorIndex: true,
  embedder: true,
  onEmbedderFailure: true,
  embedderTimeoutMs: true,
  fusion: true,
  fields: true,
  feedback: true,
  defaultNamespace: true,
  documentLoader: true,
  clock: true,
  random: true,
  onBackgroundError: true,
  logger: true,
});

/**
 * Throws INVALID_ARGUMENT for an unknown option. `path` gets a message of its own, because callers
 * expect it for a directory.
 */
export function requireKnownOptions(options: WorldsEngineOptions): void {
  requireOptions(
    options,
    'WorldsEngine.open',
    "WorldsEngine.open({ storage: fileStorage({ path: './data' }) }), or WorldsEngine.open() for worlds in memory",
  );
  if ('path' in options) {
    throw new WorldsError(
      'INVALID_ARGUMENT',
      'options: there is no field "path"; to keep worlds in a directory, pass storage: fileStorage({ path }) from @rdf-worlds/storage-file.',
    );
  }
  requireKnownFields(options, ENGINE_OPTIONS, 'options');
}
