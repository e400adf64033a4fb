import { contribution } from '../postings/bm25.ts';
import type { PostingCursor } from './posting-cursor.ts';
import type { WordScan } from './word-scan.ts';

/** Number of documents scored at a time. */
export const WINDOW = 4096;

/**
 * Score accumulators for one window of documents, with a bitmap of those that have a score. One
 * window is shared by all searches of the process, because each leaves it empty before it yields.
 */
export class ScoreWindow {
  readonly scores = new Float64Array(WINDOW);
  readonly bits = new Uint32Array(WINDOW / 32);
  /** Best of several terms of one word. */
  private readonly best = new Float64Array(WINDOW);
  private readonly bestBits = new Uint32Array(WINDOW / 32);

  /** Empties the window after a search that failed while it was in use. */
  clear(): void {
    this.scores.fill(0);
    this.bits.fill(0);
    this.best.fill(0);
    this.bestBits.fill(0);
  }

  /**
   * Adds the contributions of a word to the documents in [start, end), all within one window. Skips
   * blocks whose bound is at most `skippable`. Returns the number of postings read.
   */
  addWord(word: WordScan, start: number, end: number, skippable: number): number {
    if (word.lists.length === 1) return addPostings(word.lists[0], start, end, skippable, this.scores, this.bits);
    let work = 0;
    for (const cursor of word.lists) work += takeBest(cursor, start, end, skippable, this.best, this.bestBits);
    this.addBest();
    return work;
  }

  /** Records the contribution of one term of a word; `addBest` adds the maximum over the terms. */
  offer(index: number, score: number): void {
    if (score > this.best[index]) this.best[index] = score;
    this.bestBits[index >>> 5] |= 1 << (index & 31);
  }

  /** Adds the recorded maxima of the positions below `end` to the scores. */
  addBest(end = WINDOW): void {
    const { scores, bits, best, bestBits } = this;
    for (let at = 0, stop = (end + 31) >>> 5; at < stop; at++) {
      let word = bestBits[at];
      if (word === 0) continue;
      bits[at] |= word;
      bestBits[at] = 0;
      for (; word !== 0; word &= word - 1) {
        const index = at * 32 + 31 - Math.clz32(word & -word);
        scores[index] += best[index];
        best[index] = 0;
      }
    }
  }
}

export const scoreWindow = new ScoreWindow();

function addPostings(
  cursor: PostingCursor,
  start: number,
  end: number,
  skippable: number,
  scores: Float64Array,
  bits: Uint32Array,
): number {
  const { locals, frequencies, factor, lengths, once, bm25 } = cursor;
  let work = 0;
  for (let more = cursor.skipTo(start); more; more = ++cursor.block < cursor.blocks) {
    if (cursor.blockBound() <= skippable) {
      // The rest of the block may matter to the next window.
      if (cursor.blockLast() >= end) return work;
      continue;
    }
    cursor.decode();
    const { length } = cursor;
    let { position } = cursor;
    while (locals[position] < start) position++;
    const first = position;
    for (; position < length && locals[position] < end; position++) {
      const local = locals[position];
      const index = local - start;
      const frequency = frequencies[position];
      const saturation = frequency === 1 ? once : bm25.saturation(frequency);
      const score = contribution(factor, saturation[lengths[local]]);
      scores[index] += score;
      bits[index >>> 5] |= 1 << (index & 31);
    }
    work += position - first + 16;
    cursor.position = position;
    if (position < length) return work;
  }
  return work;
}

/** Like `addPostings`, but takes the maximum over the lists for each document. */
function takeBest(
  cursor: PostingCursor,
  start: number,
  end: number,
  skippable: number,
  best: Float64Array,
  bits: Uint32Array,
): number {
  const { locals, frequencies, factor, lengths, once, bm25 } = cursor;
  let work = 0;
  for (let more = cursor.skipTo(start); more; more = ++cursor.block < cursor.blocks) {
    if (cursor.blockBound() <= skippable) {
      if (cursor.blockLast() >= end) return work;
      continue;
    }
    cursor.decode();
    const { length } = cursor;
    let { position } = cursor;
    while (locals[position] < start) position++;
    const first = position;
    for (; position < length && locals[position] < end; position++) {
      const local = locals[position];
      const index = local - start;
      const frequency = frequencies[position];
      const saturation = frequency === 1 ? once : bm25.saturation(frequency);
      const score = contribution(factor, saturation[lengths[local]]);
      if (score > best[index]) best[index] = score;
      bits[index >>> 5] |= 1 << (index & 31);
    }
    work += position - first + 16;
    cursor.position = position;
    if (position < length) return work;
  }
  return work;
}
