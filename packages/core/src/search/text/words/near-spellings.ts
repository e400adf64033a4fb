import type { EditDistance } from './edit-distance.ts';
import { type SortedRun, START_BYTES } from './sorted-run.ts';
import type { WordTable } from './word-table.ts';

/**
 * By number of leading bytes of the previous word: the number of whole letters in them. A word has
 * at most 255 bytes.
 */
const lettersAt = new Uint8Array(257);
/** More bytes than a word has: no prefix is known to be too far away. */
const NONE = 256;
/** For each row of a run's `starts`, the first position in it that has not been passed. */
const passed = new Uint32Array(START_BYTES);

/**
 * Calls `visit` with the words of a run that may be near, and their distances. A prefix that is too
 * far away is skipped with all its words, and a prefix shared by neighbouring words is read once.
 */
export function visitNear(
  table: WordTable,
  { reading, words, shared, next, starts }: SortedRun,
  distances: EditDistance,
  visit: (word: number, distance: number) => void,
): void {
  const { bytes } = table;
  const step = reading === 'forwards' ? 1 : -1;
  const count = words.length;
  passed.fill(0);
  // Length of a prefix known to be too far away; words that share it are too.
  let deadBytes = NONE;
  for (let at = 0; at < count; at++) {
    let index = shared[at];
    if (index >= deadBytes) {
      if (deadBytes <= START_BYTES) {
        at = nextStart(starts[deadBytes - 1], deadBytes - 1, at, count);
        if (at === count) return;
      } else {
        do at++;
        while (at < count && shared[at] >= deadBytes);
        if (at === count) return;
      }
      index = shared[at];
    }
    const first = next[at];
    let depth = lettersAt[index];
    // Fast path: most words end here, before their text is read.
    if (first < 0x80) {
      lettersAt[++index] = ++depth;
      if (!distances.push(depth, first)) {
        deadBytes = index;
        continue;
      }
    }
    const word = words[at];
    const length = table.textLength(word);
    const origin = table.textStart(word) + (step === 1 ? 0 : length - 1);
    // Go back to the start of a partially shared letter.
    if (step === 1) while (index < length && (bytes[origin + index] & 0xc0) === 0x80) index--;
    else while (index > 0 && (bytes[origin - index + 1] & 0xc0) === 0x80) index--;
    depth = lettersAt[index];
    deadBytes = NONE;
    while (index < length) {
      const place = origin + index * step;
      let letter = bytes[place];
      let size = 1;
      if (letter >= 0x80) {
        letter = step === 1 ? letterAt(bytes, place) : letterBefore(bytes, place);
        size = letter < 0x800 ? 2 : letter < 0x10000 ? 3 : 4;
        for (let more = 1; more < size; more++) lettersAt[index + more] = depth;
      }
      index += size;
      lettersAt[index] = ++depth;
      if (!distances.push(depth, letter)) {
        deadBytes = index;
        break;
      }
    }
    if (deadBytes === NONE) visit(word, distances.distance(depth));
  }
}

/**
 * Returns the first position in a list after `at`, or `none`. `row` selects the list's entry in
 * `passed`; `at` must not descend.
 */
function nextStart(list: Uint32Array, row: number, at: number, none: number): number {
  let low = passed[row];
  // Gallop, then bisect.
  let step = 1;
  while (low + step < list.length && list[low + step] <= at) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step, list.length);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (list[middle] <= at) low = middle + 1;
    else high = middle;
  }
  passed[row] = low;
  return low < list.length ? list[low] : none;
}

/** Returns the multi-byte letter that starts at a byte. */
function letterAt(bytes: Uint8Array, place: number): number {
  const lead = bytes[place];
  const size = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  let letter = lead & (0x7f >>> size);
  for (let more = 1; more < size; more++) letter = (letter << 6) | (bytes[place + more] & 0x3f);
  return letter;
}

/** Returns the multi-byte letter that ends at a byte. */
function letterBefore(bytes: Uint8Array, place: number): number {
  while ((bytes[place] & 0xc0) === 0x80) place--;
  return letterAt(bytes, place);
}
