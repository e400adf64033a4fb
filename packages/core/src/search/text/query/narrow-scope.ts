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

/** Maximum documents of a scope whose postings are read once and cached: the size of a window. */
export const NARROW_DOCUMENTS = WINDOW;

/** The documents of a scope in one segment, as runs of local numbers. */
interface Piece {
  readonly segment: Segment;
  /** Ascending local numbers: a run is [starts[run], ends[run]). */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** Window position of the first document of each run. */
  readonly places: readonly number[];
}

const NONE: readonly number[] = [];

/**
 * A scope of few documents, such as one small world of many. The postings of its documents for a
 * term are read from the list once and used for both counting and scoring. Every document is
 * scored, so there are no bounds, cursors or preparation. Valid until a document is added or
 * removed.
 */
export class NarrowScope {
  private readonly head: Head | undefined;
  private readonly documents: DocSet;
  private readonly pieces: readonly Piece[];
  /** Number of window positions in use. */
  private readonly end: number;
  /**
   * By term: position × 2^16 + frequency × 2^8 + length code, for each document of the segments
   * that contains it.
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

  /** Returns undefined if the scope has more than `most` documents; `most` is at most a window. */
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
      end = piece.places[last] + piece.ends[last] - piece.starts[last];
      // A reused number is in several segments, dead in all but one.
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
   * Offers the documents that contain one of the words and pass the filter, which must be the scope
   * or a subset of it.
   */
  score(words: readonly QueryWord[], bm25: Bm25, top: TopHits, filter: DocSet): void {
    if (this.head) scanHead(this.head, words, bm25, top, filter);
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
    this.harvest(top, filter === this.documents ? undefined : filter);
  }

  private harvest(top: TopHits, filter: DocSet | undefined): void {
    const { scores, bits } = scoreWindow;
    let at = 0;
    let run = 0;
    for (let index = 0, stop = (this.end + 31) >>> 5; index < stop; index++) {
      let word = bits[index];
      bits[index] = 0;
      for (; word !== 0; word &= word - 1) {
        const place = index * 32 + 31 - Math.clz32(word & -word);
        const score = scores[place];
        scores[place] = 0;
        // Positions ascend through the runs of a piece and through the pieces.
        let piece = this.pieces[at];
        while (place - piece.places[run] >= piece.ends[run] - piece.starts[run]) {
          if (++run < piece.starts.length) continue;
          run = 0;
          piece = this.pieces[++at];
        }
        const doc = piece.segment.docAt(piece.starts[run] + place - piece.places[run]);
        if (top.canEnter(score, doc) && (!filter || docSetHas(filter, doc))) top.offer(doc, score);
      }
    }
  }

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

/** Returns the documents of a set as ascending pairs [start, end). */
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

function pieceOf(segment: Segment, runs: ArrayLike<number>, firstPlace: number): Piece {
  const starts: number[] = [];
  const ends: number[] = [];
  const places: number[] = [];
  let place = firstPlace;
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
      places.push(place);
    }
    place += local - start;
  }
  return { segment, starts, ends, places };
}

function countInHead(head: Head, term: number, documents: DocSet): number {
  let count = 0;
  for (let posting = head.firstPosting(term); posting >= 0; posting = head.nextPosting(posting)) {
    const local = head.local[posting];
    if (!head.isDead(local) && docSetHas(documents, head.docs[local])) count++;
  }
  return count;
}

/**
 * Appends the postings of a term in a piece. Decodes only the blocks of a long list that overlap a
 * run.
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
  // Gallop, then bisect.
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
 * Appends the postings of a block that are in the runs from `run` on. `byte` is the offset of the
 * block, `local` the last local number of the previous block.
 */
function readBlock(
  { segment, starts, ends, places }: Piece,
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
    const posting = ((places[run] + local - start) << 16) | (frequency << 8) | lengths[local];
    if (read) read.push(posting);
    else read = [posting];
  }
  return read;
}
