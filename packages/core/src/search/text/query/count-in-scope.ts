import type { DocSet } from '../../../storage/doc-set.ts';
import { docSetHas } from '../../doc-set.ts';
import { Bm25 } from '../postings/bm25.ts';
import { BLOCK, type Segment } from '../postings/segment.ts';
import type { SegmentSet } from '../postings/segment-set.ts';
import { FilterCursor } from './filter-cursor.ts';
import { END, PostingCursor } from './posting-cursor.ts';

/** A cursor wants one to score with; nothing is scored here. */
const UNUSED = new Bm25(0, 0);

/**
 * How many documents of a set hold a term, exactly. Blocks of a posting list that lie within a range of the set are counted as a whole, those outside are passed
 * by; only the others are decoded. So the documents of a few worlds cost a few blocks, however long the list.
 */
export function countInScope({ head, segments }: SegmentSet, term: number, documents: DocSet): number {
  let count = 0;
  for (let posting = head.firstPosting(term); posting >= 0; posting = head.nextPosting(posting)) {
    const local = head.local[posting];
    if (!head.isDead(local) && docSetHas(documents, head.docs[local])) count++;
  }
  if (segments.length === 0) return count;
  const cursor = new PostingCursor();
  cursor.prepare(1, UNUSED);
  const filter = new FilterCursor(documents);
  for (const segment of segments) if (cursor.open(segment, term)) count += countInSegment(segment, cursor, filter);
  return count;
}

function countInSegment(segment: Segment, cursor: PostingCursor, filter: FilterCursor): number {
  filter.rewind();
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
