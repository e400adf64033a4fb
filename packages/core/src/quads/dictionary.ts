import { Buffer } from '#platform';
import { DEFAULT_GRAPH } from '../contracts/term-source.ts';
import { ValueColumn } from '../contracts/value-column.ts';
import { XSD_STRING } from '../model/vocabulary.ts';
import { viewOf } from './byte-arena.ts';
import { Succession } from './succession.ts';
import type { HashKey } from './term-hash.ts';
import { DEFAULT_GRAPH_META, IRI_META, type TermMeta } from './term-meta.ts';
import { TermTable } from './term-table.ts';
import { ColumnHeads, TripleTerms } from './triple-terms.ts';

/** The id of xsd:string, the most frequent datatype, in every dictionary and overlay. */
export const XSD_STRING_ID = 2;

/** Number of terms that every dictionary contains from the start. */
export const FIXED_TERMS = 2;

let dictionaries = 0;

/**
 * The shared terms of one namespace. It only grows, and only in a commit, so readers need no lock.
 * Ids are numbers of its table, below {@link LOCAL_BIT}; once a commit is durable, its ids are
 * never renumbered or reused during the lifetime of the namespace.
 *
 * A compaction replaces it by another dictionary with the same ids for the remaining terms. A
 * withdrawal replaces it by one without the newest terms, which no durable commit has and whose ids
 * another process has given to other terms. Readers that have already started keep this one, so
 * that snapshot and dictionary always match.
 */
export class Dictionary {
  /** Unique among the dictionaries of this process. */
  readonly number = ++dictionaries;
  readonly table: TermTable;
  /** The values of its terms that queries have read. */
  readonly values: ValueColumn = new ValueColumn();
  /** Number of compactions that preceded it in the namespace. */
  readonly generation: number;
  readonly succession: Succession = new Succession();
  private triples: TripleTerms | undefined;

  constructor(key: HashKey, generation = 0, table?: TermTable) {
    this.generation = generation;
    this.table = table ?? new TermTable(key);
    if (table) return;
    const add = (meta: TermMeta, text: string) => {
      const bytes = viewOf(Buffer.from(text));
      return this.table.add(meta, bytes, 0, bytes.byteLength, this.table.hash(bytes, 0, bytes.byteLength));
    };
    const defaultGraph = add(DEFAULT_GRAPH_META, '');
    const string = add(IRI_META, XSD_STRING);
    if (defaultGraph !== DEFAULT_GRAPH || string !== XSD_STRING_ID)
      throw new Error('The fixed ids of a dictionary are out of order.');
  }

  /** Returns a dictionary of the terms up to an id; see `TermTable.upTo`. A kernel. */
  *upTo(id: number): Generator<void, Dictionary, void> {
    return new Dictionary(this.key, this.generation, yield* this.table.upTo(id));
  }

  /** The key of the hashes of its table. */
  get key(): HashKey {
    return this.table.key;
  }

  /** Its triple terms by subject and object. */
  get tripleTerms(): TripleTerms {
    this.triples ??= new TripleTerms(this.table, () => new ColumnHeads());
    return this.triples;
  }

  /** Bytes in memory. */
  get byteLength(): number {
    return this.table.byteLength + this.values.byteLength + (this.triples?.byteLength ?? 0);
  }
}
