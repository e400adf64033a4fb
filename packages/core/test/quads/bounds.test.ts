import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gallop, gallopTriple, lowerBound, upperBound } from '../../src/quads/bounds.ts';

const range = fc
  .tuple(
    fc.array(fc.oneof(fc.nat(12), fc.integer({ min: 2 ** 31 - 3, max: 2 ** 31 + 3 })), { maxLength: 60 }),
    fc.nat(60),
    fc.nat(60),
    fc.nat(14),
  )
  .map(([keys, a, b, key]) => {
    const column = Uint32Array.from(keys).sort();
    const [start, end] = [a % (column.length + 1), b % (column.length + 1)].sort((x, y) => x - y);
    return { column, start, end, key };
  });

/** The first row of the range that passes, by looking at each. */
function firstRow(column: Uint32Array, start: number, end: number, passes: (key: number) => boolean): number {
  for (let row = start; row < end; row++) if (passes(column[row])) return row;
  return end;
}

describe('bounds of a key in a sorted column', () => {
  it.each([
    ['lowerBound', lowerBound, (key: number) => (found: number) => found >= key],
    ['gallop', gallop, (key: number) => (found: number) => found >= key],
    ['upperBound', upperBound, (key: number) => (found: number) => found > key],
  ] as const)('%s agrees with a linear scan', (_, find, passes) => {
    fc.assert(
      fc.property(range, ({ column, start, end, key }) => {
        for (const wanted of [key, 2 ** 31, 0]) {
          expect(find(column, start, end, wanted)).toBe(firstRow(column, start, end, passes(wanted)));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('gallopTriple finds the first row that is not below a triple', () => {
    const triple = fc.tuple(fc.nat(3), fc.nat(3), fc.nat(3));
    fc.assert(
      fc.property(fc.array(triple, { maxLength: 60 }), triple, fc.nat(60), (triples, wanted, from) => {
        const compare = (x: readonly number[], y: readonly number[]) => x[0] - y[0] || x[1] - y[1] || x[2] - y[2];
        triples.sort(compare);
        const columns = [0, 1, 2].map((i) => Uint32Array.from(triples, (one) => one[i]));
        const start = from % (triples.length + 1);
        const found = triples.findIndex((one, row) => row >= start && compare(one, wanted) >= 0);
        expect(gallopTriple(columns, start, triples.length, ...wanted)).toBe(found < 0 ? triples.length : found);
      }),
      { numRuns: 500 },
    );
  });
});
