import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runAtOnce } from '../../src/contracts/slicer.ts';
import { sortByColumn } from '../../src/quads/radix-sort.ts';

function sorted(keys: readonly number[] | Uint32Array, from?: Uint32Array): number[] {
  const column = Uint32Array.from(keys);
  const rows = from?.slice() ?? Uint32Array.from(column.keys());
  const spare = new Uint32Array(rows.length);
  const result = runAtOnce(sortByColumn(rows, spare, column));
  expect([rows, spare]).toContain(result);
  expect([...column]).toEqual([...keys]);
  return [...result];
}

/** Array.sort is stable too. */
const expected = (keys: readonly number[] | Uint32Array, rows = [...keys.keys()]) =>
  [...rows].sort((a, b) => keys[a] - keys[b]);

const KEYS = {
  'few different': fc.nat(3),
  'ids of a dictionary': fc.nat(2 ** 20),
  'ids of a dictionary and of an overlay': fc.oneof(fc.nat(5000), fc.integer({ min: 2 ** 30, max: 2 ** 30 + 5000 })),
  'all of 32 bits': fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  'the ends': fc.constantFrom(
    0,
    1,
    2 ** 11 - 1,
    2 ** 11,
    2 ** 22,
    2 ** 30 - 1,
    2 ** 30,
    2 ** 31 - 1,
    2 ** 31,
    2 ** 32 - 1,
  ),
};

describe('sortByColumn sorts as Array.sort does, stably', () => {
  it.each(Object.entries(KEYS))('keys: %s', (_, key) => {
    fc.assert(
      fc.property(fc.array(key, { maxLength: 300, size: 'max' }), (keys) => {
        expect(sorted(keys)).toEqual(expected(keys));
      }),
      { numRuns: 150 },
    );
  });

  it('rows in any order, of a column that is longer', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(20), { minLength: 60, maxLength: 200 }),
        fc.infiniteStream(fc.nat(59)),
        (keys, picks) => {
          const rows = [...picks.take(50)];
          expect(sorted(keys, Uint32Array.from(rows))).toEqual(expected(keys, rows));
        },
      ),
      { numRuns: 100 },
    );
  });

  it('more rows than a step takes', () => {
    let state = 1;
    const keys = Uint32Array.from({ length: 200_000 }, (_, i) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return i % 3 ? state >>> 8 : 2 ** 30 + (state >>> 20);
    });
    const rows = Uint32Array.from(keys.keys());
    let steps = 0;
    const kernel = sortByColumn(rows, new Uint32Array(keys.length), keys);
    let step = kernel.next();
    for (; !step.done; step = kernel.next()) steps++;
    expect(steps).toBeGreaterThan(10);
    const result = step.value;
    let wrong = 0;
    for (let i = 1; i < result.length; i++) {
      const [a, b] = [result[i - 1], result[i]];
      if (keys[a] > keys[b] || (keys[a] === keys[b] && a >= b)) wrong++;
    }
    expect(wrong).toBe(0);
    expect(new Set(result).size).toBe(keys.length);
  });
});
