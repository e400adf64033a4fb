import { fieldsOf, requireKnownFields } from '../model/known-fields.ts';
import type { MemoryPool } from '../model/memory-pool.ts';
import type { RequestLimits } from '../model/request-limits.ts';
import { WorldsError } from '../model/worlds-error.ts';
import type { FieldOptions } from '../search/fields/field-weights.ts';
import type { OnEmbedderFailure } from '../search/literal-vectors.ts';
import type { FeedbackOptions, Fusion } from '../search/ranking-options.ts';
import type { Embedder, TrainableEmbedder } from '../storage/embedder.ts';
import type { SparqlEngine } from '../storage/sparql-engine.ts';
import type { Storage } from '../storage/storage.ts';
import type { TextIndexFactory } from '../storage/text-index.ts';
import type { VectorIndexFactory } from '../storage/vector-index.ts';
import type { OnBackgroundError } from './background-failures.ts';
import type { Logger } from './logger.ts';
import type { QuotaPolicy, QuotaTable } from './quotas.ts';

export const ENGINE_OPTIONS = fieldsOf<WorldsEngineOptions>({
  storage: true,
  checkpointLogBytes: true,
  compaction: true,
  maxMemoryBytes: true,
  memoryPool: true,
  limits: true,
  quotas: true,
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

/** Throws INVALID_ARGUMENT for an option that does not exist. */
export function requireKnownOptions(options: WorldsEngineOptions): void {
  if ('path' in options) {
    throw new WorldsError(
      'INVALID_ARGUMENT',
      'options: there is no field "path"; to keep worlds in a directory, pass storage: fileStorage({ path }) of @rdf-worlds/storage-file.',
    );
  }
  requireKnownFields(options, ENGINE_OPTIONS, 'options');
}

export interface WorldsEngineOptions {
  /**
   * Keeps every acknowledged commit, such as `fileStorage({ path })` of `@rdf-worlds/storage-file`;
   * the engine opens and closes it. Without it everything is in memory, and gone with the engine.
   */
  readonly storage?: Storage | undefined;
  /**
   * With storage: a checkpoint is made in the background when the log of a namespace has grown by
   * so many bytes, each commit counting 2 KiB more; 32 MiB when not given.
   */
  readonly checkpointLogBytes?: number | undefined;
  /**
   * `automatic`, when not given: what is gone gives its memory back in the background once it is a
   * good part of what there is. `manual`: when `compact` is called, and never else.
   */
  readonly compaction?: 'automatic' | 'manual' | undefined;
  /**
   * Limit in bytes for columns, dictionaries, indexes for search and everything else that
   * namespaces and unfinished imports hold. With storage, namespaces that nobody uses leave memory
   * above it, least recently named first, and are read again when they are named; a quarter stays
   * free, for what the collector has not freed yet. To open, to write to or to search one that
   * would be larger alone is LIMIT_EXCEEDED. Without storage nothing can leave, and what would make
   * all namespaces together larger is LIMIT_EXCEEDED. When not given: half of the memory of the
   * machine or of the process's cgroup, and a third of the limit of the JavaScript heap for the
   * objects among it. `Infinity` for no limit.
   */
  readonly maxMemoryBytes?: number | undefined;
  /**
   * The memory that requests take together while they run, over and above `maxMemoryBytes`; imports
   * may hold half of it together, and wait for each other beyond that. When not given, all engines
   * of the process share one of a quarter of the memory of the machine or of the process's cgroup,
   * and at most half of the limit of the JavaScript heap. One request may take half of it, or what
   * its own `maxMemoryBytes` says.
   */
  readonly memoryPool?: MemoryPool | undefined;
  /**
   * What one query, update or document may contain, by the names of `DEFAULT_REQUEST_LIMITS`;
   * `Infinity` for no limit. An unknown name is INVALID_ARGUMENT.
   */
  readonly limits?: Partial<RequestLimits> | undefined;
  /**
   * How much namespaces and worlds may hold, as a table or as a function of the host. A commit that
   * would exceed a quota is QUOTA_EXCEEDED and changes nothing; deleting is always allowed. Without
   * it nothing is counted. An unknown field is INVALID_ARGUMENT.
   */
  readonly quotas?: QuotaTable | QuotaPolicy | undefined;
  /**
   * With storage: how old the commits may be that `changes` can begin with, in milliseconds; 7 days
   * when not given.
   */
  readonly retainChangesMs?: number | undefined;
  /**
   * With storage: how much of the log is kept for `changes` beyond what is needed anyway; 16 MiB a
   * namespace when not given.
   */
  readonly retainChangesBytes?: number | undefined;
  /** Evaluates queries and updates: the library's own engine when not given. */
  readonly sparql?: SparqlEngine | undefined;
  /** Full text; the library's own (`bm25TextIndex()`) when not given, `null` for none. */
  readonly textIndex?: TextIndexFactory | null | undefined;
  /** The core's own when not given. Used only with an embedder. */
  readonly vectorIndex?: VectorIndexFactory | undefined;
  /**
   * Makes vectors of texts; without it a search is text only and `vecRank` is null. One that learns
   * has a model for each namespace.
   */
  readonly embedder?: Embedder | TrainableEmbedder | null | undefined;
  /**
   * What a search does while the embedder is not to be had: go on by text alone (`degrade`, the
   * default), or `fail`. Without a text index it fails.
   */
  readonly onEmbedderFailure?: OnEmbedderFailure | undefined;
  /**
   * How long the embedding of a query may take, in milliseconds, 30,000 by default; a batch of
   * documents may take ten times as long.
   */
  readonly embedderTimeoutMs?: number | undefined;
  /**
   * How the text and the vector ranking are joined where a search does not say: reciprocal rank
   * fusion when not given.
   */
  readonly fusion?: Fusion | undefined;
  /**
   * Also finds triples by the labels of their subjects and the local names of subjects and
   * predicates, so that `alice phone` finds `ex:alice foaf:phone "123"`: `true`, or what a word
   * counts for in each field. Off when not given: it costs an index of the names.
   */
  readonly fields?: FieldOptions | undefined;
  /**
   * Whether the best hits of a search tell what else to look for, where a search does not say; off
   * when not given.
   */
  readonly feedback?: boolean | FeedbackOptions | undefined;
  /** Where a world without a namespace lives, and what `_` stands for; `default` when not given. */
  readonly defaultNamespace?: string | undefined;
  /**
   * Loads remote JSON-LD contexts. Without it they are refused: the library makes no network
   * request of its own.
   */
  readonly documentLoader?:
    | ((url: string) => Promise<{ document: unknown; documentUrl?: string | undefined }>)
    | undefined;
  /** Milliseconds since the epoch; `Date.now` when not given. */
  readonly clock?: (() => number) | undefined;
  /** So many random bytes; from `crypto.getRandomValues` when not given. */
  readonly random?: ((length: number) => Uint8Array) | undefined;
  /**
   * Receives every failure of work that no caller waits for, such as a checkpoint;
   * `engine.health()` lists those that last. With neither this nor a `logger` the first failure of
   * each kind is a process warning.
   */
  readonly onBackgroundError?: OnBackgroundError | undefined;
  /** pino-compatible; silent when not given, except for the warnings of `onBackgroundError`. */
  readonly logger?: Logger | undefined;
}
