import { XSD_STRING } from '../model/vocabulary.ts';
import { DEFAULT_GRAPH } from '../storage/term-source.ts';
import { viewOf } from './byte-arena.ts';
import type { HashKey } from './term-hash.ts';
import { DEFAULT_GRAPH_META, IRI_META, type TermMeta } from './term-meta.ts';
import { TermTable } from './term-table.ts';

/** The datatype that most literals have keeps one id in every dictionary and overlay. */
export const XSD_STRING_ID = 2;

/** So many terms are in every dictionary from the beginning. */
export const FIXED_TERMS = 2;

let dictionaries = 0;

/**
 * The shared terms of one namespace: it only grows, and only by a commit, so a reader needs no
 * lock. Ids are numbers of its table, below {@link LOCAL_BIT}; they are never renumbered or reused
 * while the namespace lives.
 *
 * A compaction puts another dictionary in its place, which has the same ids for the terms that are
 * left. Whoever has begun to read goes on with this one, so that snapshot and dictionary always
 * fit.
 */
export class Dictionary {
  /** One that no other dictionary of this process has. */
  readonly number = ++dictionaries;
  readonly key: HashKey;
  readonly table: TermTable;
  /** How many dictionaries of the namespace came before it. */
  readonly generation: number;

  constructor(key: HashKey, generation = 0) {
    this.key = key;
    this.generation = generation;
    this.table = new TermTable(key);
    const add = (meta: TermMeta, text: string) => {
      const bytes = viewOf(Buffer.from(text));
      return this.table.add(meta, bytes, 0, bytes.byteLength, this.table.hash(bytes, 0, bytes.byteLength));
    };
    const defaultGraph = add(DEFAULT_GRAPH_META, '');
    const string = add(IRI_META, XSD_STRING);
    if (defaultGraph !== DEFAULT_GRAPH || string !== XSD_STRING_ID)
      throw new Error('The fixed ids of a dictionary are out of order.');
  }
}
