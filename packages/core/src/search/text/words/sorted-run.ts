import type { WordTable } from './word-table.ts';

/** Whether words are read, and therefore sorted, from their first byte or from their last. */
export type Reading = 'forwards' | 'backwards';

/**
 * Words ordered by (space, bytes as read), with the prefix that each shares with its predecessor: 6
 * bytes per word, and 4 per entry of `starts`.
 */
export interface SortedRun {
  readonly reading: Reading;
  readonly words: Uint32Array;
  /**
   * Number of leading bytes, as read, shared with the previous word; 0 for the first word and where
   * the space changes.
   */
  readonly shared: Uint8Array;
  /** The byte after the shared ones. */
  readonly next: Uint8Array;
  /**
   * For 1 byte, 2 bytes and so on: the positions of words that share fewer. A scan that rejects a
   * short prefix continues at the next of them.
   */
  readonly starts: readonly Uint32Array[];
}

/** Maximum prefix length with an entry in `starts`. */
export const START_BYTES = 4;
/** Words between two yields. */
export const STRIDE = 4096;

export function emptyRun(reading: Reading): SortedRun {
  const none = new Uint32Array(0);
  return {
    reading,
    words: none,
    shared: new Uint8Array(0),
    next: new Uint8Array(0),
    starts: Array.from({ length: START_BYTES }, () => none),
  };
}

export function bytesOfRun({ words, starts }: SortedRun): number {
  return starts.reduce((bytes, { byteLength }) => bytes + byteLength, words.length * 6);
}

/** Merges two lists of sorted words into one run. */
export function* mergeRuns(
  table: WordTable,
  reading: Reading,
  left: Uint32Array,
  right: Uint32Array,
): Generator<void, SortedRun> {
  const words = new Uint32Array(left.length + right.length);
  let fromLeft = 0;
  let fromRight = 0;
  for (let at = 0; at < words.length; at++) {
    const takesLeft =
      fromRight === right.length ||
      (fromLeft < left.length && compareWords(table, reading, left[fromLeft], right[fromRight]) < 0);
    words[at] = takesLeft ? left[fromLeft++] : right[fromRight++];
    if (at % STRIDE === STRIDE - 1) yield;
  }
  return yield* linkWords(table, reading, words);
}

/** Makes a run of sorted words. */
export function* linkWords(table: WordTable, reading: Reading, words: Uint32Array): Generator<void, SortedRun> {
  const shared = new Uint8Array(words.length);
  const next = new Uint8Array(words.length);
  const counts = new Uint32Array(START_BYTES);
  for (let at = 0; at < words.length; at++) {
    if (at > 0) shared[at] = sharedBytes(table, reading, words[at - 1], words[at]);
    next[at] = byteAt(table, reading, words[at], shared[at] + 1);
    if (shared[at] < START_BYTES) counts[shared[at]]++;
    if (at % STRIDE === STRIDE - 1) yield;
  }
  let total = 0;
  const starts = Array.from(counts, (count) => new Uint32Array((total += count)));
  const filled = new Uint32Array(START_BYTES);
  for (let at = 0; at < words.length; at++) {
    for (let bytes = shared[at]; bytes < START_BYTES; bytes++) starts[bytes][filled[bytes]++] = at;
    if (at % STRIDE === STRIDE - 1) yield;
  }
  return { reading, words, shared, next, starts };
}

function sharedBytes(table: WordTable, reading: Reading, one: number, other: number): number {
  if (table.spaceOf(one) !== table.spaceOf(other)) return 0;
  const end = Math.min(table.textLength(one), table.textLength(other));
  let length = 0;
  while (length < end && byteAt(table, reading, one, length + 1) === byteAt(table, reading, other, length + 1))
    length++;
  return length;
}

/** Compares by space, then by the bytes as read. */
function compareWords(table: WordTable, reading: Reading, one: number, other: number): number {
  if (reading === 'forwards') return table.compare(one, other);
  for (let depth = 0; ; depth++) {
    const byte = byteAt(table, reading, one, depth);
    const difference = byte - byteAt(table, reading, other, depth);
    if (difference !== 0 || byte < 0) return difference;
  }
}

/** Returns the space of a word at depth 0, then its bytes as read, then -1. */
function byteAt(table: WordTable, reading: Reading, word: number, depth: number): number {
  if (depth === 0) return table.spaceOf(word);
  const length = table.textLength(word);
  if (depth > length) return -1;
  return table.bytes[table.textStart(word) + (reading === 'forwards' ? depth - 1 : length - depth)];
}

/**
 * Sorts words in place: three-way radix quicksort (Bentley, Sedgewick 1997), which reads each byte
 * of a common prefix once. Uses an explicit stack, because hostile words may share prefixes of any
 * length. Yields after a few thousand words.
 */
export function* sortWords(table: WordTable, reading: Reading, words: Uint32Array): Generator<void, void> {
  // Triples: start, end, and the number of leading bytes (the space is the first) shared by all
  // words between them.
  const stack = [0, words.length, 0];
  let visited = 0;
  while (stack.length > 0) {
    const depth = stack.pop()!;
    const end = stack.pop()!;
    const start = stack.pop()!;
    if (end - start < 12) {
      insertionSort(table, reading, words, start, end);
      visited += end - start;
    } else {
      const pivot = medianByte(table, reading, words, start, end, depth);
      let below = start;
      let above = end;
      for (let at = start; at < above; ) {
        const byte = byteAt(table, reading, words[at], depth);
        if (byte < pivot) swap(words, below++, at++);
        else if (byte > pivot) swap(words, --above, at);
        else at++;
      }
      stack.push(start, below, depth, above, end, depth);
      // Words that end here are equal, and words are distinct, so there is at most one.
      if (pivot >= 0) stack.push(below, above, depth + 1);
      visited += end - start;
    }
    if (visited >= STRIDE) {
      visited = 0;
      yield;
    }
  }
}

function insertionSort(table: WordTable, reading: Reading, words: Uint32Array, start: number, end: number): void {
  for (let at = start + 1; at < end; at++) {
    const word = words[at];
    let hole = at;
    for (; hole > start && compareWords(table, reading, word, words[hole - 1]) < 0; hole--)
      words[hole] = words[hole - 1];
    words[hole] = word;
  }
}

function medianByte(
  table: WordTable,
  reading: Reading,
  words: Uint32Array,
  start: number,
  end: number,
  depth: number,
): number {
  const first = byteAt(table, reading, words[start], depth);
  const middle = byteAt(table, reading, words[(start + end) >>> 1], depth);
  const last = byteAt(table, reading, words[end - 1], depth);
  return Math.max(Math.min(first, middle), Math.min(Math.max(first, middle), last));
}

function swap(words: Uint32Array, one: number, other: number): void {
  const word = words[one];
  words[one] = words[other];
  words[other] = word;
}
