import type { TermId, TripleTermIndex, TripleTermPart } from '../contracts/term-source.ts';
import { LOCAL_BIT } from './term-meta.ts';
import type { TermTable } from './term-table.ts';
import { MapHeads, TripleTerms } from './triple-terms.ts';

/** No more triple terms of one term are counted. */
const MAX_COUNTED = 1 << 12;

/**
 * The triple terms of an overlay: those of its dictionary, then its own. Entries of its own have
 * {@link LOCAL_BIT}.
 */
export class OverlayTripleTerms implements TripleTermIndex {
  private readonly shared: TripleTerms;
  private readonly table: () => TermTable | undefined;
  private own: TripleTerms | undefined;
  /** Results of `count`: a query may ask for the same term in thousands of patterns. */
  private readonly counts = { subject: new Map<TermId, number>(), object: new Map<TermId, number>() };

  /** @param table returns the private terms, if there are any */
  constructor(shared: TripleTerms, table: () => TermTable | undefined) {
    this.shared = shared;
    this.table = table;
  }

  *catchUp(): Generator<void, void, void> {
    yield* this.shared.catchUp();
    const table = this.table();
    if (!table) return;
    this.own ??= new TripleTerms(table, () => new MapHeads());
    yield* this.own.catchUp();
  }

  mean(part: TripleTermPart): number {
    return this.shared.mean(part) + (this.own?.mean(part) ?? 0);
  }

  count(part: TripleTermPart, term: TermId): number {
    const counts = this.counts[part];
    let count = counts.get(term);
    if (count === undefined) {
      count = 0;
      for (let entry = this.first(part, term); entry !== 0 && count < MAX_COUNTED; count++)
        entry = this.next(part, term, entry);
      counts.set(term, count);
    }
    return count;
  }

  first(part: TripleTermPart, term: TermId): number {
    return (term < LOCAL_BIT && this.shared.first(part, term)) || this.firstOwn(part, term);
  }

  next(part: TripleTermPart, term: TermId, entry: number): number {
    if (entry >= LOCAL_BIT) return ownEntry(this.own!.next(part, entry - LOCAL_BIT));
    return this.shared.next(part, entry) || this.firstOwn(part, term);
  }

  termOf(entry: number): TermId {
    return entry < LOCAL_BIT ? this.shared.numberOf(entry) : this.own!.numberOf(entry - LOCAL_BIT) + LOCAL_BIT;
  }

  private firstOwn(part: TripleTermPart, term: TermId): number {
    return this.own ? ownEntry(this.own.first(part, term)) : 0;
  }
}

function ownEntry(entry: number): number {
  return entry === 0 ? 0 : entry + LOCAL_BIT;
}
