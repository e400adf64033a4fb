import type { DocSet } from '../../contracts/doc-set.ts';
import type { Slicer } from '../../contracts/slicer.ts';
import { docSetIds, docSetWords } from '../doc-set.ts';
import { BLOCK_ROWS } from './code-blocks.ts';
import type { VectorRows } from './vector-rows.ts';

/** Keys or rows between two checks of the clock. */
const STRIDE = 16_384;
/** Cost of looking up a key in the map, in rows sequentially tested against a bitset. */
const LOOK_UP_COST = 32;

/** The rows whose keys a filter allows. */
export interface SelectedRows {
  readonly count: number;
  /** Returns sixteen bits for each block of the index, one per row. */
  mask(blocks: number): Uint16Array;
  /** Returns the rows, unordered. */
  list(): Uint32Array;
}

/**
 * Finds the rows of a filter. Few keys are looked up one by one; for many, the keys of all rows are
 * tested against a bitset. Returns undefined if the bitset would be too large; each row should then
 * be tested when it is compared.
 */
export async function selectRows(rows: VectorRows, filter: DocSet, slicer: Slicer): Promise<SelectedRows | undefined> {
  if (filter.size * LOOK_UP_COST <= rows.size) return lookUp(rows, filter, slicer);
  // Memory limit: as much as the rows' keys take.
  const words = docSetWords(filter, rows.size);
  if (words) return sweep(rows, words, slicer);
  return filter.size * 8 <= rows.size ? lookUp(rows, filter, slicer) : undefined;
}

async function lookUp(rows: VectorRows, filter: DocSet, slicer: Slicer): Promise<SelectedRows> {
  const keys = docSetIds(filter);
  const found = new Uint32Array(keys.length);
  let count = 0;
  for (let at = 0; at < keys.length; at++) {
    const row = rows.rowOf(keys[at]);
    if (row >= 0) found[count++] = row;
    if (at % STRIDE === STRIDE - 1 && slicer.due) await slicer.pause();
  }
  const selected = found.subarray(0, count);
  return { count, mask: (blocks) => maskOf(selected, blocks), list: () => selected };
}

async function sweep(rows: VectorRows, words: Uint32Array, slicer: Slicer): Promise<SelectedRows> {
  const mask = new Uint16Array(Math.ceil(rows.size / BLOCK_ROWS));
  let count = 0;
  for (let start = 0; start < rows.size; start += STRIDE) {
    count += rows.markKeys(start, Math.min(start + STRIDE, rows.size), words, mask);
    if (slicer.due) await slicer.pause();
  }
  return {
    count,
    mask: (blocks) => (blocks === mask.length ? mask : resized(mask, blocks)),
    list: () => listOf(mask, count),
  };
}

function maskOf(selected: Uint32Array, blocks: number): Uint16Array {
  const mask = new Uint16Array(blocks);
  for (let at = 0; at < selected.length; at++) {
    const row = selected[at];
    // The row may have been deleted during the selection.
    if (row >>> 4 < blocks) mask[row >>> 4] |= 1 << (row % BLOCK_ROWS);
  }
  return mask;
}

/** Resizes a mask: rows may have been added or deleted during the selection. */
function resized(mask: Uint16Array, blocks: number): Uint16Array {
  const other = new Uint16Array(blocks);
  other.set(mask.subarray(0, blocks));
  return other;
}

function listOf(mask: Uint16Array, count: number): Uint32Array {
  const list = new Uint32Array(count);
  let length = 0;
  for (let block = 0; block < mask.length; block++)
    for (let bits = mask[block]; bits !== 0; bits &= bits - 1)
      list[length++] = block * BLOCK_ROWS + 31 - Math.clz32(bits & -bits);
  return list;
}
