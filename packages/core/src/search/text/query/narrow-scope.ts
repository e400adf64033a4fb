import type { DocSet } from '../../../contracts/doc-set.ts';
import { docSetHas, docSetIds } from '../../doc-set.ts';
import { type Bm25, contribution } from '../postings/bm25.ts';
import type { Head } from '../postings/head.ts';
import { BLOCK, type Segment } from '../postings/segment.ts';
import type { SegmentSet } from '../postings/segment-set.ts';
import { readVarint, varintLength } from '../postings/varint.ts';
import type { QueryWord } from './query-word.ts';
import { scanHead } from './scan-head.ts';
import { scoreWindow, WINDOW } from './score-window.ts';
import type { TopHits } from './top-hits.ts';

/** Maximum number of documents of a narrow scope. Each takes a slot of the score window. */
export const NARROW_DOCUMENTS = WINDOW;

/**
 * The documents of a scope in one segment, as runs of consecutive local numbers. A segment numbers
 * its documents from 0; these local numbers appear in its posting lists.
 */
interface Piece {
  readonly segment: Segment;
  /** Ascending local numbers: a run is [starts[run], ends[run]). */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** The slot of the first document of each run; its other documents take the next ones. */
  readonly slots: readonly number[];
}

const NONE: readonly number[] = [];

/**
 * Counts and scores within a *scope* of at most 4096 documents: the searched worlds, such as one
 * small world of many. A search of one world must not depend on the others, so it counts how many
 * documents *of the scope* contain each term before it can score them.
 *
 * The documents of an index are in a mutable head (the newest ones) and in immutable segments.
 * Those of the scope that are in segments get consecutive *slots* of the shared score window, from
 * 0 to `end - 1`: first those of the first segment, then those of the second, and so on.
 *
 * For each term, the postings of the scope are decoded from the segments once, cached, and used
 * both to count and to score. Blocks of a posting list that contain no document of the scope are
 * skipped without being decoded. Every document of the scope is scored: unlike a search of a large
 * scope, this needs no score bounds and no cursors. Head postings are scored by `scanHead`.
 *
 * Valid until a document is added to or removed from the index.
 */
export class NarrowScope {
  private readonly head: Head | undefined;
  private readonly documents: DocSet;
  private readonly pieces: readonly Piece[];
  /** Number of slots in use. */
  private readonly end: number;
  /**
   * By term: the postings of the scope in all segments. Each is packed into one integer, from the
   * high bits to the low: slot (16 bits), frequency (8), length code of the document (8).
   */
  private readonly postings = new Map<number, readonly number[]>();
  /** By term: number of documents of the head that contain it. */
  private readonly headCounts = new Map<number, number>();

  private constructor(head: Head | undefined, documents: DocSet, pieces: readonly Piece[], end: number) {
    this.head = head;
    this.documents = documents;
    this.pieces = pieces;
    this.end = end;
  }

  /**
   * Returns undefined if the scope is too large: more than `most` documents, or more slots than the
   * score window has.
   *
   * @param most at most {@link NARROW_DOCUMENTS}
   */
  static open({ head, segments }: SegmentSet, documents: DocSet, most: number): NarrowScope | undefined {
    if (documents.size > most) return undefined;
    const runs = runsOf(documents);
    if (runs.length === 0) return new NarrowScope(undefined, documents, [], 0);
    const lowest = runs[0];
    const highest = runs[runs.length - 1] - 1;
    const pieces: Piece[] = [];
    let end = 0;
    for (const segment of segments) {
      if (highest < segment.firstDoc || lowest > segment.lastDoc) continue;
      const piece = pieceOf(segment, runs, end);
      if (piece.starts.length === 0) continue;
      const last = piece.starts.length - 1;
      end = piece.slots[last] + piece.ends[last] - piece.starts[last];
      // A reused document number is in several segments, marked as deleted in all but one. Each
      // takes a slot, so there can be more slots than documents.
      if (end > WINDOW) return undefined;
      pieces.push(piece);
    }
    const inHead = head.size > 0 && highest >= head.lowest && lowest <= head.highest;
    return new NarrowScope(inHead ? head : undefined, documents, pieces, end);
  }

  /** Returns the number of documents of the scope that contain a term. */
  count(term: number): number {
    const count = this.postingsOf(term).length;
    const { head, headCounts } = this;
    if (!head) return count;
    let inHead = headCounts.get(term);
    if (inHead === undefined) headCounts.set(term, (inHead = countInHead(head, term, this.documents)));
    return count + inHead;
  }

  /**
   * Scores the documents of the scope and offers those that contain at least one of the words and
   * pass the filter and the test to `top`. The filter must be the scope or a subset of it.
   */
  score(
    words: readonly QueryWord[],
    bm25: Bm25,
    top: TopHits,
    filter: DocSet,
    accepts?: (doc: number) => boolean,
  ): void {
    if (this.head) scanHead(this.head, words, bm25, top, filter, accepts);
    if (this.end === 0) return;
    for (const { terms } of words) {
      for (const { term, factor } of terms) {
        for (const posting of this.postingsOf(term)) {
          const saturation = bm25.saturationAt((posting >>> 8) & 0xff, posting & 0xff);
          scoreWindow.offer(posting >>> 16, contribution(factor, saturation));
        }
      }
      scoreWindow.addBest(this.end);
    }
    this.harvest(top, filter === this.documents ? undefined : filter, accepts);
  }

  /** Offers the scored slots to `top` and clears the window. */
  private harvest(top: TopHits, filter: DocSet | undefined, accepts: ((doc: number) => boolean) | undefined): void {
    const { scores, bits } = scoreWindow;
    let at = 0;
    let run = 0;
    for (let index = 0, stop = (this.end + 31) >>> 5; index < stop; index++) {
      let word = bits[index];
      bits[index] = 0;
      for (; word !== 0; word &= word - 1) {
        const slot = index * 32 + 31 - Math.clz32(word & -word);
        const score = scores[slot];
        scores[slot] = 0;
        // Slots ascend through the runs of a piece and through the pieces, so the run of a slot is
        // found by advancing.
        let piece = this.pieces[at];
        while (slot - piece.slots[run] >= piece.ends[run] - piece.starts[run]) {
          if (++run < piece.starts.length) continue;
          run = 0;
          piece = this.pieces[++at];
        }
        const doc = piece.segment.docAt(piece.starts[run] + slot - piece.slots[run]);
        if (!top.canEnter(score, doc) || (filter && !docSetHas(filter, doc))) continue;
        if (!accepts || accepts(doc)) top.offer(doc, score);
      }
    }
  }

  /** Returns the postings of a term in the segments; decodes them on first use. */
  private postingsOf(term: number): readonly number[] {
    let postings = this.postings.get(term);
    if (!postings) {
      let read: number[] | undefined;
      for (const piece of this.pieces) read = readTerm(piece, term, read);
      postings = read ?? NONE;
      this.postings.set(term, postings);
    }
    return postings;
  }
}

/** Returns the documents of a set as runs of consecutive numbers: ascending pairs [start, end). */
function runsOf(documents: DocSet): ArrayLike<number> {
  if (documents.kind === 'ranges') return documents.ranges;
  const ids = docSetIds(documents);
  const runs: number[] = [];
  for (let at = 0; at < ids.length; at++) {
    if (at > 0 && ids[at] === ids[at - 1] + 1) runs[runs.length - 1] = ids[at] + 1;
    else runs.push(ids[at], ids[at] + 1);
  }
  return runs;
}

/** Translates runs of document numbers into runs of local numbers of a segment. */
function pieceOf(segment: Segment, runs: ArrayLike<number>, firstSlot: number): Piece {
  const starts: number[] = [];
  const ends: number[] = [];
  const slots: number[] = [];
  let slot = firstSlot;
  let local = 0;
  for (let at = 0; at < runs.length && runs[at] <= segment.lastDoc; at += 2) {
    if (runs[at + 1] <= segment.firstDoc) continue;
    const start = segment.localFrom(runs[at], local);
    local = segment.localFrom(runs[at + 1], start);
    if (local === start) continue;
    const last = ends.length - 1;
    if (last >= 0 && ends[last] === start) ends[last] = local;
    else {
      starts.push(start);
      ends.push(local);
      slots.push(slot);
    }
    slot += local - start;
  }
  return { segment, starts, ends, slots };
}

/** Returns the number of documents of the scope in the head that contain a term. */
function countInHead(head: Head, term: number, documents: DocSet): number {
  let count = 0;
  for (let posting = head.firstPosting(term); posting >= 0; posting = head.nextPosting(posting)) {
    const local = head.local[posting];
    if (!head.isDead(local) && docSetHas(documents, head.docs[local])) count++;
  }
  return count;
}

/**
 * Appends the postings of a term in a piece to `read`, packed as in `postings`, and returns the
 * array; creates it for the first posting. Of a list with several blocks, decodes only those that
 * overlap a run. The format of a list is described at `Segment`.
 */
function readTerm(piece: Piece, term: number, read: number[] | undefined): number[] | undefined {
  const { segment, starts, ends } = piece;
  let at = segment.listOf(term);
  if (at < 0) return read;
  const { bytes } = segment;
  const count = readVarint(bytes, at);
  at += varintLength(count);
  if (count <= BLOCK) return readBlock(piece, 0, at, count, -1, read);
  const { last, start } = segment.blocks;
  const first = readVarint(bytes, at);
  const stop = first + Math.ceil(count / BLOCK);
  let block = first;
  for (let run = 0; run < starts.length; ) {
    block = blockFrom(last, block, stop, starts[run]);
    if (block === stop) break;
    const before = block === first ? -1 : last[block - 1];
    // Runs that end before the block have already been read.
    read = readBlock(piece, run, start[block], Math.min(BLOCK, count - (block - first) * BLOCK), before, read);
    while (run < starts.length && ends[run] <= last[block] + 1) run++;
    block++;
  }
  return read;
}

/**
 * Returns the first block from `from` on whose last document is not below `local`; `stop` if there
 * is none.
 */
function blockFrom(last: Uint32Array, from: number, stop: number, local: number): number {
  if (from >= stop || last[from] >= local) return from;
  // Galloping search, then binary search: the block is usually near.
  let step = 1;
  while (from + step < stop && last[from + step] < local) {
    from += step;
    step *= 2;
  }
  let low = from + 1;
  let high = Math.min(from + step, stop);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (last[middle] < local) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Appends the postings of a block whose documents are in a run of the piece, and not deleted. The
 * first run considered is `run`. `byte` is the offset of the block, `local` the last local number
 * of the previous block or -1.
 */
function readBlock(
  { segment, starts, ends, slots }: Piece,
  run: number,
  byte: number,
  length: number,
  local: number,
  read: number[] | undefined,
): number[] | undefined {
  const { bytes, lengths } = segment;
  let start = starts[run];
  let end = ends[run];
  for (let index = 0; index < length; index++) {
    // A varint: the gap to the previous document × 2, plus 1 if a frequency byte follows. Decoded
    // inline, because this is the innermost loop.
    let value = bytes[byte++];
    if (value >= 0x80) {
      let more = bytes[byte++];
      value = (value & 0x7f) | ((more & 0x7f) << 7);
      for (let shift = 14; more >= 0x80; shift += 7) {
        more = bytes[byte++];
        value |= (more & 0x7f) << shift;
      }
    }
    local += (value >>> 1) + 1;
    const frequency = (value & 1) === 0 ? 1 : bytes[byte++];
    if (local < start) continue;
    while (local >= end) {
      if (++run === starts.length) return read;
      start = starts[run];
      end = ends[run];
    }
    if (local < start || segment.isDead(local)) continue;
    const posting = ((slots[run] + local - start) << 16) | (frequency << 8) | lengths[local];
    if (read) read.push(posting);
    else read = [posting];
  }
  return read;
}
