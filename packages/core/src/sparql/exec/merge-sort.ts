import { PAUSE, type Pause } from './batch.ts';
import type { Execution } from './execution.ts';

/**
 * Rows sorted in one call before merging; takes a few milliseconds. Fewer if a comparison may
 * examine many keys.
 */
const CHUNK_ROWS = 1 << 12;
const MIN_CHUNK_ROWS = 1 << 4;

/**
 * A merge sort of row numbers with pauses: sorts chunks, then merges them pairwise.
 *
 * @param compare compares two rows; must not return 0 for different rows
 * @param keys number of keys that one comparison may examine
 */
export function* sortSliced(
  length: number,
  compare: (one: number, other: number) => number,
  keys: number,
  execution: Execution,
): Generator<Pause, Uint32Array, void> {
  const chunkRows = Math.max(MIN_CHUNK_ROWS, CHUNK_ROWS >>> Math.floor(Math.log2(keys)));
  const stride = chunkRows >>> 2;
  let rows = new Uint32Array(length);
  for (let row = 0; row < length; row++) rows[row] = row;
  for (let start = 0; start < length; start += chunkRows) {
    rows.subarray(start, start + chunkRows).sort(compare);
    if (execution.pauseDue) yield PAUSE;
  }
  let spare = new Uint32Array(length);
  for (let width = chunkRows; width < length; width *= 2) {
    for (let start = 0; start < length; start += width * 2) {
      const middle = Math.min(start + width, length);
      const end = Math.min(start + width * 2, length);
      let left = start;
      let right = middle;
      for (let at = start; at < end; at++) {
        const takeLeft = right === end || (left < middle && compare(rows[left], rows[right]) <= 0);
        spare[at] = takeLeft ? rows[left++] : rows[right++];
        if ((at & (stride - 1)) === 0 && execution.pauseDue) yield PAUSE;
      }
    }
    [rows, spare] = [spare, rows];
  }
  return rows;
}
