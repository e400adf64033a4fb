import type { LoadInput } from '../load-input.ts';
import type { Outcome } from './answer.ts';
import type { RowChecksum } from './row-checksum.ts';

/** The form in which answers are consumed, for stores that offer both. */
export type Delivery = 'terms' | 'strings';

/** A store that answers queries, initially empty. */
export interface QueryStore {
  /** Brings the document into the form that the store loads. Not measured. */
  prepare?(input: LoadInput): Promise<void>;
  /** Loads a document. Resolves once background work has ended, too. */
  load(input: LoadInput): Promise<void>;
  /**
   * Runs a query and reads its whole answer: with `terms` the value of every term of every row,
   * with `strings` the single string that the store produces. Resolves to undefined if the store's
   * time limit is exceeded.
   */
  query(text: string, delivery: Delivery): Promise<Outcome | undefined>;
  /**
   * Runs a query and sums its normalised rows up; a store without it is compared by its answers.
   */
  checksum?(text: string): Promise<RowChecksum>;
  /** Returns the number of quads that the content of the store stands for. */
  countQuads(): Promise<number>;
  /** Removes garbage of earlier work that is not in this thread's heap. */
  clean?(): Promise<void>;
  /** Frees the store. */
  release(): Promise<void>;
}

/** A store that speaks SPARQL. */
export interface SparqlStore extends QueryStore {
  /** Runs updates sequentially. Resolves once background work has ended, too. */
  update(...texts: string[]): Promise<void>;
  /** Writes all quads as N-Quads. */
  dump(): Promise<Outcome>;
}

/** Returns a store as one that speaks SPARQL. Throws if it does not. */
export function sparqlStore(store: QueryStore): SparqlStore {
  if (!('update' in store && 'dump' in store)) throw new Error('The store does not speak SPARQL.');
  return store as SparqlStore;
}
