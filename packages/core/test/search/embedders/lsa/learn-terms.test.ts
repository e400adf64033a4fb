import { describe, expect, it } from 'vitest';
import { runAtOnce } from '../../../../src/contracts/slicer.ts';
import { type CountedTexts, learnTerms } from '../../../../src/search/embedders/lsa/learn-terms.ts';
import type { SparseRows } from '../../../../src/search/embedders/lsa/truncated-svd.ts';

/** Texts as lists of [term, count]. */
const counted = (texts: readonly (readonly (readonly [number, number])[])[], terms: number): CountedTexts => ({
  rowStart: Uint32Array.from([0, ...texts.map((_, at) => texts.slice(0, at + 1).flat().length)]),
  term: Uint32Array.from(texts.flat(), ([term]) => term),
  count: Uint32Array.from(texts.flat(), ([, count]) => count),
  terms,
});

/** The kept terms, their weights, and the rows of the matrix. */
function learnt(texts: CountedTexts, maxTerms = 100) {
  let matrix: SparseRows | undefined;
  const result = runAtOnce(
    // biome-ignore lint/correctness/useYield: it stands in for one that yields.
    learnTerms(texts, { rank: 2, iterations: 1, seed: 1, maxTerms }, function* (given) {
      matrix = given;
      return new Float32Array(given.columns * 2);
    }),
  );
  const { rowStart, column, value } = matrix!;
  const rows = Array.from({ length: rowStart.length - 1 }, (_, row) =>
    Array.from(column.subarray(rowStart[row], rowStart[row + 1]), (at, entry) => [at, value[rowStart[row] + entry]]),
  );
  return { kept: [...result.kept], weights: [...result.weights], rows, columns: matrix!.columns };
}

describe('learnTerms', () => {
  it('weighs terms by how unevenly they are spread, and texts alike', () => {
    const texts = counted(
      [
        [
          [0, 1],
          [1, 3],
        ],
        [
          [0, 1],
          [1, 1],
          [2, 5],
        ],
        [[0, 1]],
        [
          [0, 1],
          [3, 2],
          [1, 2],
        ],
      ],
      4,
    );
    const { kept, weights, rows, columns } = learnt(texts);
    // Terms 2 and 3 are in one text each.
    expect(kept).toEqual([0, 1]);
    expect(columns).toBe(2);
    const shares = [3 / 6, 1 / 6, 2 / 6];
    const entropy = -shares.reduce((sum, share) => sum + share * Math.log(share), 0);
    expect(weights[0]).toBeCloseTo(0, 6);
    expect(weights[1]).toBeCloseTo(1 - entropy / Math.log(4), 6);
    expect(rows.map((row) => row.map(([at]) => at))).toEqual([[0, 1], [0, 1], [0], [0, 1]]);
    for (const row of [0, 1, 3]) expect(Math.hypot(...rows[row].map(([, value]) => value))).toBeCloseTo(1, 6);
    // A text of nothing but what is everywhere alike says nothing.
    expect(rows[2]).toEqual([[0, expect.closeTo(0, 5)]]);
  });

  it('counts repetitions by their logarithm', () => {
    const one = [
      [0, 1],
      [1, 4],
    ] as const;
    const { rows, weights } = learnt(counted([one, one, [], []], 2));
    expect(weights[0]).toBeCloseTo(weights[1], 6);
    expect(rows[0][1][1] / rows[0][0][1]).toBeCloseTo(1 + Math.log(4), 5);
  });

  it('keeps the terms of the most texts, of equally frequent ones the first', () => {
    // Term t is in 10 - t texts; 5, 6 and 7 in as many as 5.
    const inTexts = [10, 9, 8, 7, 6, 5, 5, 5, 1];
    const texts = counted(
      Array.from({ length: 10 }, (_, text) =>
        inTexts.flatMap((count, term) => (text < count ? [[term, 1] as const] : [])),
      ),
      9,
    );
    expect(learnt(texts, 3).kept).toEqual([0, 1, 2]);
    expect(learnt(texts, 7).kept).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(learnt(texts, 8).kept).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(learnt(texts, 100).kept).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(learnt(counted([[], []], 0)).kept).toEqual([]);
  });
});
