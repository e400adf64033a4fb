import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { QuadSource } from '../../src/contracts/quad-source.ts';
import { Execution } from '../../src/sparql/exec/execution.ts';
import { KeyTable } from '../../src/sparql/exec/key-table.ts';
import { RowNumbers } from '../../src/sparql/exec/row-numbers.ts';
import { RowStore } from '../../src/sparql/exec/row-store.ts';

/** Finds that time is up at every look. */
class Hurried extends Execution {
  constructor() {
    super({} as QuadSource);
  }
  override get pauseDue(): boolean {
    return true;
  }
}

function columnsOf(rows: readonly (readonly number[])[], width: number): Uint32Array[] {
  return Array.from({ length: width }, (_, column) => Uint32Array.from(rows, (row) => row[column]));
}

describe('the numbers of rows', () => {
  it('are the same with room made before', () =>
    fc.assert(
      fc.property(
        fc
          .integer({ min: 1, max: 3 })
          .chain((width) =>
            fc.array(fc.array(fc.nat(9), { minLength: width, maxLength: width }), { minLength: 1, maxLength: 300 }),
          ),
        fc.integer({ min: 1, max: 100 }),
        (rows, size) => {
          const width = rows[0].length;
          const numbers = new RowNumbers(width, new Hurried());
          const given = new Uint32Array(rows.length);
          for (let from = 0; from < rows.length; from += size) {
            const to = Math.min(from + size, rows.length);
            for (const _ of numbers.reserve(to - from, new Hurried())) void _;
            numbers.assign(columnsOf(rows, width), from, to, given);
          }
          const seen = new Map<string, number>();
          for (const row of rows) if (!seen.has(row.join())) seen.set(row.join(), seen.size);
          expect([...given]).toEqual(rows.map((row) => seen.get(row.join())));
        },
      ),
    ));

  it('move to a larger table in slices', () => {
    const execution = new Hurried();
    const numbers = new RowNumbers(1, execution);
    const rows = 300_000;
    const batch = 1000;
    const column = new Uint32Array(batch);
    const given = new Uint32Array(batch);
    let pauses = 0;
    for (let from = 0; from < rows; from += batch) {
      for (let row = 0; row < batch; row++) column[row] = (from + row) * 7 + 1;
      for (const _ of numbers.reserve(batch, execution)) pauses++;
      numbers.assign([column], 0, batch, given);
      expect(given[0]).toBe(from);
      expect(given[batch - 1]).toBe(from + batch - 1);
    }
    expect(numbers.size).toBe(rows);
    // 2^17 slots and more, of two places each, at most 2^15 places at once.
    expect(pauses).toBeGreaterThanOrEqual((2 ** 17 + 2 ** 18 + 2 ** 19 + 2 ** 20) / 2 ** 15);
  });
});

describe('a table of keys', () => {
  it('finds all rows of a key after it moved to a larger one in slices', () => {
    const execution = new Hurried();
    const store = new RowStore([0, 1], execution);
    const table = new KeyTable(store, [0], execution);
    const rows = 200_000;
    let pauses = 0;
    for (let row = 0; row < rows; row++) {
      if (row % 1000 === 0) for (const _ of table.reserve(1000)) pauses++;
      const columns = [Uint32Array.of(row % 150_000), Uint32Array.of(row)];
      table.add(store.appendRow({ columns }, 0));
    }
    expect(table.size).toBe(150_000);
    expect(pauses).toBeGreaterThanOrEqual((2 ** 16 + 2 ** 17) / 2 ** 13);
    for (const key of [0, 1, 49_999, 50_000, 149_999]) {
      const found: number[] = [];
      for (let row = table.find([Uint32Array.of(key)], 0); row >= 0; row = table.next(row)) found.push(row);
      expect(found).toEqual(key < 50_000 ? [key + 150_000, key] : [key]);
    }
    expect(table.find([Uint32Array.of(150_000)], 0)).toBe(-1);
  });
});
