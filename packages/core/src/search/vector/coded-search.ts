import type { Slicer } from '../../contracts/slicer.ts';
import { Candidates } from './candidates.ts';
import { BLOCK_ROWS, GROUP_BLOCKS, GROUP_ROWS } from './code-blocks.ts';
import { HeadLook } from './head-look.ts';
import type { NearestRows } from './nearest-rows.ts';
import { QueryTable } from './query-table.ts';
import type { SelectedRows } from './row-selection.ts';
import type { SignCodes } from './sign-codes.ts';
import type { VectorRows } from './vector-rows.ts';

/** The first piece is small: its hits raise the threshold for the others. */
const FIRST_PIECE_BLOCKS = 64;
/** Candidates of each piece compared immediately, for the same reason. */
const EAGER = 32;
/**
 * Budget of exact comparisons in addition to those for the limit, for data in which everything is
 * similar.
 */
const MAX_COMPARISONS = 2048;
const POOL = 2 * GROUP_ROWS;

/**
 * Finds the nearest rows by their codes. A scan returns the rows whose upper bound reaches the
 * current threshold; the best candidates are compared exactly, which raises the threshold; finally
 * the remaining ones are re-ranked, best first, until none can reach it or the budget is exhausted.
 * `unit` must not be zero; `selected` restricts the rows.
 */
export async function searchByCodes(
  rows: VectorRows,
  codes: SignCodes,
  unit: Float64Array,
  nearest: NearestRows,
  limit: number,
  selected: SelectedRows | undefined,
  slicer: Slicer,
): Promise<void> {
  const pool = new Candidates(POOL, (row) => (row < rows.size ? rows.keyOf(row) : row));
  const blocks = Math.ceil(rows.size / BLOCK_ROWS);
  const mask = selected?.mask(blocks);
  const eager = Math.max(EAGER, limit);
  const headLook = new HeadLook();
  let most = FIRST_PIECE_BLOCKS;
  for (const { firstBlock, endBlock, centre } of codes.runs()) {
    if (firstBlock === endBlock) continue;
    const table = new QueryTable(unit, centre, codes.rotation);
    for (let block = firstBlock; block < endBlock; ) {
      const groupEnd = (Math.floor(block / GROUP_BLOCKS) + 1) * GROUP_BLOCKS;
      // Without a threshold, no block can be skipped.
      const looks = headLook.pays && nearest.floor > -Infinity;
      const piece = { firstBlock: block, blocks: Math.min(most, endBlock - block, groupEnd - block), mask, looks };
      const found = codes.scan(piece, table, nearest.floor);
      if (nearest.floor > -Infinity) headLook.tell(found.looked, found.left);
      makeRoom(pool, found.length, nearest.floor);
      const start = pool.length;
      for (let at = 0; at < found.length; at++)
        if (nearest.allows(found.rows[at])) pool.push(found.rows[at], found.bounds[at]);
      compareBest(pool, start, eager, nearest);
      block += piece.blocks;
      most = GROUP_BLOCKS;
      if (slicer.due) await slicer.pause();
    }
  }
  const budget = nearest.compared + Math.max(MAX_COMPARISONS, 4 * limit);
  for (;;) {
    pool.keepFrom(nearest.floor);
    if (pool.length === 0 || nearest.compared >= budget) return;
    compareBest(pool, 0, Math.min(nearest.stride, budget - nearest.compared, 4 * eager), nearest);
    if (slicer.due) await slicer.pause();
  }
}

/** Compares the `count` best candidates from `start` on and removes them. */
function compareBest(pool: Candidates, start: number, count: number, nearest: NearestRows): void {
  const first = pool.bestToEnd(start, count);
  for (let at = first; at < pool.length; at++) if (nearest.allows(pool.rows[at])) nearest.compare(pool.rows[at]);
  pool.length = first;
}

function makeRoom(pool: Candidates, length: number, floor: number): void {
  if (pool.room >= length) return;
  pool.keepFrom(floor);
  if (pool.room >= length) return;
  // More candidates than this cannot be compared anyway.
  const kept = POOL >>> 1;
  const first = pool.bestToEnd(0, kept);
  pool.rows.copyWithin(0, first, pool.length);
  pool.bounds.copyWithin(0, first, pool.length);
  pool.length -= first;
}
