import { NO_TERM, type TermId } from '../contracts/term-source.ts';
import type { LookupColumns } from './lookup-columns.ts';

/** Up to this many ids from the first to the last key per row, values are in an array by id. */
const MAX_SPAN_BY_ID = 3.5;
/** Above this many, pairs of keys and values take less memory than bits. */
const MAX_SPAN = 32;
const STEP_ROWS = 1 << 16;
/** Ids that share a word of bits, as a power of two. */
const WORD = 5;
const IDS_OF_WORD = 1 << WORD;

/**
 * The values of keys that have one each, such as the object by subject of a functional predicate.
 * Finds a value in one or two memory accesses: in an array by id, or, if few ids are keys, by a bit
 * for each id. The values of those with a bit are in the order of the ids, so that the number of
 * bits before that of a key is the position of its value.
 */
export class DirectIndex {
  /** Smallest and largest key that it is asked for; others have no value. */
  readonly lowest: TermId;
  readonly highest: TermId;
  private readonly first: TermId;
  private readonly values: Uint32Array;
  /** For 32 ids each: their bits, and the number of bits before. Undefined if values are by id. */
  private readonly words: Uint32Array | undefined;

  /** @param first the id of the first value, or of the first bit */
  constructor(
    first: TermId,
    values: Uint32Array,
    words: Uint32Array | undefined,
    { lowest, highest }: { readonly lowest: TermId; readonly highest: TermId },
  ) {
    this.lowest = lowest;
    this.highest = highest;
    this.first = first;
    this.values = values;
    this.words = words;
  }

  get byteLength(): number {
    return this.values.byteLength + (this.words?.byteLength ?? 0);
  }

  /** Returns the value of a key, or NO_TERM. */
  get(key: TermId): TermId {
    // Also for ids below the first one, which wrap around.
    if ((key - this.lowest) >>> 0 > this.highest - this.lowest) return NO_TERM;
    const at = key - this.first;
    return this.words ? valueByBit(this.words, this.values, at) : this.values[at];
  }

  /**
   * Writes the value of each key, or NO_TERM, to the same position of `out`, up to a key outside of
   * the range of this index. Returns the position of that key, or `to`.
   */
  getAll(keys: Uint32Array, from: number, to: number, out: Uint32Array): number {
    const { lowest, first, values, words } = this;
    const span = this.highest - lowest;
    let row = from;
    if (words) {
      for (; row < to && (keys[row] - lowest) >>> 0 <= span; row++)
        out[row] = valueByBit(words, values, keys[row] - first);
    } else {
      for (; row < to && (keys[row] - lowest) >>> 0 <= span; row++) out[row] = values[keys[row] - first];
    }
    return row;
  }

  /** Returns the same index for the keys in a range. */
  between(low: TermId, high: TermId): DirectIndex {
    const lowest = Math.max(low, this.lowest);
    const highest = Math.max(lowest - 1, Math.min(high, this.highest));
    return new DirectIndex(this.first, this.values, this.words, { lowest, highest });
  }

  /** Returns the keys in a range that have a value, ascending. */
  keysBetween(low: TermId, high: TermId): Uint32Array {
    const part = this.between(low, high);
    const keys = new Uint32Array(Math.min(part.highest - part.lowest + 1, this.values.length));
    const { length } = part.read(part.lowest, part.highest + 1, { keys, values: NO_COLUMN, from: 0, to: keys.length });
    return keys.subarray(0, length);
  }

  /**
   * Writes the keys in `key .. limit - 1` that have a value, and their values, ascending, from one
   * position of two columns to another; a column without length is not written. Returns where it
   * stopped in both.
   */
  read(key: TermId, limit: TermId, { keys, values: out, from, to }: KeyColumns): { key: TermId; length: number } {
    const { first, values, words } = this;
    const end = Math.min(limit, this.highest + 1);
    const hasKeys = keys.length > 0;
    const hasValues = out.length > 0;
    let length = from;
    if (key >= end) return { key, length };
    if (!words) {
      for (; key < end && length < to; key++) {
        const value = values[key - first];
        if (value === NO_TERM) continue;
        if (hasKeys) keys[length] = key;
        if (hasValues) out[length] = value;
        length++;
      }
      return { key, length };
    }
    while (key < end && length < to) {
      const at = key - first;
      const word = (at >>> WORD) * 2;
      let bits = words[word] & (-1 << (at & (IDS_OF_WORD - 1)));
      let position = words[word + 1] + countBits(words[word] & ~bits);
      const start = key - (at & (IDS_OF_WORD - 1));
      key = start + IDS_OF_WORD;
      for (; bits !== 0; bits &= bits - 1) {
        const found = start + 31 - Math.clz32(bits & -bits);
        if (found >= end || length === to) {
          key = found;
          break;
        }
        if (hasKeys) keys[length] = found;
        if (hasValues) out[length] = values[position];
        position++;
        length++;
      }
    }
    return { key: Math.min(key, end), length };
  }
}

/** Where to write keys and values: positions `from .. to - 1`. */
interface KeyColumns {
  readonly keys: Uint32Array;
  readonly values: Uint32Array;
  readonly from: number;
  readonly to: number;
}

const NO_COLUMN = new Uint32Array(0);

function valueByBit(words: Uint32Array, values: Uint32Array, at: number): TermId {
  const word = (at >>> WORD) * 2;
  const bits = words[word];
  // Shifts use the lowest five bits of their right operand.
  if (((bits >>> at) & 1) === 0) return NO_TERM;
  return values[words[word + 1] + countBits(bits & ~(-1 << at))];
}

function countBits(bits: number): number {
  bits -= (bits >>> 1) & 0x55555555;
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/**
 * Builds an index of at least one row, with pauses. Returns undefined if a key has several values,
 * or if the keys are too far apart.
 */
export function* directIndex({ keys, values }: LookupColumns): Generator<void, DirectIndex | undefined, void> {
  let lowest = keys[0];
  let highest = lowest;
  for (let row = 0; row < keys.length; row++) {
    const key = keys[row];
    if (key < lowest) lowest = key;
    if (key > highest) highest = key;
    if (row % STEP_ROWS === STEP_ROWS - 1) yield;
  }
  const range = { lowest, highest };
  const span = highest - lowest + 1;
  if (span > keys.length * MAX_SPAN) return undefined;
  if (span > keys.length * MAX_SPAN_BY_ID) return yield* indexByBits(keys, values, range);
  const byId = new Uint32Array(span);
  for (let row = 0; row < keys.length; row++) {
    const at = keys[row] - lowest;
    if (byId[at] !== NO_TERM) return undefined;
    byId[at] = values[row];
    if (row % STEP_ROWS === STEP_ROWS - 1) yield;
  }
  return new DirectIndex(lowest, byId, undefined, range);
}

function* indexByBits(
  keys: Uint32Array,
  values: Uint32Array,
  range: { readonly lowest: TermId; readonly highest: TermId },
): Generator<void, DirectIndex | undefined, void> {
  const { lowest, highest } = range;
  const words = new Uint32Array((((highest - lowest) >>> WORD) + 1) * 2);
  for (let row = 0; row < keys.length; row++) {
    const at = keys[row] - lowest;
    const word = (at >>> WORD) * 2;
    const bit = 1 << at;
    if ((words[word] & bit) !== 0) return undefined;
    words[word] |= bit;
    if (row % STEP_ROWS === STEP_ROWS - 1) yield;
  }
  for (let word = 2; word < words.length; word += 2) {
    words[word + 1] = words[word - 1] + countBits(words[word - 2]);
    if (word % STEP_ROWS === 0) yield;
  }
  const inOrder = new Uint32Array(keys.length);
  for (let row = 0; row < keys.length; row++) {
    const at = keys[row] - lowest;
    const word = (at >>> WORD) * 2;
    inOrder[words[word + 1] + countBits(words[word] & ~(-1 << at))] = values[row];
    if (row % STEP_ROWS === STEP_ROWS - 1) yield;
  }
  return new DirectIndex(lowest, inOrder, words, range);
}
