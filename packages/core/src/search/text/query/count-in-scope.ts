import type { DocSet } from '../../../contracts/doc-set.ts';
import { docSetHas } from '../../doc-set.ts';
import { Bm25 } from '../postings/bm25.ts';
import { BLOCK, type Segment } from '../postings/segment.ts';
import type { SegmentSet } from '../postings/segment-set.ts';
import { FilterCursor } from './filter-cursor.ts';
import { END, PostingCursor } from './posting-cursor.ts';

/**
 * One cursor shared by all counts of the process, because creating one costs more than many counts.
 * The BM25 argument is a placeholder: nothing is scored here.
 */
const cursor = new PostingCursor();
cursor.prepare(1, new Bm25(0, 0));

/**
 * Returns the exact number of documents of a set that contain a term. Blocks of a posting list that
 * lie within a range of the set are counted as a whole, those outside are skipped, and only the
 * others are decoded. Counting for a few worlds therefore costs a few blocks, however long the
 * list.
 */
export function countInScope({ head, segments }: SegmentSet, term: number, documents: DocSet): number {
  let count = 0;
  const filter = new FilterCursor(documents);
  if (head.size > 0 && filter.next(head.lowest) <= head.highest) {
    for (let posting = head.firstPosting(term); posting >= 0; posting = head.nextPosting(posting)) {
      const local = head.local[posting];
      if (!head.isDead(local) && docSetHas(documents, head.docs[local])) count++;
    }
  }
  for (const segment of segments) {
    filter.rewind();
    // Most segments contain nothing of a small scope.
    if (filter.next(segment.firstDoc) > segment.lastDoc || !cursor.open(segment, term)) continue;
    count += countInSegment(segment, filter);
  }
  return count;
}

/** Counts within the list that the cursor has open. */
function countInSegment(segment: Segment, filter: FilterCursor): number {
  let count = 0;
  let start = 0;
  while (start < segment.size) {
    const first = cursor.atLeast(start);
    if (first === END) return count;
    const doc = filter.next(segment.docAt(first));
    if (doc > segment.lastDoc) return count;
    const local = segment.localFrom(doc, first);
    const last = cursor.blockLast();
    if (local > last) {
      start = local;
      continue;
    }
    const isWhole = start <= cursor.blockFirst() && local === first && filter.runEnd(doc) > segment.docAt(last);
    if (isWhole && segment.dead === null) {
      count += Math.min(BLOCK, cursor.count - cursor.block * BLOCK);
    } else {
      cursor.decode();
      for (let at = cursor.position; at < cursor.length; at++) {
        const one = cursor.locals[at];
        if (one >= local && !segment.isDead(one) && filter.has(segment.docAt(one))) count++;
      }
    }
    start = last + 1;
  }
  return count;
}
