import type { WordHits } from '../../contracts/text-index.ts';
import { wholeGrains } from '../text/postings/bm25.ts';
import { TopK } from '../top-k.ts';
import { ScoreTable } from './score-table.ts';

/** Names that contain a word. */
export interface NameHits {
  readonly words: WordHits;
  readonly weight: number;
  readonly isPredicate?: boolean;
  /** Rows by the documents of the hits; undefined if the hits are rows. */
  readonly rows?: Uint32Array;
}

/**
 * The names that the words of a query match, as rows of the table of names. A word scores in a row
 * what it scores in the best of its names: more labels do not make a subject a better hit.
 */
export class NameWords {
  /** The rows that match, in no order. */
  readonly rows: number[] = [];
  /** Sums of the scores of the words, by row. */
  readonly sums: ScoreTable;
  /** Whether the name of a predicate matches. */
  readonly hasPredicates: boolean;
  private readonly byWord = new Map<string, NameHits[]>();
  private readonly scratch: ScoreTable;

  /** @param end rows are below this */
  constructor(hits: readonly NameHits[], end: number) {
    const most = hits.reduce((sum, { words }) => sum + words.docs.length, 0);
    this.sums = new ScoreTable(end, most);
    this.scratch = new ScoreTable(end, most);
    this.hasPredicates = hits.some(({ isPredicate, words }) => isPredicate && words.docs.length > 0);
    for (const one of hits) {
      const known = this.byWord.get(one.words.word);
      if (known) known.push(one);
      else this.byWord.set(one.words.word, [one]);
    }
    for (const word of this.words) {
      this.load(word);
      this.forEachRow(word, (row) => {
        const score = this.scratch.take(row);
        if (score === 0) return;
        if (this.sums.get(row) === 0) this.rows.push(row);
        this.sums.add(row, score);
      });
    }
  }

  get words(): Iterable<string> {
    return this.byWord.keys();
  }

  /** Returns the rows of the greatest sums, greatest first. */
  bestRows(limit: number): Uint32Array {
    const top = new TopK(Math.min(limit, this.rows.length));
    for (const row of this.rows) top.offer(row, this.sums.get(row));
    return top.drain().keys;
  }

  /**
   * Returns the scores of one word by row; undefined if it is in no name. Valid until `unload`,
   * which must follow before the next word.
   */
  load(word: string): ScoreTable | undefined {
    const found = this.byWord.get(word);
    if (!found) return undefined;
    for (const { words, weight, rows } of found) {
      const { docs, scores } = words;
      for (let at = 0; at < docs.length; at++)
        this.scratch.raise(rows ? rows[docs[at]] : docs[at], wholeGrains(scores[at] * weight));
    }
    return this.scratch;
  }

  unload(word: string): void {
    this.forEachRow(word, (row) => this.scratch.take(row));
  }

  private forEachRow(word: string, visit: (row: number) => void): void {
    for (const { words, rows } of this.byWord.get(word) ?? []) {
      const { docs } = words;
      for (let at = 0; at < docs.length; at++) visit(rows ? rows[docs[at]] : docs[at]);
    }
  }
}
