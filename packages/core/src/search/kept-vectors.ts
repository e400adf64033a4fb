import type { TermId } from '../contracts/term-source.ts';

/** Persistent cache of literal vectors computed earlier, possibly by another process. */
export interface KeptVectors {
  /** Prepares the vectors of an embedder for lookup. */
  open(embedder: string, dimensions: number): Promise<void>;
  /** Returns a literal's vector by the opened embedder; each vector is returned once. */
  take(literal: TermId): Float32Array | undefined;
  /** Stores vectors computed by the opened embedder. */
  keep(literals: readonly TermId[], vectors: readonly Float32Array[]): void;
}
