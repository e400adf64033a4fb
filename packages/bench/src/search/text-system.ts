import type { QuerySet } from './text-queries.ts';

/** How one query is meant. */
export type TextQueryKind = Pick<QuerySet, 'prefix' | 'fuzzy'>;

/** A full-text index that is measured. */
export interface TextSystem {
  readonly name: string;
  /** Adds texts under the numbers from `first` on, in the way that is fastest for it. */
  add(texts: readonly string[], docs: ArrayLike<number>): void;
  remove(texts: readonly string[], docs: ArrayLike<number>): void;
  /** How to ask for the best ten; undefined for a kind that it cannot. */
  asker(kind: TextQueryKind): ((query: string) => unknown) | undefined;
  /** In how many documents a word is, as it stands. */
  count(word: string): Promise<number>;
  /** Undefined when it does not know. */
  bytes(): number | undefined;
  close(): void;
}

export interface TextSystemKind {
  readonly name: string;
  /** `exact`: words as they stand, where the product stems by default. */
  open(options?: { readonly exact?: boolean }): Promise<TextSystem>;
}

export const HITS = 10;
