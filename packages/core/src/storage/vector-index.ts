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
  readonly filter?: DocSet | undefined;
  /**
   * True: the hits depend on the vectors that the filter allows and on no others, which only the
   * nearest of these do. An approximate index compares all of them then: where its structures lead,
   * and whether it uses them, would tell of the vectors that are filtered out.
   */
  readonly exact?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Nearest vectors by cosine similarity, keyed by literal. Its contract is a test suite in
 * `@rdf-worlds/testkit`.
 *
 * Searches run side by side, and vectors may come and go while one waits: it may then see them or
 * not, and gives no key twice.
 */
export interface VectorIndex {
  readonly size: number;
  readonly dimensions: number;
  /** Its own memory, in bytes, for an index that knows it. */
  readonly memoryBytes?: number | undefined;
  has(key: number): boolean;
  /**
   * Adds or overwrites. Throws INVALID_ARGUMENT for a wrong length or a component that is not
   * finite. A zero vector is similar to nothing (0).
   */
  set(key: number, vector: Float32Array): void;
  delete(key: number): boolean;
  /** The nearest keys, nearest first, ties by ascending key. */
  search(vector: Float32Array, options: VectorSearchOptions): Promise<VectorHit[]>;
}

export type VectorIndexFactory = (dimensions: number) => Promise<VectorIndex>;
