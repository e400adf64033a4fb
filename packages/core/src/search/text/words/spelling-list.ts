import { grown } from '../grown.ts';
import {
  bytesOfRun,
  emptyRun,
  linkWords,
  mergeRuns,
  type Reading,
  type SortedRun,
  STRIDE,
  sortWords,
} from './sorted-run.ts';
import type { WordTable } from './word-table.ts';

/**
 * The small run is merged into the large one when it has both so many words and an eighth of the
 * large one's.
 */
const MIN_MERGED = 4096;

/**
 * The spellings of an index in order, for completions and corrections. Nothing is sorted before the
 * first search that wants it; from then on each `catchUp` sorts the words that are new and merges
 * them in, as a large run and a small one.
 */
export class SpellingList {
  /** How many times `runs` have become others. */
  changes = 0;
  private readonly table: WordTable;
  private readonly reading: Reading;
  private large: SortedRun;
  private small: SortedRun;
  private active = false;
  private fresh = new Uint32Array(16);
  private freshCount = 0;

  constructor(table: WordTable, reading: Reading) {
    this.table = table;
    this.reading = reading;
    this.large = emptyRun(reading);
    this.small = emptyRun(reading);
  }

  get byteLength(): number {
    return bytesOfRun(this.large) + bytesOfRun(this.small) + this.fresh.byteLength;
  }

  /** Told of each word that becomes a spelling. */
  push(word: number): void {
    if (!this.active) return;
    if (this.freshCount === this.fresh.length) this.fresh = grown(this.fresh, this.freshCount + 1);
    this.fresh[this.freshCount++] = word;
  }

  /** Whether `catchUp` has nothing to do. */
  get isCurrent(): boolean {
    return this.active && this.freshCount === 0;
  }

  /** The runs; words that no document uses any more are among them. Call `catchUp` before. */
  get runs(): readonly SortedRun[] {
    return [this.large, this.small];
  }

  /**
   * Takes the new words in; yields every few thousand words. It must run to its end, one call at a
   * time.
   */
  *catchUp(): Generator<void, void> {
    const { table, reading } = this;
    if (!this.active) {
      this.active = true;
      for (let word = 0; word < table.size; word++) if (table.isSpelling(word)) this.push(word);
    }
    while (this.freshCount > 0) {
      const words = this.fresh.slice(0, this.freshCount);
      this.freshCount = 0;
      this.fresh = new Uint32Array(16);
      yield* sortWords(table, reading, words);
      const small = yield* mergeRuns(table, reading, this.small.words, words);
      if (small.words.length < Math.max(MIN_MERGED, this.large.words.length / 8)) {
        this.small = small;
      } else {
        this.large = yield* mergeRuns(table, reading, this.large.words, small.words);
        this.small = emptyRun(reading);
      }
      this.changes++;
    }
  }

  /**
   * Lets go of the words that are gone, in steps; gives how many words it looked at after each. Not
   * while `catchUp` runs.
   */
  *purge(): Generator<number, void> {
    for (const run of ['large', 'small'] as const) {
      const words = this[run].words.filter((word) => this.table.isSpelling(word));
      yield this[run].words.length >>> 2;
      const linking = linkWords(this.table, this.reading, words);
      let step = linking.next();
      for (; !step.done; step = linking.next()) yield STRIDE;
      this[run] = step.value;
      this.changes++;
    }
    const fresh = this.fresh.subarray(0, this.freshCount).filter((word) => this.table.isSpelling(word));
    this.fresh.set(fresh);
    this.freshCount = fresh.length;
  }
}
