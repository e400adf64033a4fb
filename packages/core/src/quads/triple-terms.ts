import { TERM_KIND } from '../contracts/term-bytes.ts';
import type { TermId, TripleTermPart } from '../contracts/term-source.ts';
import { kindOf } from './term-meta.ts';
import type { TermTable } from './term-table.ts';
import { Uint32Column } from './uint32-column.ts';

/** Number of terms inspected per step of a kernel. */
const STEP = 1 << 12;

/**
 * The triple terms of a table by subject and by object. Made by the first query that needs it, and
 * extended by later ones for the terms that were added since. That of a dictionary takes 12 bytes
 * per triple term, and up to 8 for each term.
 *
 * An *entry* is the number of a triple term among the triple terms, from 1 on. The entries of one
 * subject (or object) are a chain from the newest to the oldest.
 */
export class TripleTerms {
  private readonly table: TermTable;
  /** The terms up to this one have been inspected. */
  private inspected = 0;
  /** The term of each entry. */
  private readonly terms = new Uint32Column();
  private readonly bySubject: Chains;
  private readonly byObject: Chains;

  constructor(table: TermTable, newHeads: () => Heads) {
    this.table = table;
    this.bySubject = new Chains(newHeads());
    this.byObject = new Chains(newHeads());
    this.terms.push(0);
  }

  /**
   * Adds the triple terms that the table has got since. Several requests may do so at the same
   * time. A kernel.
   */
  *catchUp(): Generator<void, void, void> {
    const { table } = this;
    while (this.inspected < table.size) {
      const end = Math.min(table.size, this.inspected + STEP);
      for (const number of triplesAmong(table, this.inspected + 1, end)) {
        const entry = this.terms.length;
        this.terms.push(number);
        this.bySubject.add(partOfTriple(table, number, 'subject'), entry);
        this.byObject.add(partOfTriple(table, number, 'object'), entry);
      }
      this.inspected = end;
      if (end < table.size) yield;
    }
  }

  /** Returns the newest entry with a term as one of its parts; 0 if there is none. */
  first(part: TripleTermPart, term: TermId): number {
    return this.chains(part).newest(term);
  }

  /** Returns the entry with the same part before another one; 0 if there is none. */
  next(part: TripleTermPart, entry: number): number {
    return this.chains(part).before(entry);
  }

  /** Returns the number of the triple term in its table. */
  numberOf(entry: number): number {
    return this.terms.get(entry);
  }

  /** Returns the mean number of triple terms that have a term as one of their parts. */
  mean(part: TripleTermPart): number {
    return (this.terms.length - 1) / Math.max(1, this.chains(part).count);
  }

  /** Bytes in memory. */
  get byteLength(): number {
    return this.terms.byteLength + this.bySubject.byteLength + this.byObject.byteLength;
  }

  private chains(part: TripleTermPart): Chains {
    return part === 'subject' ? this.bySubject : this.byObject;
  }
}

/** Returns the triple terms among the numbers of a table. */
function* triplesAmong(table: TermTable, first: number, last: number): Generator<number, void, void> {
  for (let number = table.nextLiving(first, last); number <= last; number = table.nextLiving(number + 1, last)) {
    if (kindOf(table.metaOf(number)) === TERM_KIND.triple) yield number;
  }
}

function partOfTriple(table: TermTable, number: number, part: TripleTermPart): TermId {
  return table.viewOf(number).getUint32(table.startOf(number) + (part === 'subject' ? 0 : 8), true);
}

/** By term, the newest entry of its chain; 0 for none. */
export interface Heads {
  get(term: TermId): number;
  set(term: TermId, entry: number): void;
  readonly byteLength: number;
}

/** Heads of many of the terms of a dictionary. */
export class ColumnHeads implements Heads {
  private readonly column = new Uint32Column();

  get(term: TermId): number {
    return term < this.column.length ? this.column.get(term) : 0;
  }

  set(term: TermId, entry: number): void {
    this.column.extendTo(term + 1);
    this.column.set(term, entry);
  }

  get byteLength(): number {
    return this.column.byteLength;
  }
}

/** Bytes of an entry of a map. Estimated. */
const MAP_ENTRY_BYTES = 40;

/** Heads of a few terms, also of private ones, whose ids are far above the others. */
export class MapHeads implements Heads {
  private readonly map = new Map<TermId, number>();

  get(term: TermId): number {
    return this.map.get(term) ?? 0;
  }

  set(term: TermId, entry: number): void {
    this.map.set(term, entry);
  }

  get byteLength(): number {
    return this.map.size * MAP_ENTRY_BYTES;
  }
}

/** Entries in chains, one for each term. */
class Chains {
  private readonly heads: Heads;
  /** By entry, the one before it in its chain. */
  private readonly links = new Uint32Column();
  /** Number of chains. */
  count = 0;

  constructor(heads: Heads) {
    this.heads = heads;
    this.links.push(0);
  }

  add(term: TermId, entry: number): void {
    const head = this.heads.get(term);
    if (head === 0) this.count++;
    this.links.push(head);
    this.heads.set(term, entry);
  }

  newest(term: TermId): number {
    return this.heads.get(term);
  }

  before(entry: number): number {
    return this.links.get(entry);
  }

  get byteLength(): number {
    return this.heads.byteLength + this.links.byteLength;
  }
}
