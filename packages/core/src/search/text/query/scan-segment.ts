import { contribution } from '../postings/bm25.ts';
import type { Segment } from '../postings/segment.ts';
import type { FilterCursor } from './filter-cursor.ts';
import { END, type PostingCursor } from './posting-cursor.ts';
import { LOOK_UP_COST, scoreDocuments } from './score-documents.ts';
import { WINDOW } from './score-window.ts';
import type { TopHits } from './top-hits.ts';
import type { WordScan } from './word-scan.ts';

/** Postings between two yields: well below a millisecond. */
const STRIDE = 65_536;

/**
 * The lists of words with more terms are opened only on demand; for the others, knowing the bounds
 * pays.
 */
const MAX_OPENED = 8;

/**
 * Offers the hits of one segment. Yields at intervals, with the shared window empty.
 *
 * This is MaxScore (Turtle, Flood 1995) with block bounds (Ding, Suel 2011), one window of
 * documents at a time: words that even together cannot lift a document into the hits are looked up
 * only for documents that contain other words.
 */
export function* scanSegment(
  segment: Segment,
  scans: readonly WordScan[],
  top: TopHits,
  filter: FilterCursor | undefined,
  accepts?: (doc: number) => boolean,
): Generator<void, void> {
  if (filter) {
    filter.rewind();
    if (filter.next(segment.firstDoc) > segment.lastDoc) return;
  }
  const words = openWords(segment, scans, top);
  if (words.length === 0) return;
  const [{ lists }] = words;
  if (top.keepsAll && !filter && words.length === 1 && lists.length === 1) yield* list(segment, lists[0], top, accepts);
  else if (filter && isSparse(segment, words, filter)) yield* lookUp(segment, words, top, filter, accepts);
  else yield* sweep(segment, words, top, filter, accepts);
}

/**
 * Returns whether looking up the allowed documents one by one costs less than scanning the lists
 * around them.
 */
function isSparse(segment: Segment, words: readonly WordScan[], filter: FilterCursor): boolean {
  const { documents, pieces } = filter.estimate(segment.firstDoc, segment.lastDoc);
  // A window may span the gap between two pieces.
  const gaps = (pieces - 1) * Math.min(WINDOW, segment.size / pieces);
  const postings = words.reduce((sum, word) => sum + word.postings, 0);
  return documents * words.length * LOOK_UP_COST < (postings * (documents + gaps)) / segment.size;
}

/**
 * Opens the words in the segment and returns them, smallest bound first: those can be skipped. Of
 * the words that cannot produce a hit even together, those with many terms stay closed. Empty if no
 * document can be a hit.
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

/** Offers all documents of a list. */
function* list(
  segment: Segment,
  cursor: PostingCursor,
  top: TopHits,
  accepts: ((doc: number) => boolean) | undefined,
): Generator<void, void> {
  const { locals, frequencies, factor, lengths, once, bm25 } = cursor;
  let work = 0;
  for (let more = cursor.skipTo(0); more; more = ++cursor.block < cursor.blocks) {
    cursor.decode();
    const { length } = cursor;
    for (let position = 0; position < length; position++) {
      const local = locals[position];
      if (segment.isDead(local)) continue;
      const doc = segment.docAt(local);
      if (accepts && !accepts(doc)) continue;
      const frequency = frequencies[position];
      const saturation = frequency === 1 ? once : bm25.saturation(frequency);
      top.offer(doc, contribution(factor, saturation[lengths[local]]));
    }
    work += length;
    if (work < STRIDE) continue;
    work = 0;
    yield;
  }
}

/** Scans the posting lists, window by window. */
function* sweep(
  segment: Segment,
  words: readonly WordScan[],
  top: TopHits,
  filter: FilterCursor | undefined,
  accepts: ((doc: number) => boolean) | undefined,
): Generator<void, void> {
  let start = 0;
  let work = 0;
  while (start < segment.size) {
    dropTerms(words, top, segment.docAt(start));
    // Find the essential words of the list: every hit contains at least one of them.
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

    // Find the essential words of the window.
    sum = 0;
    essential = words.length;
    for (let at = 0; at < words.length; at++) {
      words[at].enterWindow(start, end);
      if (essential < words.length) continue;
      sum += words[at].windowBound;
      if (top.canEnter(sum, segment.docAt(start))) essential = at;
    }
    if (essential < words.length)
      work += scoreDocuments({ segment, words, essential, start, end }, top, filter, accepts);
    work += 64;
    start = end;
    if (work >= STRIDE) {
      work = 0;
      yield;
    }
  }
}

/**
 * Drops terms that can no longer turn a document from `firstDoc` on into a hit, even with the
 * maximum of the other words. Each term, or block of its list, can be judged separately: if another
 * term of the same word contributes more to a document, this one does not count.
 */
function dropTerms(words: readonly WordScan[], top: TopHits, firstDoc: number): void {
  const total = words.reduce((all, { bound }) => all + bound, 0);
  for (const word of words) if (word.lists.length > 1) word.drop(top.tooLittle(total - word.bound, firstDoc));
}

/** Looks up the allowed documents one by one, if they are few. */
function* lookUp(
  segment: Segment,
  words: readonly WordScan[],
  top: TopHits,
  filter: FilterCursor,
  accepts: ((doc: number) => boolean) | undefined,
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
      // Later documents have greater numbers, so they cannot enter either.
      return;
    }
    doc++;
    if (segment.isDead(local) || (accepts && !accepts(here))) continue;
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
