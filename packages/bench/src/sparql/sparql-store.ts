import type { LoadInput } from '../load-input.ts';
import type { Outcome } from './answer.ts';

/** The form in which answers are consumed, for stores that offer both. */
export type Delivery = 'terms' | 'strings';

/** A store with SPARQL support, initially empty. */
export interface SparqlStore {
  /** Loads a document. Resolves once background work has ended, too. */
  load(input: LoadInput): Promise<void>;
  /**
   * Runs a query and reads its whole answer: with `terms` the value of every term of every row,
   * with `strings` the single string that the store produces. Resolves to undefined if the store's
   * time limit is exceeded.
   */
  query(text: string, delivery: Delivery): Promise<Outcome | undefined>;
  /** Runs updates sequentially. Resolves once background work has ended, too. */
  update(...texts: string[]): Promise<void>;
  /** Writes all quads as N-Quads. */
  dump(): Promise<Outcome>;
  countQuads(): Promise<number>;
  /** Removes garbage of earlier work that is not in this thread's heap. */
  clean?(): Promise<void>;
  /** Frees the store. */
  release(): Promise<void>;
}
