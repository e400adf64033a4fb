import type { Embedder, TrainableEmbedder } from '../contracts/embedder.ts';
import type { TextIndexFactory } from '../contracts/text-index.ts';
import type { VectorIndexFactory } from '../contracts/vector-index.ts';
import type { FieldOptions } from './fields/field-weights.ts';
import type { KeptVectors } from './kept-vectors.ts';
import type { EmbeddingOutcomes, OnEmbedderFailure } from './literal-vectors.ts';
import type { FeedbackOptions, Fusion } from './ranking-options.ts';

/** The subset of a pino-compatible logger that search uses. */
export interface SearchLogger {
  debug(details: object, message: string): void;
  warn(details: object, message: string): void;
}

export interface NamespaceSearchOptions {
  readonly textIndex: TextIndexFactory | null;
  /** Defaults to the core's own index. */
  readonly vectorIndex?: VectorIndexFactory;
  readonly embedder: Embedder | TrainableEmbedder | null;
  /**
   * What a search does while the embedder is unavailable: continue by text alone (the default if
   * there is a text index), or fail.
   */
  readonly onEmbedderFailure?: OnEmbedderFailure;
  /**
   * Timeout for embedding a query, 30,000 by default; a batch of documents may take ten times as
   * long.
   */
  readonly embedderTimeoutMs?: number;
  /** Default fusion of the two rankings; `adaptive` if omitted. */
  readonly fusion?: Fusion;
  /** Whether names around texts are indexed, and their default weights; off if omitted. */
  readonly fields?: FieldOptions;
  /** Whether searches use feedback by default; off if omitted. */
  readonly feedback?: boolean | FeedbackOptions;
  /** Vectors computed earlier by an embedder that needs no training. */
  readonly keptVectors?: KeptVectors;
  readonly logger?: SearchLogger;
  readonly onEmbedding?: EmbeddingOutcomes;
}
