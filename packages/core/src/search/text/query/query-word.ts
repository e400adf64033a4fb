/** A term that a word of the query stands for. */
export interface QueryTerm {
  readonly term: number;
  /**
   * What its saturation in a document is multiplied with: how often the query has the word, its
   * idf, its weight.
   */
  readonly factor: number;
}

/**
 * A word of the query with the terms that it stands for: its stem in each language of the index. To
 * the score of a document it adds what the best of these terms adds. What an unfinished or misspelt
 * word may mean besides is a word of its own.
 */
export interface QueryWord {
  /** As the query has it, folded. */
  readonly text: string;
  readonly terms: readonly QueryTerm[];
}
