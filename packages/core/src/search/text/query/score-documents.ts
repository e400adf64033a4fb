import type { Segment } from '../postings/segment.ts';
import type { FilterCursor } from './filter-cursor.ts';
import { scoreWindow } from './score-window.ts';
import type { TopHits } from './top-hits.ts';
import type { WordScan } from './word-scan.ts';

/** Cost of looking up a document in a list, in sequentially read postings. */
export const LOOK_UP_COST = 8;

/** A window of documents of a segment, and the words positioned at it, smallest bound first. */
export interface DocumentWindow {
  readonly segment: Segment;
  readonly words: readonly WordScan[];
  /** Index of the first essential word: a hit contains at least one word from here on. */
  readonly essential: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Offers the hits of a window: sums the contributions of the essential words, then looks up the
 * others for documents that can still become hits. Returns the work done, in postings.
 */
export function scoreDocuments(
  window: DocumentWindow,
  top: TopHits,
  filter: FilterCursor | undefined,
  accepts: ((doc: number) => boolean) | undefined,
): number {
  const { segment, words, essential, start, end } = window;
  const firstDoc = segment.docAt(start);
  let optional = 0;
  let total = 0;
  for (let at = 0; at < words.length; at++) {
    total += words[at].windowBound;
    if (at < essential) optional = total;
  }
  let work = 0;
  for (let at = essential; at < words.length; at++)
    work += scoreWindow.addWord(words[at], start, end, top.tooLittle(total - words[at].windowBound, firstDoc));
  return work + harvest(window, optional, top, filter, accepts);
}

/** Offers the documents of the window that have a score, and clears the window. */
function harvest(
  { segment, words, essential, start, end }: DocumentWindow,
  optional: number,
  top: TopHits,
  filter: FilterCursor | undefined,
  accepts: ((doc: number) => boolean) | undefined,
): number {
  const { scores, bits } = scoreWindow;
  let work = 0;
  for (let at = 0, stop = (end - start + 31) >>> 5; at < stop; at++) {
    let word = bits[at];
    if (word === 0) continue;
    bits[at] = 0;
    for (; word !== 0; word &= word - 1) {
      const index = at * 32 + 31 - Math.clz32(word & -word);
      let score = scores[index];
      scores[index] = 0;
      // Fast path: most documents fail this test.
      if (score + optional < top.worstScore) continue;
      const local = start + index;
      const doc = segment.docAt(local);
      if (!top.canEnter(score + optional, doc) || segment.isDead(local) || (filter && !filter.has(doc))) continue;
      if (accepts && !accepts(doc)) continue;
      let rest = optional;
      for (let other = essential - 1; other >= 0 && top.canEnter(score + rest, doc); other--) {
        rest -= words[other].windowBound;
        score += words[other].scoreOf(local, top.tooLittle(score + rest, doc));
        work += LOOK_UP_COST;
      }
      if (top.canEnter(score, doc)) top.offer(doc, score);
    }
  }
  return work;
}
