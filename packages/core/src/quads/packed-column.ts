import { lowerBound } from './bounds.ts';

/**
 * Columns of uint32 in compressed form, as segments store them: blocks of 1,024 values, each in the
 * encoding that takes the least space for it. `docs/reference/storage-format.md` describes the
 * bytes. Unpacking takes about as long as computing a CRC-32 of the unpacked column.
 */

/** Number of values per block. The last block of a column may be shorter. */
const BLOCK = 1024;
/**
 * A full block is packed in this many lanes, so that one step of a loop shifts all lanes equally.
 */
const LANES = 32;
/** Number of blocks handled per step of a kernel. */
const STEP_BLOCKS = 64;
/** Words before the payload of a block: encoding, width and count; then the base. */
const HEADER_WORDS = 2;
/** Largest number of values that a block may list. */
const MAX_LISTED = 256;

/** How the values of a block are derived from its base and the packed numbers. */
const ENCODING = {
  /** `base + number`. */
  offset: 0,
  /** The previous value plus the number; the first value is the base. */
  delta: 1,
  /** A bit per value: whether it is larger than the previous one, and by how much more than 1. */
  steps: 2,
  /** The number is an index into a list of values. */
  listed: 3,
} as const;

/** Scratch memory of one block. Functions that use it do not yield. */
const numbers = new Int32Array(BLOCK);
const values = new Uint32Array(BLOCK + 1);
/** Slots of a hash table of the values of a block: an index into `values` plus 1, or 0. */
const slots = new Uint16Array(4 * MAX_LISTED);
const SLOT_SHIFT = 32 - Math.log2(slots.length);
/** Number of values at the start of a block, and how many may be distinct if values are listed. */
const SAMPLE = 64;
const MAX_IN_SAMPLE = 48;

/** Returns the number of bits of a uint32; 0 for 0. */
function bitsOf(number: number): number {
  return 32 - Math.clz32(number);
}

/** Returns the number of words that `count` numbers of `width` bits take. */
function wordsOf(count: number, width: number): number {
  return (count * width + 31) >>> 5;
}

/** Packs a column. A kernel. */
export function* packColumn(column: Uint32Array): Generator<void, Int32Array, void> {
  let words = new Int32Array(Math.max(16, column.length >>> 1));
  let end = 0;
  for (let start = 0; start < column.length; start += BLOCK) {
    if (start > 0 && (start / BLOCK) % STEP_BLOCKS === 0) yield;
    if (words.length - end < HEADER_WORDS + BLOCK) {
      const larger = new Int32Array(words.length * 2 + HEADER_WORDS + BLOCK);
      larger.set(words.subarray(0, end));
      words = larger;
    }
    end = packBlock(column, start, Math.min(BLOCK, column.length - start), words, end);
  }
  return words.slice(0, end);
}

/** Packs a block at a position. Returns the position after it. */
function packBlock(column: Uint32Array, start: number, count: number, words: Int32Array, at: number): number {
  const end = start + count;
  let before = column[start];
  let min = before;
  let max = before;
  let maxStep = 0;
  let steps = 0;
  let ascends = true;
  for (let i = start + 1; i < end; i++) {
    const value = column[i];
    if (value > before) {
      steps++;
      if (value - before > maxStep) maxStep = value - before;
      if (value > max) max = value;
    } else if (value < before) {
      ascends = false;
      if (value < min) min = value;
    }
    before = value;
  }
  const width = bitsOf(max - min);
  const offsetWords = wordsOf(count, width);
  if (ascends) {
    const deltaWords = wordsOf(count, bitsOf(maxStep));
    const stepWords = wordsOf(count, 1) + wordsOf(steps, bitsOf(Math.max(0, maxStep - 1)));
    if (stepWords < Math.min(deltaWords, offsetWords)) return packSteps(column, start, end, steps, maxStep, words, at);
    if (deltaWords < offsetWords) return packDeltas(column, start, end, maxStep, words, at);
  } else if (width > 1) {
    const listed = listValues(column, start, end, min, width, offsetWords);
    if (listed > 0) {
      at = putHeader(words, at, ENCODING.listed, bitsOf(listed - 1), listed, 0);
      words.set(values.subarray(0, listed), at);
      return packNumbers(count, bitsOf(listed - 1), words, at + listed);
    }
  }
  for (let i = 0; i < count; i++) numbers[i] = column[start + i] - min;
  at = putHeader(words, at, ENCODING.offset, width, 0, min);
  return packNumbers(count, width, words, at);
}

function putHeader(
  words: Int32Array,
  at: number,
  encoding: number,
  width: number,
  count: number,
  base: number,
): number {
  words[at] = encoding | (width << 8) | (count << 16);
  words[at + 1] = base;
  return at + HEADER_WORDS;
}

function packDeltas(
  column: Uint32Array,
  start: number,
  end: number,
  maxStep: number,
  words: Int32Array,
  at: number,
): number {
  numbers[0] = 0;
  for (let i = start + 1; i < end; i++) numbers[i - start] = column[i] - column[i - 1];
  at = putHeader(words, at, ENCODING.delta, bitsOf(maxStep), 0, column[start]);
  return packNumbers(end - start, bitsOf(maxStep), words, at);
}

function packSteps(
  column: Uint32Array,
  start: number,
  end: number,
  steps: number,
  maxStep: number,
  words: Int32Array,
  at: number,
): number {
  const width = bitsOf(Math.max(0, maxStep - 1));
  at = putHeader(words, at, ENCODING.steps, width, steps, column[start]);
  const bitmapEnd = at + wordsOf(end - start, 1);
  words.fill(0, at, bitmapEnd);
  let step = 0;
  for (let i = start + 1; i < end; i++) {
    if (column[i] === column[i - 1]) continue;
    words[at + ((i - start) >>> 5)] |= 1 << ((i - start) & 31);
    numbers[step++] = column[i] - column[i - 1] - 1;
  }
  return packRow(steps, width, words, bitmapEnd);
}

/**
 * Collects the values values of a block in `values`, and the index of each value in `numbers`.
 * Returns how many there are, or 0 if listing them takes at least `maxWords`.
 */
function listValues(
  column: Uint32Array,
  start: number,
  end: number,
  min: number,
  width: number,
  maxWords: number,
): number {
  const isNarrow = 2 ** width <= slots.length;
  // Objects are mostly distinct, and a few of them show it.
  const sample = Math.min(SAMPLE, end - start);
  if (listRange(column, start, start + sample, min, isNarrow) > MAX_IN_SAMPLE) return 0;
  const count = listRange(column, start, end, min, isNarrow);
  return count > 0 && count + wordsOf(end - start, bitsOf(count - 1)) < maxWords ? count : 0;
}

/** Returns the number of distinct values, or 0 if there are too many. */
function listRange(column: Uint32Array, start: number, end: number, min: number, isNarrow: boolean): number {
  slots.fill(0);
  let count = 0;
  for (let i = start; i < end; i++) {
    const value = column[i];
    let slot = value - min;
    if (!isNarrow) {
      slot = Math.imul(value, 0x9e3779b1) >>> SLOT_SHIFT;
      while (slots[slot] !== 0 && values[slots[slot] - 1] !== value) slot = (slot + 1) & (slots.length - 1);
    }
    if (slots[slot] === 0) {
      if (count === MAX_LISTED) return 0;
      values[count++] = value;
      slots[slot] = count;
    }
    numbers[i - start] = slots[slot] - 1;
  }
  return count;
}

/** Packs the first `count` of `numbers`: a full block in lanes, a shorter one in a row. */
function packNumbers(count: number, width: number, words: Int32Array, at: number): number {
  if (count < BLOCK) return packRow(count, width, words, at);
  const end = at + LANES * width;
  words.fill(0, at, end);
  if (width === 0) return end;
  for (let row = 0; row < BLOCK; row += LANES) {
    const bit = (row / LANES) * width;
    const low = at + (bit >>> 5) * LANES;
    packLanes(row, bit & 31, words, low);
    if ((bit & 31) + width > 32) packHighLanes(row, 32 - (bit & 31), words, low + LANES);
  }
  return end;
}

function packLanes(row: number, shift: number, words: Int32Array, low: number): void {
  for (let lane = 0; lane < LANES; lane++) words[low + lane] |= numbers[row + lane] << shift;
}

function packHighLanes(row: number, shift: number, words: Int32Array, high: number): void {
  for (let lane = 0; lane < LANES; lane++) words[high + lane] = numbers[row + lane] >>> shift;
}

/** Packs the first `count` of `numbers` one after the other. */
function packRow(count: number, width: number, words: Int32Array, at: number): number {
  const end = at + wordsOf(count, width);
  words.fill(0, at, end);
  let bit = 0;
  for (let i = 0; i < count; i++, bit += width) {
    const word = at + (bit >>> 5);
    const shift = bit & 31;
    words[word] |= numbers[i] << shift;
    if (shift + width > 32) words[word + 1] |= numbers[i] >>> (32 - shift);
  }
  return end;
}

/**
 * A column in packed form, which is read as a whole or in part. Throws a RangeError if it would end
 * after the words, or if a block is not one; reading it cannot fail.
 */
export class PackedColumn {
  readonly length: number;
  /** The position after it. */
  readonly end: number;
  private readonly words: Int32Array;
  /** The position of each block. */
  private readonly blocks: Uint32Array;

  constructor(words: Int32Array, at: number, length: number) {
    // Before memory is taken for it: the shortest block is its header.
    if ((length / BLOCK) * HEADER_WORDS > words.length) throw tooShort();
    this.words = words;
    this.length = length;
    this.blocks = new Uint32Array(Math.ceil(length / BLOCK));
    for (let block = 0; block < this.blocks.length; block++) {
      this.blocks[block] = at;
      at = endOfBlock(words, at, this.sizeOf(block));
    }
    this.end = at;
  }

  /** Returns all values. A kernel. */
  *values(): Generator<void, Uint32Array, void> {
    const { words, blocks } = this;
    const column = new Uint32Array(this.length);
    for (let block = 0; block < blocks.length; block++) {
      if (block > 0 && block % STEP_BLOCKS === 0) yield;
      unpackBlock(words, blocks[block], column, block * BLOCK, this.sizeOf(block));
    }
    return column;
  }

  /** Returns the values `start .. end - 1`. */
  valuesWithin(start: number, end: number): Uint32Array {
    const column = new Uint32Array(end - start);
    for (let block = Math.floor(start / BLOCK); block * BLOCK < end; block++) {
      this.unpackOne(block);
      const first = Math.max(start, block * BLOCK);
      const last = Math.min(end, (block + 1) * BLOCK);
      column.set(scratch.subarray(first - block * BLOCK, last - block * BLOCK), first - start);
    }
    return column;
  }

  /** Like `lowerBound` of the column: see `bounds.ts`. Unpacks a logarithmic number of blocks. */
  lowerBound(start: number, end: number, key: number): number {
    // The last block that begins with a lower key has the row, or ends where it is.
    let low = Math.floor(start / BLOCK);
    let high = Math.ceil(end / BLOCK) - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      this.unpackOne(middle);
      if (scratch[0] < key) low = middle;
      else high = middle - 1;
    }
    this.unpackOne(low);
    const first = low * BLOCK;
    return first + lowerBound(scratch, Math.max(0, start - first), Math.min(BLOCK, end - first), key);
  }

  private sizeOf(block: number): number {
    return Math.min(BLOCK, this.length - block * BLOCK);
  }

  private unpackOne(block: number): void {
    unpackBlock(this.words, this.blocks[block], scratch, 0, this.sizeOf(block));
  }
}

/** Scratch memory of one unpacked block. */
const scratch = new Uint32Array(BLOCK);

function endOfBlock(words: Int32Array, at: number, count: number): number {
  if (at + HEADER_WORDS > words.length) throw tooShort();
  const encoding = words[at] & 0xff;
  const width = (words[at] >>> 8) & 0xff;
  const listed = words[at] >>> 16;
  if (encoding > ENCODING.listed || width > 32 || listed > BLOCK) throw new RangeError('A block is not one.');
  at += HEADER_WORDS;
  if (encoding === ENCODING.steps) at += wordsOf(count, 1) + wordsOf(listed, width);
  else at += (encoding === ENCODING.listed ? listed : 0) + wordsOf(count, width);
  if (at > words.length) throw tooShort();
  return at;
}

function tooShort(): RangeError {
  return new RangeError('A packed column ends too early.');
}

/** Unpacks a block of `count` values to `target[start]` on. */
function unpackBlock(words: Int32Array, at: number, target: Uint32Array, start: number, count: number): void {
  const encoding = words[at] & 0xff;
  const width = (words[at] >>> 8) & 0xff;
  const listed = words[at] >>> 16;
  const base = words[at + 1];
  at += HEADER_WORDS;
  if (encoding === ENCODING.offset) {
    unpackNumbers(words, at, width, base, target, start, count);
  } else if (encoding === ENCODING.delta) {
    unpackNumbers(words, at, width, 0, target, start, count);
    addUp(target, start, count, base);
  } else if (encoding === ENCODING.steps) {
    unpackRow(words, at + wordsOf(count, 1), width, 1, values, 1, listed);
    values[0] = 0;
    addUp(values, 0, listed + 1, base);
    takeSteps(words, at, target, start, count);
  } else {
    for (let i = 0; i < listed; i++) values[i] = words[at + i];
    unpackNumbers(words, at + listed, width, 0, target, start, count);
    takeListed(target, start, count);
  }
}

function takeListed(target: Uint32Array, start: number, count: number): void {
  // Bits that no writer sets are dropped, so that damage stays within the scratch memory.
  for (let i = start; i < start + count; i++) target[i] = values[target[i] & (BLOCK - 1)];
}

function addUp(target: Uint32Array, start: number, count: number, base: number): void {
  let value = base;
  for (let i = start; i < start + count; i++) {
    value = (value + target[i]) | 0;
    target[i] = value;
  }
}

function takeSteps(words: Int32Array, bitmap: number, target: Uint32Array, start: number, count: number): void {
  let step = 0;
  for (let i = 0; i < count; i++) {
    step += (words[bitmap + (i >>> 5)] >>> (i & 31)) & 1;
    target[start + i] = values[step];
  }
}

/** Unpacks `count` numbers and adds the base to each. */
function unpackNumbers(
  words: Int32Array,
  at: number,
  width: number,
  base: number,
  target: Uint32Array,
  start: number,
  count: number,
): void {
  if (count < BLOCK) {
    unpackRow(words, at, width, base, target, start, count);
    return;
  }
  if (width === 0) {
    target.fill(base, start, start + BLOCK);
    return;
  }
  const mask = width === 32 ? -1 : (1 << width) - 1;
  for (let row = 0; row < BLOCK / LANES; row++, start += LANES) {
    const bit = row * width;
    const shift = bit & 31;
    const low = at + (bit >>> 5) * LANES;
    if (shift + width <= 32) unpackLanes(words, low, shift, mask, base, target, start);
    else unpackSplitLanes(words, low, shift, mask, base, target, start);
  }
}

function unpackLanes(
  words: Int32Array,
  low: number,
  shift: number,
  mask: number,
  base: number,
  target: Uint32Array,
  start: number,
): void {
  for (let lane = 0; lane < LANES; lane++) {
    target[start + lane] = (base + ((words[low + lane] >>> shift) & mask)) | 0;
  }
}

function unpackSplitLanes(
  words: Int32Array,
  low: number,
  shift: number,
  mask: number,
  base: number,
  target: Uint32Array,
  start: number,
): void {
  const high = low + LANES;
  const up = 32 - shift;
  for (let lane = 0; lane < LANES; lane++) {
    const number = ((words[low + lane] >>> shift) | (words[high + lane] << up)) & mask;
    target[start + lane] = (base + number) | 0;
  }
}

/** Unpacks numbers that are packed one after the other, and adds the base to each. */
function unpackRow(
  words: Int32Array,
  at: number,
  width: number,
  base: number,
  target: Uint32Array,
  start: number,
  count: number,
): void {
  const mask = width === 32 ? -1 : (1 << width) - 1;
  let bit = 0;
  for (let i = start; i < start + count; i++, bit += width) {
    const word = at + (bit >>> 5);
    const shift = bit & 31;
    let number = words[word] >>> shift;
    if (shift + width > 32) number |= words[word + 1] << (32 - shift);
    target[i] = (base + (number & mask)) | 0;
  }
}
