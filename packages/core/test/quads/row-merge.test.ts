import { describe, expect, it } from 'vitest';
import { BATCH_ROWS } from '../../src/quads/merge-runs.ts';
import { NetRows } from '../../src/quads/net-rows.ts';
import { SPO } from '../../src/quads/permutation.ts';
import { RowMerge } from '../../src/quads/row-merge.ts';
import { type Row, runOf } from './quad-rows.ts';

const rowsOf = (count: number, first = 1) => Array.from({ length: count }, (_, i): Row => [1, first + i, 1, 1]);
const input = (rows: readonly Row[], sign: number) => ({ columns: runOf(rows).columnsOf(SPO), sign });

describe('a merge in batches', () => {
  it('takes the same memory for any number of rows', () => {
    const size = (count: number) => new RowMerge([input(rowsOf(count), 1), input(rowsOf(count), -1)]).byteLength;
    expect(size(20 * BATCH_ROWS)).toBe(size(BATCH_ROWS));
    expect(size(10)).toBe(2 * 3 * 4 * 10);
  });

  it('continues from a position', () => {
    const inputs = [input(rowsOf(2 * BATCH_ROWS), 1), input(rowsOf(5, 7), -1)];
    const merge = new RowMerge(inputs);
    expect(merge.next()).toBe(true);
    const start = merge.position;
    merge.next();
    const rest = merge.plus.buffers[0].slice(0, merge.plus.length);
    const other = new RowMerge(inputs, start);
    expect(other.next()).toBe(true);
    expect(other.plus.buffers[0].slice(0, other.plus.length)).toEqual(rest);
    expect([other.next(), other.plus.length]).toEqual([false, 0]);
  });

  it('reads only the batches that have rows left', () => {
    const count = 10 * BATCH_ROWS;
    const rows = rowsOf(count);
    const inputs = [input(rows, 1), input(rows.slice(0, -1), -1)];
    const whole = new RowMerge(inputs);
    for (let batch = 0; batch < 9; batch++) whole.next();
    const stretch = { start: whole.position, batches: 1, inserted: 1, deleted: 0 };
    const net = new NetRows([{ graph: 0, inputs, stretches: [stretch] }], 'inserted');
    expect(net.length).toBe(1);
    expect(Array.from(net.batches(), ({ length, subject }) => [length, subject[0]])).toEqual([[1, count]]);
    expect([...new NetRows([{ graph: 0, inputs, stretches: [stretch] }], 'deleted').batches()]).toEqual([]);
  });
});
