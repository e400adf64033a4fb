import type { TermId } from '../storage/term-source.ts';

/**
 * Vectors of literals that were made earlier, perhaps by another process, so that nobody makes them
 * again.
 */
export interface KeptVectors {
  /** Makes the vectors of an embedder ready to be found. */
  open(embedder: string, dimensions: number): Promise<void>;
  /** The vector of a literal by the embedder that was opened; it is given once. */
  take(literal: TermId): Float32Array | undefined;
  /** Keeps what the embedder that was opened has made. */
  keep(literals: readonly TermId[], vectors: readonly Float32Array[]): void;
}
