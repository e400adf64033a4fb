import type { DocSet } from '../../../contracts/doc-set.ts';
import { docSetHas } from '../../doc-set.ts';
import { type Bm25, contribution } from '../postings/bm25.ts';
import type { Head } from '../postings/head.ts';
import { FilterCursor } from './filter-cursor.ts';
import type { QueryWord } from './query-word.ts';
import { scoreWindow } from './score-window.ts';
import type { TopHits } from './top-hits.ts';

/** Offers the hits of the head. A head fits in one window, so every document is scored. */
export function scanHead(
  head: Head,
  words: readonly QueryWord[],
  bm25: Bm25,
  top: TopHits,
  filter: DocSet | undefined,
  accepts?: (doc: number) => boolean,
): void {
  if (head.size === 0 || (filter && new FilterCursor(filter).next(head.lowest) > head.highest)) return;
  for (const { terms } of words) {
    for (const { term, factor } of terms) {
      for (let posting = head.firstPosting(term); posting >= 0; posting = head.nextPosting(posting)) {
        const local = head.local[posting];
        const saturation = bm25.saturation(head.frequency[posting])[head.lengths[local]];
        scoreWindow.offer(local, contribution(factor, saturation));
      }
    }
    scoreWindow.addBest();
  }
  const { scores, bits } = scoreWindow;
  for (let at = 0, stop = (head.size + 31) >>> 5; at < stop; at++) {
    let word = bits[at];
    bits[at] = 0;
    for (; word !== 0; word &= word - 1) {
      const local = at * 32 + 31 - Math.clz32(word & -word);
      const score = scores[local];
      scores[local] = 0;
      const doc = head.docs[local];
      if (!top.canEnter(score, doc) || head.isDead(local) || (filter && !docSetHas(filter, doc))) continue;
      if (accepts && !accepts(doc)) continue;
      top.offer(doc, score);
    }
  }
}
