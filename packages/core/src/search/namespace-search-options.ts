import type { Embedder, TrainableEmbedder } from '../storage/embedder.ts';
import type { TextIndexFactory } from '../storage/text-index.ts';
import type { VectorIndexFactory } from '../storage/vector-index.ts';
import type { FieldOptions } from './fields/field-weights.ts';
import type { KeptVectors } from './kept-vectors.ts';
import type { EmbeddingOutcomes, OnEmbedderFailure } from './literal-vectors.ts';
import type { FeedbackOptions, Fusion } from './ranking-options.ts';

/** The part of a pino-compatible logger that search uses. */
export interface SearchLogger {
  debug(details: object, message: string): void;
  warn(details: object, message: string): void;
}

export interface NamespaceSearchOptions {
  readonly textIndex: TextIndexFactory | null;
  /** The core's own by default. */
  readonly vectorIndex?: VectorIndexFactory;
  readonly embedder: Embedder | TrainableEmbedder | null;
  /**
   * What a search does while the embedder is not to be had: go on by text alone (the default, where
   * there is a text index), or fail.
   */
  readonly onEmbedderFailure?: OnEmbedderFailure;
  /**
   * How long the embedding of a query may take, 30,000 by default; a batch of documents may take
   * ten times as long.
   */
  readonly embedderTimeoutMs?: number;
  /**
   * How the two rankings are joined, where a search does not say; reciprocal rank fusion by
   * default.
   */
  readonly fusion?: Fusion;
  /**
   * Whether names around texts are indexed, and what they count for where a search does not say;
   * not by default.
   */
  readonly fields?: FieldOptions;
  /** Whether searches use feedback, where they do not say; not by default. */
  readonly feedback?: boolean | FeedbackOptions;
  /** Of an embedder that need not learn: what it made earlier. */
  readonly keptVectors?: KeptVectors;
  readonly logger?: SearchLogger;
  readonly onEmbedding?: EmbeddingOutcomes;
}
