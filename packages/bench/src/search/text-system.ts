import type { QuerySet } from './text-queries.ts';

/** The interpretation of a query's words. */
export type TextQueryKind = Pick<QuerySet, 'prefix' | 'fuzzy'>;

/** A full-text index to be measured. */
export interface TextSystem {
  readonly name: string;
  /** Adds texts under the given document numbers, in the index's fastest way. */
  add(texts: readonly string[], docs: ArrayLike<number>): void;
  remove(texts: readonly string[], docs: ArrayLike<number>): void;
  /** Returns a function that queries the best ten; undefined if the kind is not supported. */
  asker(kind: TextQueryKind): ((query: string) => unknown) | undefined;
  /** Returns the number of documents that contain a word exactly. */
  count(word: string): Promise<number>;
  /** Undefined if it is unknown. */
  bytes(): number | undefined;
  close(): void;
}

export interface TextSystemKind {
  readonly name: string;
  /** `exact`: without stemming, if the product stems by default. */
  open(options?: { readonly exact?: boolean }): Promise<TextSystem>;
}

export const HITS = 10;
