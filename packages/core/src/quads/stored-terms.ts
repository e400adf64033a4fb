/** Terms as they are read again, in memory that nobody else has. */
export interface StoredTerms {
  readonly metas: Uint32Array;
  readonly texts: Uint8Array;
  /**
   * Pairs of a first number and how many follow it, ascending, as in `LivingTerms`; the numbers
   * that come next when not given.
   */
  readonly ranges?: Uint32Array;
}
