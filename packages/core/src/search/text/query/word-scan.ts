import { type Bm25, contribution } from '../postings/bm25.ts';
import type { Segment } from '../postings/segment.ts';
import { PostingCursor } from './posting-cursor.ts';
import type { QueryWord } from './query-word.ts';

/**
 * Making a cursor costs more than many a search: these are for all searches of the process. 100 KB
 * at most.
 */
const MAX_SPARE_CURSORS = 128;
const spareCursors: PostingCursor[] = [];

/** What a scan knows of the list of a term in the segment at hand. */
const UNKNOWN = 0;
const ABSENT = 1;
const OPEN = 2;

/**
 * A word of the query on its way through the segments. In each it is *shut* at first: its lists are
 * looked up one by one when a document asks for them. `open` looks them all up, which is needed to
 * go along them.
 */
export class WordScan {
  /** No document at all gets more from this word. */
  readonly limit: number;
  /**
   * Once open: cursors on the lists that the segment has and that still matter, greatest bound
   * first.
   */
  readonly lists: PostingCursor[] = [];
  /** No document of the segment gets more from this word. */
  bound = 0;
  /** The same for the window at hand. */
  windowBound = 0;
  isOpen = false;
  private readonly terms: readonly number[];
  /** Greatest factor first, and with it greatest limit. */
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

  /** Gives the cursors back; the scan is of no use afterwards. */
  release(): void {
    for (const cursor of this.cursors) if (spareCursors.length < MAX_SPARE_CURSORS) spareCursors.push(cursor);
  }

  /** Goes to a segment, shut. */
  enter(segment: Segment): void {
    this.segment = segment;
    this.states.fill(UNKNOWN);
    this.lists.length = 0;
    this.isOpen = false;
    this.bound = this.limit;
    this.windowBound = this.limit;
  }

  /**
   * Looks up the lists that may give more than `tooLittle`. False when there are none: the word
   * gives nothing here.
   */
  open(tooLittle: number): boolean {
    const { cursors, limits, lists } = this;
    this.isOpen = true;
    for (let at = 0; at < cursors.length && limits[at] > tooLittle; at++) if (this.has(at)) lists.push(cursors[at]);
    if (lists.length > 1) lists.sort((a, b) => b.bound - a.bound);
    this.bound = lists.length === 0 ? 0 : lists[0].bound;
    return lists.length > 0;
  }

  /** Lets go of the lists that give no more than `tooLittle`. */
  drop(tooLittle: number): void {
    const { lists } = this;
    while (lists.length > 0 && lists[lists.length - 1].bound <= tooLittle) lists.pop();
    this.bound = lists.length === 0 ? 0 : lists[0].bound;
  }

  /** How many postings its lists have. */
  get postings(): number {
    let sum = 0;
    for (const { count } of this.lists) sum += count;
    return sum;
  }

  /** Sets `windowBound` for the documents in [start, end); `start` never descends. */
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
   * What the word adds to the score of a document; documents never descend. Where that is
   * `tooLittle` to matter it may be given as less: most lists need not be looked into.
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

  /** Whether the segment has the list of a term; its cursor is then there. */
  private has(at: number): boolean {
    if (this.states[at] === UNKNOWN)
      this.states[at] = this.cursors[at].open(this.segment!, this.terms[at]) ? OPEN : ABSENT;
    return this.states[at] === OPEN;
  }
}

/** What a list gives to a document; 0 where that is not more than `tooLittle`. */
function scoreIn(cursor: PostingCursor, local: number, tooLittle: number): number {
  if (!cursor.skipTo(local) || cursor.blockBound() <= tooLittle) return 0;
  const frequency = cursor.frequencyIn(local);
  return frequency === 0 ? 0 : contribution(cursor.factor, cursor.saturationOf(local, frequency));
}
