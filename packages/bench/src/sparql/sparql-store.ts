import type { LoadInput } from '../load-input.ts';
import type { Outcome } from './answer.ts';

/** In which shape an application takes the answers of a store that has both. */
export type Delivery = 'terms' | 'strings';

/** A store that speaks SPARQL; it begins empty. */
export interface SparqlStore {
  /** Resolves when nothing is left to do, in the background neither. */
  load(input: LoadInput): Promise<void>;
  /**
   * Asks, and reads all of the answer: with `terms` the value of every term of every row, with
   * `strings` the one string that the store made. Resolves to undefined when there was no answer in
   * the time that the store is given.
   */
  query(text: string, delivery: Delivery): Promise<Outcome | undefined>;
  /**
   * Runs updates one after the other, each when the one before has ended. Resolves when nothing is
   * pending, in the background neither.
   */
  update(...texts: string[]): Promise<void>;
  /** Writes all quads as N-Quads. */
  dump(): Promise<Outcome>;
  countQuads(): Promise<number>;
  /** Takes away what the work before left behind, where that is not in this thread's heap. */
  clean?(): Promise<void>;
  /** Frees it. */
  release(): Promise<void>;
}
