import type { DocSet } from '../../storage/doc-set.ts';
import type { Slicer } from '../../storage/slicer.ts';
import { docSetIds } from '../doc-set.ts';
import { BLOCK_ROWS } from './code-blocks.ts';
import type { VectorRows } from './vector-rows.ts';

/** Keys between two looks at the clock. */
const STRIDE = 4096;
/** A filter with more of the rows than this is not looked up: its rows are asked one by one, when it comes to comparing them. */
const SHARE_TO_LOOK_UP = 1 / 8;

/** The rows whose keys a filter holds, in no order; undefined when they are so many that each row had better be asked. */
export async function selectRows(rows: VectorRows, filter: DocSet, slicer: Slicer): Promise<Uint32Array | undefined> {
  if (filter.size > rows.size * SHARE_TO_LOOK_UP) return undefined;
  const keys = docSetIds(filter);
  const selected = new Uint32Array(keys.length);
  let length = 0;
  for (let at = 0; at < keys.length; at++) {
    const row = rows.rowOf(keys[at]);
    if (row >= 0) selected[length++] = row;
    if (at % STRIDE === STRIDE - 1 && slicer.due) await slicer.pause();
  }
  return selected.subarray(0, length);
}

/** Sixteen bits for each block of the index, one for each row that was selected. */
export function maskOf(selected: Uint32Array, blocks: number): Uint16Array {
  const mask = new Uint16Array(blocks);
  for (let at = 0; at < selected.length; at++) {
    const row = selected[at];
    // A row may have gone while the selection was made.
    if (row >>> 4 < blocks) mask[row >>> 4] |= 1 << (row % BLOCK_ROWS);
  }
  return mask;
}
