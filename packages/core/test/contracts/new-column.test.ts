import { expect, it } from 'vitest';
import { newColumn } from '../../src/contracts/new-column.ts';

it('returns columns of zeros that share no element', () => {
  const sizes = [0, 1, 16, 17, 42, 64, 300, 512, 513, 1024, 2049, 100_000, 5, 64, ...Array(50).fill(400)];
  const columns = sizes.map((rows) => newColumn(rows));
  columns.forEach((column, i) => {
    expect(column.length).toBe(sizes[i]);
    expect(column.every((value) => value === 0)).toBe(true);
    column.fill(i + 1);
  });
  columns.forEach((column, i) => {
    expect(column.every((value) => value === i + 1)).toBe(true);
  });
});

it('makes one buffer for several short columns, and one for each long column', () => {
  const short = Array.from({ length: 40 }, () => newColumn(40).buffer);
  expect(new Set(short).size).toBeLessThanOrEqual(2);
  const long = Array.from({ length: 3 }, () => newColumn(10_000).buffer);
  expect(new Set(long).size).toBe(3);
  for (const buffer of long) expect(buffer.byteLength).toBe(40_000);
});
