import { PAUSE, type Pause } from './batch.ts';
import type { Execution } from './execution.ts';

/**
 * Rows sorted in one call before merging; takes a few milliseconds. Fewer if a comparison may take
 * many steps.
 */
const CHUNK_ROWS = 1 << 12;
/** UTF-16 units of two texts that are compared in one step. */
const UNITS_PER_STEP = 1 << 6;

/** Bounds the cost of comparing two of the rows that are sorted. */
export class ComparisonCost {
  private readonly keys: number;
  private longest = 0;
  private second = 0;

  /** @param keys number of keys that one comparison may examine */
  constructor(keys: number) {
    this.keys = keys;
  }

  /** Counts a text that may be compared, by its length in UTF-16 units. */
  add(length: number): void {
    if (length <= this.second) return;
    this.second = Math.min(length, this.longest);
    this.longest = Math.max(length, this.longest);
  }

  /** Number of rows whose comparisons together take a few milliseconds; a power of two. */
  get chunkRows(): number {
    // Two texts are compared up to the end of the shorter one, at most the second longest.
    const steps = this.keys * (1 + this.second / UNITS_PER_STEP);
    return Math.max(1, CHUNK_ROWS >>> Math.floor(Math.log2(steps)));
  }
}

/**
 * A merge sort of row numbers with pauses: sorts chunks, then merges them pairwise.
 *
 * @param compare compares two rows; must not return 0 for different rows
 * @param cost bounds the cost of one comparison
 */
export function* sortSliced(
  length: number,
  compare: (one: number, other: number) => number,
  { chunkRows }: ComparisonCost,
  execution: Execution,
): Generator<Pause, Uint32Array, void> {
  const stride = Math.max(1, chunkRows >>> 2);
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
