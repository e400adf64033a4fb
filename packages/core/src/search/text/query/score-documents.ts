import type { Segment } from '../postings/segment.ts';
import type { FilterCursor } from './filter-cursor.ts';
import { scoreWindow } from './score-window.ts';
import type { TopHits } from './top-hits.ts';
import type { WordScan } from './word-scan.ts';

/** Looking a document up in a list costs as much as so many postings in a row. */
export const LOOK_UP_COST = 8;

/** Some documents of a segment, and the words that have entered this window, least bound first. */
export interface DocumentWindow {
  readonly segment: Segment;
  readonly words: readonly WordScan[];
  /** A hit has one of the words from here on. */
  readonly essential: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Offers the hits of a window: adds up what the essential words give, then word by word what the others give to the documents that can still be hits. Gives how
 * much work it was, in postings.
 */
export function scoreDocuments(window: DocumentWindow, top: TopHits, filter: FilterCursor | undefined): number {
  const { segment, words, essential, start, end } = window;
  const firstDoc = segment.docAt(start);
  const total = words.reduce((sum, { windowBound }) => sum + windowBound, 0);
  let rest = total;
  let work = 0;
  for (let at = words.length - 1; at >= essential; at--) {
    rest -= words[at].windowBound;
    work += scoreWindow.addWord(words[at], start, end, top.tooLittle(total - words[at].windowBound, firstDoc));
  }
  let left = prune(window, rest, top, filter);
  for (let at = essential - 1; at >= 0 && left > 0; at--) {
    const word = words[at];
    rest -= word.windowBound;
    const lookUps = left * word.lists.length * LOOK_UP_COST;
    if (word.isOpen && lookUps > (word.postings * (end - start)) / segment.size) {
      work += scoreWindow.addWord(word, start, end, top.tooLittle(total - word.windowBound, firstDoc));
    } else {
      lookUp(window, word, rest, top);
      work += left * LOOK_UP_COST;
    }
    left = prune(window, rest, top, undefined);
  }
  if (left > 0) offerAll(window, top);
  return work;
}

/** Leaves only the documents that can be hits with `rest` besides, are alive and allowed; gives how many these are. */
function prune(
  { segment, start }: DocumentWindow,
  rest: number,
  top: TopHits,
  filter: FilterCursor | undefined,
): number {
  const { scores, bits } = scoreWindow;
  let left = 0;
  for (let at = 0; at < bits.length; at++) {
    let kept = bits[at];
    for (let word = kept; word !== 0; word &= word - 1) {
      const bit = word & -word;
      const index = at * 32 + 31 - Math.clz32(bit);
      // The one question that most documents fail.
      if (scores[index] + rest >= top.worstScore) {
        const local = start + index;
        const doc = segment.docAt(local);
        if (top.canEnter(scores[index] + rest, doc) && !segment.isDead(local) && (!filter || filter.has(doc))) {
          left++;
          continue;
        }
      }
      scores[index] = 0;
      kept ^= bit;
    }
    bits[at] = kept;
  }
  return left;
}

/** Adds what a word gives to the documents that are left. */
function lookUp({ segment, start }: DocumentWindow, scan: WordScan, rest: number, top: TopHits): void {
  const { scores, bits } = scoreWindow;
  for (let at = 0; at < bits.length; at++) {
    for (let word = bits[at]; word !== 0; word &= word - 1) {
      const index = at * 32 + 31 - Math.clz32(word & -word);
      const local = start + index;
      scores[index] += scan.scoreOf(local, top.tooLittle(scores[index] + rest, segment.docAt(local)));
    }
  }
}

/** Offers the documents that are left, and empties the window. */
function offerAll({ segment, start }: DocumentWindow, top: TopHits): void {
  const { scores, bits } = scoreWindow;
  for (let at = 0; at < bits.length; at++) {
    for (let word = bits[at]; word !== 0; word &= word - 1) {
      const index = at * 32 + 31 - Math.clz32(word & -word);
      const doc = segment.docAt(start + index);
      if (top.canEnter(scores[index], doc)) top.offer(doc, scores[index]);
      scores[index] = 0;
    }
    bits[at] = 0;
  }
}
