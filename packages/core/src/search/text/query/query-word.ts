/** An index term that a query word matches. */
export interface QueryTerm {
  readonly term: number;
  /** Multiplier of its saturation in a document: occurrences in the query × idf × weight. */
  readonly factor: number;
}

/**
 * A query word with the terms that it matches: its stem in each language of the index. It adds the
 * contribution of its best term to a document's score. Completions and corrections of the word form
 * a query word of their own.
 */
export interface QueryWord {
  /** The query word, folded. */
  readonly text: string;
  readonly terms: readonly QueryTerm[];
}
