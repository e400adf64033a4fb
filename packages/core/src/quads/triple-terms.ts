import { TERM_KIND } from '../contracts/term-bytes.ts';
import type { TermId, TripleTermPart } from '../contracts/term-source.ts';
import { kindOf } from './term-meta.ts';
import type { TermTable } from './term-table.ts';
import { Uint32Column } from './uint32-column.ts';

/** Number of terms inspected per step of a kernel. */
const STEP = 1 << 12;

/**
 * The triple terms of a dictionary by subject and by object. Made by the first query that needs it,
 * and extended by later ones for the terms that were added since. Takes 12 bytes per triple term,
 * and up to 8 for each term of the dictionary.
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
  private readonly bySubject = new Chains();
  private readonly byObject = new Chains();

  constructor(table: TermTable) {
    this.table = table;
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

  termOf(entry: number): TermId {
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
export function* triplesAmong(table: TermTable, first: number, last: number): Generator<number, void, void> {
  for (let number = table.nextLiving(first, last); number <= last; number = table.nextLiving(number + 1, last)) {
    if (kindOf(table.metaOf(number)) === TERM_KIND.triple) yield number;
  }
}

export function partOfTriple(table: TermTable, number: number, part: TripleTermPart): TermId {
  return table.viewOf(number).getUint32(table.startOf(number) + (part === 'subject' ? 0 : 8), true);
}

/** Entries in chains, one for each term. */
class Chains {
  /** By term, its newest entry. */
  private readonly heads = new Uint32Column();
  /** By entry, the one before it in its chain. */
  private readonly links = new Uint32Column();
  /** Number of chains. */
  count = 0;

  constructor() {
    this.links.push(0);
  }

  add(term: TermId, entry: number): void {
    this.heads.extendTo(term + 1);
    const head = this.heads.get(term);
    if (head === 0) this.count++;
    this.links.push(head);
    this.heads.set(term, entry);
  }

  newest(term: TermId): number {
    return term < this.heads.length ? this.heads.get(term) : 0;
  }

  before(entry: number): number {
    return this.links.get(entry);
  }

  get byteLength(): number {
    return this.heads.byteLength + this.links.byteLength;
  }
}
