import { type Bm25, contribution } from '../postings/bm25.ts';
import type { Segment } from '../postings/segment.ts';
import { PostingCursor } from './posting-cursor.ts';
import type { QueryWord } from './query-word.ts';

/**
 * Pool of cursors for all searches of the process, because creating one costs more than many
 * searches. At most 100 KB.
 */
const MAX_SPARE_CURSORS = 128;
const spareCursors: PostingCursor[] = [];

/** State of a term's list in the current segment. */
const UNKNOWN = 0;
const ABSENT = 1;
const OPEN = 2;

/**
 * A query word as it moves through the segments. In each it starts *closed*: its lists are looked
 * up one by one as documents need them. `open` looks up all of them, which scanning requires.
 */
export class WordScan {
  /** Upper bound of the word's contribution to any document. */
  readonly limit: number;
  /**
   * Once open: cursors on the lists that the segment has and that still matter, greatest bound
   * first.
   */
  readonly lists: PostingCursor[] = [];
  /** Upper bound of its contribution within the segment. */
  bound = 0;
  /** Upper bound of its contribution within the current window. */
  windowBound = 0;
  isOpen = false;
  private readonly terms: readonly number[];
  /** Ordered by descending factor, and therefore by descending limit. */
  private readonly cursors: readonly PostingCursor[];
  private readonly limits: Float64Array;
  private readonly states: Uint8Array;
  private segment: Segment | undefined;

  constructor({ terms }: QueryWord, bm25: Bm25) {
    const sorted = [...terms].sort((a, b) => b.factor - a.factor);
    const { most } = bm25;
    this.terms = sorted.map(({ term }) => term);
    this.cursors = sorted.map(({ factor }) => {
      const cursor = spareCursors.pop() ?? new PostingCursor();
      cursor.prepare(factor, bm25);
      return cursor;
    });
    this.limits = Float64Array.from(sorted, ({ factor }) => contribution(factor, most));
    this.limit = this.limits[0];
    this.states = new Uint8Array(terms.length);
  }

  get termCount(): number {
    return this.terms.length;
  }

  /** Returns the cursors to the pool; the scan must not be used afterwards. */
  release(): void {
    for (const cursor of this.cursors) if (spareCursors.length < MAX_SPARE_CURSORS) spareCursors.push(cursor);
  }

  /** Moves to a segment, closed. */
  enter(segment: Segment): void {
    this.segment = segment;
    this.states.fill(UNKNOWN);
    this.lists.length = 0;
    this.isOpen = false;
    this.bound = this.limit;
    this.windowBound = this.limit;
  }

  /**
   * Opens the lists that may contribute more than `tooLittle`. Returns false if there are none: the
   * word contributes nothing here.
   */
  open(tooLittle: number): boolean {
    const { cursors, limits, lists } = this;
    this.isOpen = true;
    for (let at = 0; at < cursors.length && limits[at] > tooLittle; at++) if (this.has(at)) lists.push(cursors[at]);
    if (lists.length > 1) lists.sort((a, b) => b.bound - a.bound);
    this.bound = lists.length === 0 ? 0 : lists[0].bound;
    return lists.length > 0;
  }

  /** Drops the lists that contribute at most `tooLittle`. */
  drop(tooLittle: number): void {
    const { lists } = this;
    while (lists.length > 0 && lists[lists.length - 1].bound <= tooLittle) lists.pop();
    this.bound = lists.length === 0 ? 0 : lists[0].bound;
  }

  /** Total number of postings of its lists. */
  get postings(): number {
    let sum = 0;
    for (const { count } of this.lists) sum += count;
    return sum;
  }

  /** Sets `windowBound` for the documents in [start, end); `start` must not descend. */
  enterWindow(start: number, end: number): void {
    if (!this.isOpen) return;
    let bound = 0;
    for (const cursor of this.lists) {
      if (cursor.bound <= bound) break;
      bound = Math.max(bound, cursor.boundWithin(start, end));
    }
    this.windowBound = bound;
  }

  /**
   * Returns the word's contribution to a document's score; documents must not descend. A
   * contribution of at most `tooLittle` may be underestimated, so that most lists need not be read.
   */
  scoreOf(local: number, tooLittle: number): number {
    const { cursors, limits, lists } = this;
    let best = 0;
    if (this.isOpen) {
      for (const cursor of lists) {
        if (cursor.bound <= Math.max(best, tooLittle)) break;
        best = Math.max(best, scoreIn(cursor, local, Math.max(best, tooLittle)));
      }
      return best;
    }
    for (let at = 0; at < cursors.length && limits[at] > Math.max(best, tooLittle); at++)
      if (this.has(at)) best = Math.max(best, scoreIn(cursors[at], local, Math.max(best, tooLittle)));
    return best;
  }

  /** Returns whether the segment has the list of a term, and opens its cursor. */
  private has(at: number): boolean {
    if (this.states[at] === UNKNOWN)
      this.states[at] = this.cursors[at].open(this.segment!, this.terms[at]) ? OPEN : ABSENT;
    return this.states[at] === OPEN;
  }
}

/** Returns the contribution of a list to a document, 0 if it is at most `tooLittle`. */
function scoreIn(cursor: PostingCursor, local: number, tooLittle: number): number {
  if (!cursor.skipTo(local) || cursor.blockBound() <= tooLittle) return 0;
  const frequency = cursor.frequencyIn(local);
  return frequency === 0 ? 0 : contribution(cursor.factor, cursor.saturationOf(local, frequency));
}
