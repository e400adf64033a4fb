import { expect, it } from 'vitest';
import { renameToNewest } from '../../src/quads/rename-to-newest.ts';
import { Run } from '../../src/quads/run.ts';

const ROWS = 1 << 16;
/** Rows between two yields, in each of a few passes over them. */
const MAX_ROWS_A_YIELD = 1 << 13;

type Row = readonly [first: number, second: number, third: number];

/** Rows of one context whose three orders are alike. */
function runOf(row: (i: number) => Row): Run {
  const columns = [0, 1, 2].map((part) => Uint32Array.from({ length: ROWS }, (_, i) => row(i)[part]));
  const order = [columns[0], columns[1], columns[2]] as const;
  return new Run(Uint32Array.of(1), Uint32Array.of(0, ROWS), [order, order, order]);
}

it.each<[string, (i: number) => Row, (id: number) => boolean]>([
  ['all first terms', (i) => [i + 1, 1, 1], (id) => id > 1],
  ['all second terms of one first', (i) => [1, i + 2, 1], (id) => id > 1],
  ['all third terms of one pair', (i) => [1, 2, i + 3], (id) => id > 2],
  ['every other third term of one pair', (i) => [1, 2, i + 3], (id) => id > 2 && id % 2 === 0],
])('pauses every few thousand rows, and keeps the order: %s', (_, row, isRenamed) => {
  const renaming = new Uint32Array(ROWS + 4);
  let next = ROWS + 10;
  for (let id = 1; id < renaming.length; id++) if (isRenamed(id)) renaming[id] = next++;
  const kernel = renameToNewest(runOf(row), renaming);
  let yields = 0;
  let step = kernel.next();
  for (; !step.done; step = kernel.next()) yields++;
  expect(yields).toBeGreaterThanOrEqual((3 * ROWS) / MAX_ROWS_A_YIELD);
  const expected = Array.from({ length: ROWS }, (_, i) => row(i).map((id) => renaming[id] || id)).sort(
    ([a, b, c], [x, y, z]) => a - x || b - y || c - z,
  );
  for (const columns of step.value.columns)
    expect(
      columns[0].length === ROWS && expected.every((ids, i) => ids.every((id, part) => columns[part][i] === id)),
    ).toBe(true);
});
