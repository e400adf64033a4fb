import { grown } from '../grown.ts';
import type { WordTable } from './word-table.ts';

/** Words sorted by (space, text), and where each parts from the one before: 6 bytes a word, and 4 for each beginning of three bytes. */
export interface SortedRun {
  readonly words: Uint32Array;
  /** How many leading bytes it shares; 0 for the first, and where the space changes. */
  readonly shared: Uint8Array;
  /** The byte after those. */
  readonly next: Uint8Array;
  /** The places of the words that share fewer than {@link GROUP_BYTES} bytes: whoever needs nothing of a short beginning goes from one to the next. */
  readonly groups: Uint32Array;
}

export const GROUP_BYTES = 3;

const EMPTY: SortedRun = {
  words: new Uint32Array(0),
  shared: new Uint8Array(0),
  next: new Uint8Array(0),
  groups: new Uint32Array(0),
};
/** The small run is merged into the large one when it has both so many words and an eighth of the large one's. */
const MIN_MERGED = 4096;
const STRIDE = 4096;

/**
 * The spellings of an index in order, for completions and corrections. Nothing is sorted before the first search that wants it; from then on each
 * `catchUp` sorts the words that are new and merges them in, as a large run and a small one.
 */
export class SpellingList {
  private readonly table: WordTable;
  private large = EMPTY;
  private small = EMPTY;
  private active = false;
  private fresh = new Uint32Array(16);
  private freshCount = 0;

  constructor(table: WordTable) {
    this.table = table;
  }

  get byteLength(): number {
    return bytesOf(this.large) + bytesOf(this.small) + this.fresh.byteLength;
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

  /** Takes the new words in; yields every few thousand words. It must run to its end, one call at a time. */
  *catchUp(): Generator<void, void> {
    const { table } = this;
    if (!this.active) {
      this.active = true;
      for (let word = 0; word < table.size; word++) if (table.isSpelling(word)) this.push(word);
    }
    while (this.freshCount > 0) {
      const words = this.fresh.slice(0, this.freshCount);
      this.freshCount = 0;
      this.fresh = new Uint32Array(16);
      yield* sortWords(table, words);
      const small = yield* mergeRuns(table, this.small.words, words);
      if (small.words.length < Math.max(MIN_MERGED, this.large.words.length / 8)) {
        this.small = small;
      } else {
        this.large = yield* mergeRuns(table, this.large.words, small.words);
        this.small = EMPTY;
      }
    }
  }

  /** Lets go of the words that are gone, in steps; gives how many words it looked at after each. Not while `catchUp` runs. */
  *purge(): Generator<number, void> {
    for (const run of ['large', 'small'] as const) {
      const words = this[run].words.filter((word) => this.table.isSpelling(word));
      yield this[run].words.length >>> 2;
      const linking = link(this.table, words);
      let step = linking.next();
      for (; !step.done; step = linking.next()) yield STRIDE;
      this[run] = step.value;
    }
    const fresh = this.fresh.subarray(0, this.freshCount).filter((word) => this.table.isSpelling(word));
    this.fresh.set(fresh);
    this.freshCount = fresh.length;
  }
}

function bytesOf({ words, groups }: SortedRun): number {
  return words.length * 6 + groups.length * 4;
}

function* mergeRuns(table: WordTable, left: Uint32Array, right: Uint32Array): Generator<void, SortedRun> {
  const words = new Uint32Array(left.length + right.length);
  let fromLeft = 0;
  let fromRight = 0;
  for (let at = 0; at < words.length; at++) {
    const takesLeft =
      fromRight === right.length || (fromLeft < left.length && table.compare(left[fromLeft], right[fromRight]) < 0);
    words[at] = takesLeft ? left[fromLeft++] : right[fromRight++];
    if (at % STRIDE === STRIDE - 1) yield;
  }
  return yield* link(table, words);
}

/** Sorted words as a run. */
function* link(table: WordTable, words: Uint32Array): Generator<void, SortedRun> {
  const shared = new Uint8Array(words.length);
  const next = new Uint8Array(words.length);
  let groupCount = 0;
  for (let at = 0; at < words.length; at++) {
    if (at > 0) shared[at] = sharedBytes(table, words[at - 1], words[at]);
    next[at] = table.bytes[table.textStart(words[at]) + shared[at]];
    if (shared[at] < GROUP_BYTES) groupCount++;
    if (at % STRIDE === STRIDE - 1) yield;
  }
  const groups = new Uint32Array(groupCount);
  for (let at = 0, group = 0; group < groupCount; at++) if (shared[at] < GROUP_BYTES) groups[group++] = at;
  return { words, shared, next, groups };
}

function sharedBytes(table: WordTable, one: number, other: number): number {
  if (table.spaceOf(one) !== table.spaceOf(other)) return 0;
  const { bytes } = table;
  const start = table.textStart(one);
  const otherStart = table.textStart(other);
  const end = Math.min(table.textLength(one), table.textLength(other));
  let length = 0;
  while (length < end && bytes[start + length] === bytes[otherStart + length]) length++;
  return length;
}

/**
 * Sorts words in place: three-way radix quicksort (Bentley, Sedgewick 1997), which looks at each byte of a common beginning once. It keeps its own
 * stack, since hostile words may share beginnings of any length. Yields after a few thousand words.
 */
function* sortWords(table: WordTable, words: Uint32Array): Generator<void, void> {
  // Triples: first, end, and how many leading bytes (the space is the first) all words between share.
  const stack = [0, words.length, 0];
  let visited = 0;
  while (stack.length > 0) {
    const depth = stack.pop()!;
    const end = stack.pop()!;
    const start = stack.pop()!;
    if (end - start < 12) {
      insertionSort(table, words, start, end);
      visited += end - start;
    } else {
      const pivot = medianByte(table, words, start, end, depth);
      let below = start;
      let above = end;
      for (let at = start; at < above; ) {
        const byte = byteAt(table, words[at], depth);
        if (byte < pivot) swap(words, below++, at++);
        else if (byte > pivot) swap(words, --above, at);
        else at++;
      }
      stack.push(start, below, depth, above, end, depth);
      // Words that end here are equal, and words are distinct.
      if (pivot >= 0) stack.push(below, above, depth + 1);
      visited += end - start;
    }
    if (visited >= STRIDE) {
      visited = 0;
      yield;
    }
  }
}

function insertionSort(table: WordTable, words: Uint32Array, start: number, end: number): void {
  for (let at = start + 1; at < end; at++) {
    const word = words[at];
    let hole = at;
    for (; hole > start && table.compare(word, words[hole - 1]) < 0; hole--) words[hole] = words[hole - 1];
    words[hole] = word;
  }
}

/** The space of a word, then its bytes, then -1. */
function byteAt(table: WordTable, word: number, depth: number): number {
  if (depth === 0) return table.spaceOf(word);
  return depth > table.textLength(word) ? -1 : table.bytes[table.textStart(word) + depth - 1];
}

function medianByte(table: WordTable, words: Uint32Array, start: number, end: number, depth: number): number {
  const first = byteAt(table, words[start], depth);
  const middle = byteAt(table, words[(start + end) >>> 1], depth);
  const last = byteAt(table, words[end - 1], depth);
  return Math.max(Math.min(first, middle), Math.min(Math.max(first, middle), last));
}

function swap(words: Uint32Array, one: number, other: number): void {
  const word = words[one];
  words[one] = words[other];
  words[other] = word;
}
