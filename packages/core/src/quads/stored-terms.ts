import type { StoredBlock } from './packed-texts.ts';
import type { HashKey } from './term-hash.ts';

/** The `fastHash` of each text under a key. */
export interface StoredHashes {
  readonly key: HashKey;
  readonly values: Uint32Array;
}

/** Terms read back from storage, in memory that nothing else references. */
export interface StoredTerms {
  readonly metas: Uint32Array;
  /** In the format of the arena, or compressed. */
  readonly texts: Uint8Array | readonly StoredBlock[];
  /** The hashes of compressed texts. */
  readonly hashes?: StoredHashes;
  /**
   * Their numbers as pairs of a first number and a count, ascending, as in `LivingTerms`; by
   * default the numbers that follow the table's `size`.
   */
  readonly ranges?: Uint32Array;
}
