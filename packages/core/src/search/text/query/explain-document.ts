import type { TermScore } from '../../../contracts/text-index.ts';
import { type Bm25, contribution } from '../postings/bm25.ts';
import type { SegmentSet } from '../postings/segment-set.ts';
import type { WordTable } from '../words/word-table.ts';
import { PostingCursor } from './posting-cursor.ts';
import type { QueryWord } from './query-word.ts';

/**
 * Returns the contributions of the query words to a document's score: for each word its best term,
 * as in the scan.
 */
export function explainDocument(
  set: SegmentSet,
  table: WordTable,
  words: readonly QueryWord[],
  bm25: Bm25,
  doc: number,
): TermScore[] {
  const length = set.lengthOf(doc);
  const scores: TermScore[] = [];
  for (const { text, terms } of words) {
    let best: TermScore | undefined;
    for (const { term, factor } of terms) {
      const frequency = frequencyIn(set, term, bm25, doc);
      if (frequency === 0) continue;
      const score = contribution(factor, bm25.saturation(frequency)[length]);
      if (!best || score > best.score) best = { word: text, term: table.text(term), frequency, score };
    }
    if (best) scores.push(best);
  }
  return scores;
}

function frequencyIn({ head, segments }: SegmentSet, term: number, bm25: Bm25, doc: number): number {
  const local = head.find(doc);
  if (local >= 0) {
    for (let posting = head.firstPosting(term); posting >= 0; posting = head.nextPosting(posting))
      if (head.local[posting] === local) return head.frequency[posting];
    return 0;
  }
  for (const segment of segments) {
    const found = segment.find(doc);
    if (found < 0) continue;
    const cursor = new PostingCursor();
    cursor.prepare(1, bm25);
    return cursor.open(segment, term) ? cursor.frequencyIn(found) : 0;
  }
  return 0;
}
