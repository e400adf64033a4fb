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
 * The small run is merged into the large one when it has this many words and an eighth of the large
 * one's.
 */
const MIN_MERGED = 4096;

/**
 * Sorted spellings of an index, for completions and corrections. Nothing is sorted before the first
 * search that needs it; from then on each `catchUp` sorts new words and merges them in, as a large
 * and a small run.
 */
export class SpellingList {
  /** Number of times that `runs` has changed. */
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

  /** Adds a new spelling; a no-op until the first `catchUp`. */
  push(word: number): void {
    if (!this.active) return;
    if (this.freshCount === this.fresh.length) this.fresh = grown(this.fresh, this.freshCount + 1);
    this.fresh[this.freshCount++] = word;
  }

  /** Whether `catchUp` has nothing to do. */
  get isCurrent(): boolean {
    return this.active && this.freshCount === 0;
  }

  /** The runs, which include unused words. Call `catchUp` first. */
  get runs(): readonly SortedRun[] {
    return [this.large, this.small];
  }

  /**
   * Merges new words in; yields every few thousand words. Must run to completion, one call at a
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
   * Drops the words that are gone, in steps; yields the number of words visited after each. Must
   * not run during `catchUp`.
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
