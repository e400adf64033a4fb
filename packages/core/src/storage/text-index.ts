import type { DocId, DocSet } from './doc-set.ts';

export interface TextHit {
  readonly doc: DocId;
  /** Higher is better; comparable only within one answer. */
  readonly score: number;
}

export interface TextSearchOptions {
  /** At most so many hits, >= 1. */
  readonly limit: number;
  /** Only these documents; undefined: all. */
  readonly filter?: DocSet;
  readonly signal?: AbortSignal;
}

/** Ranked full text over documents that the engine numbers. Its contract is a test suite in `@rdf-worlds/testkit`. */
export interface TextIndex {
  /** How many documents it holds. */
  readonly size: number;
  /** Adds a document under a number that is not in use. `language` is its tag, '' when it has none. */
  add(doc: DocId, text: string, language: string): void;
  /** Removes a document, given with the text that it was added with. */
  remove(doc: DocId, text: string, language: string): void;
  /** The best documents, best first, ties by ascending document number. A query without words gives none. */
  search(query: string, options: TextSearchOptions): Promise<TextHit[]>;
}

/** Makes the index of one namespace. Called at the first search; may load its library then. */
export type TextIndexFactory = () => Promise<TextIndex>;
