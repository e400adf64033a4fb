import { lengthAt, prefixBytes, viewOf } from './byte-arena.ts';
import type { TermTable } from './term-table.ts';

/** How many terms one step of the kernel handles. */
const STEP = 4096;

/**
 * Some neighbouring terms of a table as they are written to storage: their metas, and their texts as the arena has them (length prefix, bytes, zeros
 * up to a multiple of 4), without any term being looked at. The texts alias the arena, which never changes what it holds.
 */
export interface PackedTerms {
  readonly metas: Uint32Array;
  readonly texts: readonly Uint8Array[];
}

/** The terms `first .. last`; none when `last` is smaller. */
export function packTerms(table: TermTable, first: number, last: number): PackedTerms {
  const metas = new Uint32Array(Math.max(0, last - first + 1));
  for (let i = 0; i < metas.length; i++) metas[i] = table.metaOf(first + i);
  return { metas, texts: [...table.pieces(first, last)] };
}

/**
 * Adds packed terms to a table in their order; the caller knows that it has none of them. A kernel: yields every 4,096 terms.
 * Throws a RangeError when metas and texts do not fit together.
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
    table.add(metas[i], view, start, end, table.hash(view, start, end));
    at = Math.ceil(end / 4) * 4;
  }
  if (at !== texts.length) throw new RangeError('Packed terms have texts without metas.');
}
