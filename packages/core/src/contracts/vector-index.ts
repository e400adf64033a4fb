import type { DocSet } from './doc-set.ts';

/** A vector that a search found. */
export interface VectorHit {
  /** Key of the vector: the term id of a literal. */
  readonly key: number;
  /** Cosine similarity, -1..1. */
  readonly similarity: number;
}

/** Options of one search of a vector index. */
export interface VectorSearchOptions {
  /** Maximum number of hits, >= 1. */
  readonly limit: number;
  /** Only these keys; undefined: all. */
  readonly filter?: DocSet | undefined;
  /**
   * If true, the hits depend only on vectors that the filter allows, so they must be exactly the
   * nearest of these. An approximate index then compares all allowed vectors: its traversal, and
   * the decision to use it, would otherwise reveal filtered-out vectors.
   */
  readonly exact?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Vector index plug-in: nearest neighbours by cosine similarity, keyed by literal. The contract is
 * a test suite in `@rdf-worlds/testkit`.
 *
 * Searches run concurrently, and vectors may be added and removed while one is in flight: it may or
 * may not see them, and never returns a key twice.
 */
export interface VectorIndex {
  /** Number of vectors. */
  readonly size: number;
  /** Length of every vector. */
  readonly dimensions: number;
  /** Memory of the index in bytes, if known. */
  readonly memoryBytes?: number | undefined;
  /** Returns whether there is a vector with this key. */
  has(key: number): boolean;
  /**
   * Adds or overwrites a vector. Throws INVALID_ARGUMENT for a wrong length or a non-finite
   * component. A zero vector has similarity 0 to everything.
   */
  set(key: number, vector: Float32Array): void;
  /** Deletes a vector. Returns false if there was none. */
  delete(key: number): boolean;
  /** Returns the nearest keys, nearest first, ties by ascending key. */
  search(vector: Float32Array, options: VectorSearchOptions): Promise<VectorHit[]>;
}

/** Creates the vector index of one namespace, for vectors of this length. */
export type VectorIndexFactory = (dimensions: number) => Promise<VectorIndex>;
