/** Bounds on what one call of a tool may cost and return. */
export interface MemoryLimits {
  /**
   * Estimated tokens of a result's text, and separately of its structured content; see
   * `estimateTokens`.
   */
  readonly maxResultTokens: number;
  /** Rows of a query, hits of a search, worlds of a list and facts of a history. */
  readonly maxRows: number;
  /** Characters of one literal in a result; the rest is cut, and said to be. */
  readonly maxTextLength: number;
  /** UTF-16 code units of a passage of a document, when it is stored and in a result. */
  readonly maxPassageLength: number;
  /** Facts that one call may write. */
  readonly maxFacts: number;
  /** UTF-16 code units of a document, a query or any other text in the arguments. */
  readonly maxInputLength: number;
  /** Milliseconds of a query or a search. */
  readonly timeoutMs: number;
  /** Bytes of memory of a query. */
  readonly maxMemoryBytes: number;
  /**
   * Names of a world that are indexed, to find misspelt ones: some 300 bytes each, in the memory of
   * the process, for the worlds that were used last.
   */
  readonly maxComparedNames: number;
}

/** The default of each limit. */
export const DEFAULT_MEMORY_LIMITS: MemoryLimits = {
  maxResultTokens: 4_000,
  maxRows: 100,
  maxTextLength: 400,
  maxPassageLength: 1_000,
  maxFacts: 500,
  maxInputLength: 1_000_000,
  timeoutMs: 10_000,
  maxMemoryBytes: 256 << 20,
  maxComparedNames: 200_000,
};
