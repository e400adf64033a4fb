import { runAtOnce } from '../contracts/slicer.ts';
import { lengthAt, prefixBytes, viewOf } from './byte-arena.ts';
import type { TermTable } from './term-table.ts';

/** Number of terms per step of a kernel. */
const STEP = 4096;

/**
 * Consecutive terms of a table in storage form: their metas, and their texts as the arena stores
 * them (length prefix, bytes, zero padding to a multiple of 4), without decoding any term. The
 * texts alias the arena, whose content is immutable.
 */
export interface PackedTerms {
  readonly metas: Uint32Array;
  readonly texts: readonly Uint8Array[];
}

/** The terms that remain (are not free) in a range of numbers. */
export interface LivingTerms extends PackedTerms {
  /** Their numbers as pairs of a first number and a count of consecutive numbers, ascending. */
  readonly ranges: Uint32Array;
}

/** Packs the terms `first .. last`, or nothing if `last` is smaller. None of them may be free. */
export function packTerms(table: TermTable, first: number, last: number): PackedTerms {
  const metas = new Uint32Array(Math.max(0, last - first + 1));
  for (let i = 0; i < metas.length; i++) metas[i] = table.metaOf(first + i);
  if (table.isGapless) return { metas, texts: [...table.pieces(first, last)] };
  if (metas.includes(0)) throw new Error('A term to be logged no longer exists.');
  const packed = runAtOnce(packLiving(table, first, last));
  return { metas, texts: packed.texts };
}

/** Packs the terms of `first .. last` that are not free. A kernel: yields every 4,096 terms. */
export function* packLiving(table: TermTable, first: number, last: number): Generator<void, LivingTerms, void> {
  if (table.isGapless) {
    return {
      ...packTerms(table, first, last),
      ranges: Uint32Array.from(last < first ? [] : [first, last - first + 1]),
    };
  }
  const metas = new Uint32Array(Math.min(Math.max(0, last - first + 1), table.living));
  let length = 0;
  const texts: Uint8Array[] = [];
  const ranges: number[] = [];
  let begin = 0;
  let before = 0;
  for (let number = table.nextLiving(first, last); number <= last; number = table.nextLiving(number + 1, last)) {
    if (length % STEP === STEP - 1) yield;
    if (before === 0) begin = number;
    else if (!table.isBeside(before, number)) {
      texts.push(table.piece(begin, before));
      begin = number;
    }
    if (number === before + 1 && ranges.length > 0) ranges[ranges.length - 1]++;
    else ranges.push(number, 1);
    metas[length++] = table.metaOf(number);
    before = number;
  }
  if (before > 0) texts.push(table.piece(begin, before));
  return { metas: metas.subarray(0, length), texts, ranges: Uint32Array.from(ranges) };
}

/**
 * Adds packed terms to a table in order. A term that the table already has was freed and added
 * again later, so its newest number is valid: see `docs/reference/storage-format.md`. A kernel:
 * yields every 4,096 terms. Throws a RangeError if metas and texts are inconsistent.
 */
export function* unpackTerms(
  table: TermTable,
  metas: Uint32Array,
  texts: Uint8Array,
  onRenumbered?: () => void,
): Generator<void, void, void> {
  const view = viewOf(texts);
  let at = 0;
  for (let i = 0; i < metas.length; i++) {
    if (i % STEP === STEP - 1) yield;
    const length = lengthAt(texts, at);
    const start = at + prefixBytes(length);
    const end = start + length;
    if (!(end <= texts.length)) throw new RangeError('Packed terms end in the middle of a term.');
    const hash = table.hash(view, start, end);
    if (onRenumbered && table.find(metas[i], view, start, end, hash) !== 0) onRenumbered();
    table.addNewest(metas[i], view, start, end, hash);
    at = Math.ceil(end / 4) * 4;
  }
  if (at !== texts.length) throw new RangeError('Packed terms have texts without metas.');
}
