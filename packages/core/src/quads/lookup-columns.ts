/** Pairs to be looked up by key. */
export interface LookupColumns {
  readonly keys: Uint32Array;
  readonly values: Uint32Array;
  readonly contexts: Uint32Array | undefined;
}
