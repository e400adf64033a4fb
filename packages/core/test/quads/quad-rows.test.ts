import { expect, it } from 'vitest';
import { QuadRows } from '../../src/quads/quad-rows.ts';

it.each([1, 16, 17, 65_536, 65_537, 200_000])('%i rows are returned in columns, in steps of a chunk', (length) => {
  const rows = new QuadRows();
  for (let i = 0; i < length; i++) rows.push(i % 3, i, i * 2, i * 3);
  expect(rows.length).toBe(length);
  const copying = rows.columns();
  let steps = 1;
  let step = copying.next();
  for (; !step.done; step = copying.next()) steps++;
  const { value } = step;
  expect(value.length).toBe(length);
  const last = length - 1;
  for (const row of [0, last >> 1, last]) {
    const { context, subject, predicate, object } = value;
    expect([context[row], subject[row], predicate[row], object[row]]).toEqual([row % 3, row, row * 2, row * 3]);
  }
  expect(value.subject).toHaveLength(length);
  expect(steps).toBe(4 * (Math.ceil(length / 65_536) - 1) + 1);
});
