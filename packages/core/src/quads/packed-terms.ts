import { runAtOnce } from '../storage/slicer.ts';
import { lengthAt, prefixBytes, viewOf } from './byte-arena.ts';
import type { TermTable } from './term-table.ts';

/** How many terms one step of the kernel handles. */
const STEP = 4096;

/**
 * Some neighbouring terms of a table as they are written to storage: their metas, and their texts
 * as the arena has them (length prefix, bytes, zeros up to a multiple of 4), without any term being
 * looked at. The texts alias the arena, which never changes what it holds.
 */
export interface PackedTerms {
  readonly metas: Uint32Array;
  readonly texts: readonly Uint8Array[];
}

/** Those that are left of some neighbouring terms. */
export interface LivingTerms extends PackedTerms {
  /**
   * Their numbers: pairs of a first number and how many follow on each other from it, ascending.
   */
  readonly ranges: Uint32Array;
}

/** The terms `first .. last`, none of them free; none when `last` is smaller. */
export function packTerms(table: TermTable, first: number, last: number): PackedTerms {
  const metas = new Uint32Array(Math.max(0, last - first + 1));
  for (let i = 0; i < metas.length; i++) metas[i] = table.metaOf(first + i);
  if (table.isGapless) return { metas, texts: [...table.pieces(first, last)] };
  if (metas.includes(0)) throw new Error('A term that is to be logged is not there any more.');
  const packed = runAtOnce(packLiving(table, first, last));
  return { metas, texts: packed.texts };
}

/** The terms that are left of `first .. last`. A kernel: yields every 4,096 terms. */
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
 * Adds packed terms to a table in their order. One that the table has already was freed before it
 * came again, so that its newest number counts: see `docs/reference/storage-format.md`. A kernel:
 * yields every 4,096 terms. Throws a RangeError when metas and texts do not fit together.
 */
export function* unpackTerms(table: TermTable, metas: Uint32Array, texts: Uint8Array): Generator<void, void, void> {
  const view = viewOf(texts);
  let at = 0;
  for (let i = 0; i < metas.length; i++) {
    if (i % STEP === STEP - 1) yield;
    const length = lengthAt(texts, at);
    const start = at + prefixBytes(length);
    const end = start + length;
    if (!(end <= texts.length)) throw new RangeError('Packed terms end in the middle of a term.');
    table.addNewest(metas[i], view, start, end, table.hash(view, start, end));
    at = Math.ceil(end / 4) * 4;
  }
  if (at !== texts.length) throw new RangeError('Packed terms have texts without metas.');
}
