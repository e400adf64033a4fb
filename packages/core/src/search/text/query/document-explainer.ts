import type { TermScore } from '../../../contracts/text-index.ts';
import { type Bm25, contribution } from '../postings/bm25.ts';
import type { Head } from '../postings/head.ts';
import type { Segment } from '../postings/segment.ts';
import type { SegmentSet } from '../postings/segment-set.ts';
import type { WordTable } from '../words/word-table.ts';
import { PostingCursor } from './posting-cursor.ts';
import type { QueryTerm, QueryWord } from './query-word.ts';

interface ExplainedTerm extends QueryTerm {
  /** Its text, decoded when a document contains it. */
  text: string | undefined;
  /** Its frequencies in the head, by local number. */
  inHead: ReadonlyMap<number, number> | undefined;
}

/** The posting lists of the query in one segment. */
interface ExplainedSegment {
  readonly segment: Segment;
  /** By position of the term; null if the segment has no list of it. */
  readonly cursors: (PostingCursor | null | undefined)[];
  /** Local number of the last document: cursors only move forward. */
  last: number;
}

/**
 * Explains the scores of documents: for each word of a query its best term, as in the scan. Keeps
 * its place in the posting lists, so explaining many documents in ascending order costs little more
 * than reading their postings.
 *
 * Valid until a document is added to or removed from the index.
 */
export class DocumentExplainer {
  private readonly table: WordTable;
  private readonly bm25: Bm25;
  private readonly head: Head;
  private readonly words: readonly { readonly text: string; readonly first: number; readonly end: number }[];
  /** The terms of all words. */
  private readonly terms: readonly ExplainedTerm[];
  private readonly segments: readonly ExplainedSegment[];
  /** The segment of the last document. */
  private here: ExplainedSegment | undefined;

  constructor({ head, segments }: SegmentSet, table: WordTable, words: readonly QueryWord[], bm25: Bm25) {
    this.table = table;
    this.bm25 = bm25;
    this.head = head;
    const terms: ExplainedTerm[] = [];
    this.words = words.map(({ text, terms: own }) => {
      const first = terms.length;
      for (const { term, factor } of own) terms.push({ term, factor, text: undefined, inHead: undefined });
      return { text, first, end: terms.length };
    });
    this.terms = terms;
    this.segments = segments.map((segment) => ({ segment, cursors: [], last: -1 }));
  }

  /**
   * Returns the contributions of the query words to a document's score; empty if it contains none,
   * or is not in the index.
   */
  scoresOf(doc: number): readonly TermScore[] {
    const local = this.head.find(doc);
    if (local >= 0) return this.scores(this.head.lengths[local], (at) => this.frequencyInHead(this.terms[at], local));
    const found = this.here?.segment.find(doc) ?? -1;
    if (found >= 0) return this.inSegment(this.here!, found);
    for (const place of this.segments) {
      const at = place.segment.find(doc);
      if (at < 0) continue;
      this.here = place;
      return this.inSegment(place, at);
    }
    return [];
  }

  private inSegment(place: ExplainedSegment, local: number): readonly TermScore[] {
    const { segment, cursors } = place;
    if (local < place.last)
      cursors.forEach((cursor, at) => {
        cursor?.open(segment, this.terms[at].term);
      });
    place.last = local;
    return this.scores(segment.lengths[local], (at) => this.cursorOf(place, at)?.frequencyIn(local) ?? 0);
  }

  private scores(length: number, frequencyOf: (at: number) => number): readonly TermScore[] {
    const scores: TermScore[] = [];
    for (const { text, first, end } of this.words) {
      let best = 0;
      let bestAt = -1;
      let bestFrequency = 0;
      for (let at = first; at < end; at++) {
        const frequency = frequencyOf(at);
        if (frequency === 0) continue;
        const score = contribution(this.terms[at].factor, this.bm25.saturationAt(frequency, length));
        if (score <= best) continue;
        best = score;
        bestAt = at;
        bestFrequency = frequency;
      }
      if (bestAt < 0) continue;
      const term = this.terms[bestAt];
      term.text ??= this.table.text(term.term);
      scores.push({ word: text, term: term.text, frequency: bestFrequency, score: best });
    }
    return scores;
  }

  private cursorOf({ segment, cursors }: ExplainedSegment, at: number): PostingCursor | null {
    let cursor = cursors[at];
    if (cursor === undefined) {
      cursor = new PostingCursor();
      cursor.prepare(1, this.bm25);
      if (!cursor.open(segment, this.terms[at].term)) cursor = null;
      cursors[at] = cursor;
    }
    return cursor;
  }

  private frequencyInHead(term: ExplainedTerm, local: number): number {
    if (!term.inHead) {
      const frequencies = new Map<number, number>();
      const { head } = this;
      for (let posting = head.firstPosting(term.term); posting >= 0; posting = head.nextPosting(posting))
        frequencies.set(head.local[posting], head.frequency[posting]);
      term.inHead = frequencies;
    }
    return term.inHead.get(local) ?? 0;
  }
}
