import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Candidates } from '../../../src/search/vector/candidates.ts';

const bound = fc.oneof(fc.constantFrom(0, 0.5, 1), fc.float({ noNaN: true, min: -2, max: 2 }));

function filled(bounds: readonly number[]): Candidates {
  // Keys run against rows.
  const pool = new Candidates(bounds.length, (row) => 1000 - row);
  for (const [row, each] of bounds.entries()) pool.push(row, each);
  return pool;
}

const entries = (pool: Candidates, from = 0) =>
  Array.from({ length: pool.length - from }, (_, at) => `${pool.bounds[from + at]} ${pool.rows[from + at]}`);

describe('Candidates', () => {
  it('keeps from a threshold on, in order', () => {
    const pool = filled([1, 0.25, 2, 0.5]);
    pool.keepFrom(0.5);
    expect(entries(pool)).toEqual(['1 0', '2 2', '0.5 3']);
    expect(pool.room).toBe(1);
  });

  it('moves the best to the end: the higher bound, then the smaller key', () => {
    fc.assert(
      fc.property(fc.array(bound, { maxLength: 300 }), fc.nat(310), fc.nat(310), (bounds, skipped, count) => {
        const pool = filled(bounds);
        const start = Math.min(skipped, bounds.length);
        const before = entries(pool);
        const tail = before.slice(start);
        const first = pool.bestToEnd(start, count);
        expect(first).toBe(Math.max(start, bounds.length - count));
        expect(entries(pool).slice(0, start)).toEqual(before.slice(0, start));
        expect(entries(pool, start).sort()).toEqual([...tail].sort());
        const best = Array.from({ length: bounds.length - start }, (_, at) => at + start)
          .sort((a, b) => Math.fround(bounds[b]) - Math.fround(bounds[a]) || b - a)
          .slice(0, bounds.length - first);
        expect([...pool.rows.subarray(first, pool.length)].sort((a, b) => a - b)).toEqual(best.sort((a, b) => a - b));
      }),
      { numRuns: 500 },
    );
  });
});
