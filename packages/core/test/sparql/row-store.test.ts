import { expect, it } from 'vitest';
import { Batch } from '../../src/sparql/exec/batch.ts';
import type { Execution } from '../../src/sparql/exec/execution.ts';
import { KeyTable } from '../../src/sparql/exec/key-table.ts';
import { RowStore } from '../../src/sparql/exec/row-store.ts';

/** Pauses whenever it may. */
const EAGER = { claimMemory: () => undefined, pauseDue: true } as unknown as Execution;
const ROWS = 1 << 12;
const BATCHES = 260;

it('grows in slices, and keeps its rows and those of its keys', () => {
  const store = new RowStore([0, 2], EAGER);
  const table = new KeyTable(store, [0], EAGER);
  const batch = Batch.withSlots([0, 2], ROWS);
  batch.length = ROWS;
  let pauses = 0;
  const value = (row: number) => (row * 7_919) % 100_003;
  for (let at = 0; at < BATCHES; at++) {
    for (let row = 0; row < ROWS; row++) {
      batch.columns[0]![row] = 1 + value(at * ROWS + row);
      batch.columns[2]![row] = at * ROWS + row;
    }
    for (const _ of table.reserve(ROWS)) pauses++;
    for (const _ of store.reserve(ROWS, EAGER)) pauses++;
    store.append(batch);
    for (let row = store.length - ROWS; row < store.length; row++) table.add(row);
  }
  expect(store.length).toBe(ROWS * BATCHES);
  let wrong = 0;
  for (let row = 0; row < store.length; row++)
    if (store.columns[0]![row] !== 1 + value(row) || store.columns[2]![row] !== row) wrong++;
  expect(wrong).toBe(0);
  // Each of the rows with the key of the last one, the latest first.
  const found: number[] = [];
  for (let row = table.find(store.columns, store.length - 1); row >= 0; row = table.next(row)) found.push(row);
  const key = value(store.length - 1);
  expect(found).toEqual(
    Array.from({ length: store.length }, (_, row) => row)
      .filter((row) => value(row) === key)
      .reverse(),
  );
  // The last growth alone copies three columns of a million rows, in pieces of a quarter of that.
  expect(pauses).toBeGreaterThan(3 * 4);
});
