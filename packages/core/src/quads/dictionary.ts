import { XSD_STRING } from '../model/vocabulary.ts';
import { DEFAULT_GRAPH } from '../storage/term-source.ts';
import type { HashKey } from './term-hash.ts';
import { DEFAULT_GRAPH_META, IRI_META } from './term-meta.ts';
import { TermTable } from './term-table.ts';

/** The datatype that most literals have keeps one id in every dictionary and overlay. */
export const XSD_STRING_ID = 2;

/**
 * The shared terms of one namespace: it only grows, and only by a commit, so a reader needs no lock. Ids are numbers of its
 * table, below {@link LOCAL_BIT}; they are never renumbered or reused while the namespace lives.
 */
export class Dictionary {
  readonly key: HashKey;
  readonly table: TermTable;

  constructor(key: HashKey) {
    this.key = key;
    this.table = new TermTable(key);
    const none = Buffer.alloc(0);
    const defaultGraph = this.table.add(DEFAULT_GRAPH_META, none, 0, 0, this.table.hash(none, 0, 0));
    const datatype = Buffer.from(XSD_STRING);
    const string = this.table.add(
      IRI_META,
      datatype,
      0,
      datatype.length,
      this.table.hash(datatype, 0, datatype.length),
    );
    if (defaultGraph !== DEFAULT_GRAPH || string !== XSD_STRING_ID)
      throw new Error('The fixed ids of a dictionary are out of order.');
  }
}
