import type { DocSet } from './doc-set.ts';

export interface VectorHit {
  /** The key of the vector: the term id of a literal. */
  readonly key: number;
  /** Cosine similarity, -1..1. */
  readonly similarity: number;
}

export interface VectorSearchOptions {
  readonly limit: number;
  /** Only these keys; undefined: all. */
  readonly filter?: DocSet;
  readonly signal?: AbortSignal;
}

/** Nearest vectors by cosine similarity, keyed by literal. Its contract is a test suite in `@rdf-worlds/testkit`. */
export interface VectorIndex {
  readonly size: number;
  readonly dimensions: number;
  /** What the vectors and everything made of them take, as nearly as the index can tell. */
  readonly memoryBytes: number;
  has(key: number): boolean;
  /** Adds or overwrites. Throws INVALID_ARGUMENT for a wrong length or a component that is not finite. A zero vector is similar to nothing (0). */
  set(key: number, vector: Float32Array): void;
  delete(key: number): boolean;
  /** The nearest keys, nearest first, ties by ascending key. */
  search(vector: Float32Array, options: VectorSearchOptions): Promise<VectorHit[]>;
}

export type VectorIndexFactory = (dimensions: number) => Promise<VectorIndex>;
