import { describe, expect, it } from 'vitest';
import { ColumnArena } from '../../src/storage/column-arena.ts';

describe('ColumnArena', () => {
  it('gives columns of zeros that nobody else writes to', () => {
    const arena = new ColumnArena();
    const sizes = [0, 1, 16, 17, 42, 64, 300, 1024, 2048, 2049, 100_000, 5, 64, 1024];
    const columns = sizes.map((rows) => arena.column(rows));
    columns.forEach((column, i) => {
      expect(column.length).toBe(sizes[i]);
      expect(column.every((value) => value === 0)).toBe(true);
      column.fill(i + 1);
    });
    columns.forEach((column, i) => {
      expect(column.every((value) => value === i + 1)).toBe(true);
    });
  });

  it('makes one buffer for several small columns, and one for each large column', () => {
    const arena = new ColumnArena();
    const small = Array.from({ length: 6 }, () => arena.column(40).buffer);
    expect(new Set(small).size).toBe(1);
    const large = Array.from({ length: 3 }, () => arena.column(10_000).buffer);
    expect(new Set(large).size).toBe(3);
    for (const buffer of large) expect(buffer.byteLength).toBe(40_000);
  });
});
