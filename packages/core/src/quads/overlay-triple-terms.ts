import type { TermId, TripleTermIndex, TripleTermPart } from '../contracts/term-source.ts';
import { LOCAL_BIT } from './term-meta.ts';
import type { TermTable } from './term-table.ts';
import { partOfTriple, type TripleTerms, triplesAmong } from './triple-terms.ts';

/** Number of terms inspected per step of a kernel. */
const STEP = 1 << 12;

/**
 * The triple terms of an overlay: those of its dictionary, from an index, then its own. It has few
 * of its own, unless it holds the quads of other namespaces; each lookup tries them all.
 */
export class OverlayTripleTerms implements TripleTermIndex {
  private readonly shared: TripleTerms;
  private readonly table: () => TermTable | undefined;
  /** The numbers of its own triple terms. */
  private readonly own: number[] = [];
  /** The private terms up to this one have been inspected. */
  private inspected = 0;

  /** @param table returns the private terms, if there are any */
  constructor(shared: TripleTerms, table: () => TermTable | undefined) {
    this.shared = shared;
    this.table = table;
  }

  *catchUp(): Generator<void, void, void> {
    yield* this.shared.catchUp();
    const table = this.table();
    while (table && this.inspected < table.size) {
      const end = Math.min(table.size, this.inspected + STEP);
      this.own.push(...triplesAmong(table, this.inspected + 1, end));
      this.inspected = end;
      if (end < table.size) yield;
    }
  }

  mean(part: TripleTermPart): number {
    return this.shared.mean(part) + this.own.length;
  }

  first(part: TripleTermPart, term: TermId): number {
    const entry = term < LOCAL_BIT ? this.shared.first(part, term) : 0;
    return entry === 0 ? this.nextOwn(part, term, 0) : entry;
  }

  next(part: TripleTermPart, term: TermId, entry: number): number {
    if (entry >= LOCAL_BIT) return this.nextOwn(part, term, entry - LOCAL_BIT + 1);
    const next = this.shared.next(part, entry);
    return next === 0 ? this.nextOwn(part, term, 0) : next;
  }

  termOf(entry: number): TermId {
    return entry < LOCAL_BIT ? this.shared.termOf(entry) : LOCAL_BIT + this.own[entry - LOCAL_BIT];
  }

  private nextOwn(part: TripleTermPart, term: TermId, from: number): number {
    const { own } = this;
    for (let at = from; at < own.length; at++) {
      if (partOfTriple(this.table()!, own[at], part) === term) return LOCAL_BIT + at;
    }
    return 0;
  }
}
