import type { Segment } from '../postings/segment.ts';
import type { FilterCursor } from './filter-cursor.ts';
import { END } from './posting-cursor.ts';
import { LOOK_UP_COST, scoreDocuments } from './score-documents.ts';
import { WINDOW } from './score-window.ts';
import type { TopHits } from './top-hits.ts';
import type { WordScan } from './word-scan.ts';

/** Postings between two yields: well below a millisecond. */
const STRIDE = 65_536;

/**
 * The lists of a word with more terms are looked up only when they are needed; of the others it
 * pays to know the bounds.
 */
const MAX_OPENED = 8;

/**
 * Offers the hits of one segment. Yields now and then; between, the shared window is empty.
 *
 * This is MaxScore (Turtle, Flood 1995) with the bounds of blocks (Ding, Suel 2011), a window of
 * documents at a time: the words that even together cannot lift a document to a hit are looked up
 * only for documents that have others.
 */
export function* scanSegment(
  segment: Segment,
  scans: readonly WordScan[],
  top: TopHits,
  filter: FilterCursor | undefined,
): Generator<void, void> {
  if (filter) {
    filter.rewind();
    if (filter.next(segment.firstDoc) > segment.lastDoc) return;
  }
  const words = openWords(segment, scans, top);
  if (words.length === 0) return;
  if (filter && isSparse(segment, words, filter)) yield* lookUp(segment, words, top, filter);
  else yield* sweep(segment, words, top, filter);
}

/**
 * Whether it is less work to look up the allowed documents one by one than to go along the lists
 * where they are.
 */
function isSparse(segment: Segment, words: readonly WordScan[], filter: FilterCursor): boolean {
  const { documents, pieces } = filter.estimate(segment.firstDoc, segment.lastDoc);
  // A window may reach over the gap between two pieces.
  const gaps = (pieces - 1) * Math.min(WINDOW, segment.size / pieces);
  const postings = words.reduce((sum, word) => sum + word.postings, 0);
  return documents * words.length * LOOK_UP_COST < (postings * (documents + gaps)) / segment.size;
}

/**
 * The words in the segment, least first: these are the ones to do without. Of those that cannot
 * make a hit even together, the ones with many terms are left shut. Empty when no document can be a
 * hit.
 */
function openWords(segment: Segment, scans: readonly WordScan[], top: TopHits): WordScan[] {
  const { firstDoc } = segment;
  const shut: WordScan[] = [];
  const open: WordScan[] = [];
  const most = scans.reduce((sum, { limit }) => sum + limit, 0);
  let least = 0;
  for (const word of [...scans].sort((a, b) => a.limit - b.limit)) {
    word.enter(segment);
    least += word.limit;
    if (word.termCount > MAX_OPENED && !top.canEnter(least, firstDoc)) shut.push(word);
    else if (word.open(top.tooLittle(most - word.limit, firstDoc))) open.push(word);
  }
  return open.length === 0 ? [] : [...shut, ...open.sort((a, b) => a.bound - b.bound)];
}

/** Goes along the posting lists, window by window. */
function* sweep(
  segment: Segment,
  words: readonly WordScan[],
  top: TopHits,
  filter: FilterCursor | undefined,
): Generator<void, void> {
  let start = 0;
  let work = 0;
  while (start < segment.size) {
    dropTerms(words, top, segment.docAt(start));
    // Which words can a hit have none but?
    let sum = 0;
    let essential = 0;
    while (essential < words.length) {
      sum += words[essential].bound;
      if (top.canEnter(sum, segment.docAt(start))) break;
      essential++;
    }
    if (essential === words.length) return;

    let next = END;
    for (let at = essential; at < words.length; at++)
      for (const cursor of words[at].lists) next = Math.min(next, cursor.atLeast(start));
    if (next >= segment.size) return;
    start = next;
    let end = Math.min(start + WINDOW, segment.size);
    if (filter) {
      const doc = filter.next(segment.docAt(start));
      if (doc > segment.lastDoc) return;
      const local = segment.localFrom(doc, start);
      if (local > start) {
        start = local;
        continue;
      }
      end = segment.localFrom(filter.endBelow(segment.docAt(end - 1) + 1), start + 1);
    }

    // The same question for the window.
    sum = 0;
    essential = words.length;
    for (let at = 0; at < words.length; at++) {
      words[at].enterWindow(start, end);
      if (essential < words.length) continue;
      sum += words[at].windowBound;
      if (top.canEnter(sum, segment.docAt(start))) essential = at;
    }
    if (essential < words.length) work += scoreDocuments({ segment, words, essential, start, end }, top, filter);
    work += 64;
    start = end;
    if (work >= STRIDE) {
      work = 0;
      yield;
    }
  }
}

/**
 * Lets go of terms that no longer make a hit of a document from `firstDoc` on, even with the most
 * that the other words give. That holds of one term, or of one block of its list, by itself: where
 * another term of the same word gives a document more, this one does not count.
 */
function dropTerms(words: readonly WordScan[], top: TopHits, firstDoc: number): void {
  const total = words.reduce((all, { bound }) => all + bound, 0);
  for (const word of words) if (word.lists.length > 1) word.drop(top.tooLittle(total - word.bound, firstDoc));
}

/** Goes along the allowed documents, when they are few. */
function* lookUp(
  segment: Segment,
  words: readonly WordScan[],
  top: TopHits,
  filter: FilterCursor,
): Generator<void, void> {
  const total = words.reduce((sum, { bound }) => sum + bound, 0);
  let local = 0;
  let work = 0;
  for (let doc = filter.next(segment.firstDoc); doc <= segment.lastDoc; doc = filter.next(doc)) {
    local = segment.localFrom(doc, local);
    const here = segment.docAt(local);
    if (here !== doc) {
      doc = here;
      continue;
    }
    if (!top.canEnter(total, doc)) {
      // What comes later has greater numbers.
      return;
    }
    doc++;
    if (segment.isDead(local)) continue;
    let score = 0;
    let rest = total;
    for (let at = words.length - 1; at >= 0 && top.canEnter(score + rest, here); at--) {
      rest -= words[at].bound;
      score += words[at].scoreOf(local, top.tooLittle(score + rest, here));
      work += LOOK_UP_COST;
    }
    if (score > 0 && top.canEnter(score, here)) top.offer(here, score);
    if (work >= STRIDE) {
      work = 0;
      yield;
    }
  }
}
