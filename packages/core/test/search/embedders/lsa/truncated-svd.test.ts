import { SeededRandom } from '@rdf-worlds/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runAtOnce } from '../../../../src/contracts/slicer.ts';
import { type SparseRows, truncatedSvd } from '../../../../src/search/embedders/lsa/truncated-svd.ts';

const sparse = (rows: readonly (readonly number[])[], columns: number): SparseRows => {
  const column: number[] = [];
  const value: number[] = [];
  const rowStart = [0];
  for (const row of rows) {
    for (const [at, entry] of row.entries()) {
      if (entry === 0) continue;
      column.push(at);
      value.push(entry);
    }
    rowStart.push(column.length);
  }
  return {
    columns,
    rowStart: Uint32Array.from(rowStart),
    column: Uint32Array.from(column),
    value: Float32Array.from(value),
  };
};

const svd = (rows: readonly (readonly number[])[], columns: number, rank: number, iterations = 30) =>
  runAtOnce(truncatedSvd(sparse(rows, columns), { rank, iterations, seed: 1 }));

const columnOf = (vectors: Float32Array, rank: number, at: number) =>
  Array.from({ length: vectors.length / rank }, (_, row) => vectors[row * rank + at]);

const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, each, at) => sum + each * b[at], 0);

/** The transpose of the matrix times the matrix times a vector. */
function square(rows: readonly (readonly number[])[], vector: readonly number[]): number[] {
  const result = vector.map(() => 0);
  for (const row of rows) {
    const product = dot(row, vector);
    for (const [at, entry] of row.entries()) result[at] += entry * product;
  }
  return result;
}

function randomRows(random: SeededRandom, rows: number, columns: number, filled: number): number[][] {
  return Array.from({ length: rows }, () =>
    Array.from({ length: columns }, () => (random.chance(filled) ? random.next() : 0)),
  );
}

describe('truncatedSvd', () => {
  it('returns orthonormal singular vectors, the largest first', () => {
    fc.assert(
      fc.property(
        fc.integer(),
        fc.integer({ min: 2, max: 40 }),
        fc.integer({ min: 2, max: 30 }),
        fc.integer({ min: 1, max: 8 }),
        (seed, height, columns, wanted) => {
          const rows = randomRows(new SeededRandom(seed), height, columns, 0.4);
          // 32-bit entries, as the matrix has them.
          for (const row of rows) for (const [at, entry] of row.entries()) row[at] = Math.fround(entry);
          const rank = Math.min(wanted, columns);
          const vectors = svd(rows, columns, rank, 60);
          let before = Infinity;
          for (let at = 0; at < rank; at++) {
            const vector = columnOf(vectors, rank, at);
            const length = dot(vector, vector);
            const image = square(rows, vector);
            const value = dot(image, vector);
            if (length < 0.5) {
              // The matrix has no more singular vectors than these.
              expect(length).toBe(0);
              expect(value).toBe(0);
              continue;
            }
            expect(length).toBeCloseTo(1, 4);
            for (let other = 0; other < at; other++)
              expect(dot(vector, columnOf(vectors, rank, other))).toBeCloseTo(0, 4);
            expect(value).toBeLessThanOrEqual(before + 1e-4);
            before = value;
            // What many iterations are for: a vector is turned into a multiple of itself. Where two
            // values are nearly equal, their vectors may still mix.
            const rest = image.map((each, row) => each - value * vector[row]);
            expect(Math.sqrt(dot(rest, rest))).toBeLessThan(1e-2 * Math.max(1, value));
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('keeps as much of a matrix as can be kept', () => {
    // Three blocks of rows that share their columns: three singular vectors say nearly all.
    const random = new SeededRandom(8);
    const rows = Array.from({ length: 300 }, (_, row) =>
      Array.from({ length: 60 }, (_, column) => (Math.floor(column / 20) === row % 3 ? 1 : 0.05 * random.next())),
    );
    const vectors = svd(rows, 60, 3, 4);
    let kept = 0;
    let all = 0;
    for (const row of rows) {
      all += dot(row, row);
      for (let at = 0; at < 3; at++) kept += dot(row, columnOf(vectors, 3, at)) ** 2;
    }
    expect(kept / all).toBeGreaterThan(0.99);
  });

  it('returns zeros for missing singular values', () => {
    const one = [1, 2, 0, 0];
    const vectors = svd([one, one, [2, 4, 0, 0]], 4, 3);
    expect(columnOf(vectors, 3, 0).map((each) => Number(each.toFixed(5)))).toEqual([0.44721, 0.89443, 0, 0]);
    expect([...columnOf(vectors, 3, 1), ...columnOf(vectors, 3, 2)].every((each) => each === 0)).toBe(true);
    expect([...svd([[0, 0]], 2, 2)]).toEqual([0, 0, 0, 0]);
    expect([...svd([[]], 0, 2)]).toEqual([]);
    expect(svd([[3]], 1, 4)).toEqual(Float32Array.of(1, 0, 0, 0));
  });

  it('is deterministic, including its signs', () => {
    const rows = randomRows(new SeededRandom(3), 50, 30, 0.3);
    const one = runAtOnce(truncatedSvd(sparse(rows, 30), { rank: 5, iterations: 40, seed: 1 }));
    expect(runAtOnce(truncatedSvd(sparse(rows, 30), { rank: 5, iterations: 40, seed: 1 }))).toEqual(one);
    const other = runAtOnce(truncatedSvd(sparse(rows, 30), { rank: 5, iterations: 40, seed: 99 }));
    for (const [at, each] of one.entries()) expect(other[at]).toBeCloseTo(each, 3);
  });

  it('pauses often, and says how far it is', () => {
    const rows = randomRows(new SeededRandom(4), 400, 300, 0.2);
    const shares = [...truncatedSvd(sparse(rows, 300), { rank: 100, iterations: 3, seed: 1 })];
    expect(shares.length).toBeGreaterThan(50);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(shares.every((share) => share >= 0 && share < 1)).toBe(true);
  });
});
