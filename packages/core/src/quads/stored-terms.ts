/** Terms read back from storage, in memory that nothing else references. */
export interface StoredTerms {
  readonly metas: Uint32Array;
  readonly texts: Uint8Array;
  /**
   * Their numbers as pairs of a first number and a count, ascending, as in `LivingTerms`; by
   * default the numbers that follow the table's `size`.
   */
  readonly ranges?: Uint32Array;
}
