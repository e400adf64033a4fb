/** A document's number inside one index: a triple with a literal object in one world. */
export type DocId = number;

/**
 * Which documents a search may return: a filter that an index applies inside its scan, never after
 * its top-k. `ranges` holds pairs
 * [start, end) ascending; `sorted` holds ids ascending; `bitset` holds bit `doc & 31` of word
 * `doc >>> 5`.
 */
export type DocSet =
  | { readonly kind: 'ranges'; readonly ranges: Uint32Array; readonly size: number }
  | { readonly kind: 'sorted'; readonly ids: Uint32Array; readonly size: number }
  | { readonly kind: 'bitset'; readonly words: Uint32Array; readonly size: number };
