/**
 * Number of a document within one index; a document is a triple with a literal object in one world.
 */
export type DocId = number;

/**
 * Set of documents that a search may return: a filter that an index applies inside its scan, never
 * after its top-k. `ranges` holds ascending pairs [start, end); `sorted` holds ascending ids;
 * `bitset` holds document `doc` as bit `doc & 31` of word `doc >>> 5`.
 */
export type DocSet =
  | { readonly kind: 'ranges'; readonly ranges: Uint32Array; readonly size: number }
  | { readonly kind: 'sorted'; readonly ids: Uint32Array; readonly size: number }
  | { readonly kind: 'bitset'; readonly words: Uint32Array; readonly size: number };
