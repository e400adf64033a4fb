import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuseRanks } from '../../src/search/rank-fusion.ts';

describe('fuseRanks', () => {
  it('sums weight / (k + rank)', () => {
    const fused = fuseRanks([
      { ids: [7, 8], weight: 1 },
      { ids: [8, 9], weight: 1 },
    ]);
    expect(fused).toEqual([
      { id: 8, score: 1 / 62 + 1 / 61, ranks: [2, 1] },
      { id: 7, score: 1 / 61, ranks: [1, null] },
      { id: 9, score: 1 / 62, ranks: [null, 2] },
    ]);
  });

  it('takes k and weights', () => {
    const fused = fuseRanks(
      [
        { ids: [1], weight: 1 },
        { ids: [2, 1], weight: 3 },
      ],
      { k: 1 },
    );
    expect(fused.map(({ id, score }) => [id, score])).toEqual([
      [1, 1 / 2 + 3 / 3],
      [2, 3 / 2],
    ]);
  });

  it('breaks ties by the first list, then by the order given', () => {
    expect(
      fuseRanks([
        { ids: [9], weight: 1 },
        { ids: [1], weight: 1 },
      ]).map(({ id }) => id),
    ).toEqual([9, 1]);
    const sameWeightless = [{ ids: [1, 2, 3], weight: 0 }];
    expect(fuseRanks(sameWeightless).map(({ id }) => id)).toEqual([1, 2, 3]);
  });

  it('of nothing is nothing', () => {
    expect(fuseRanks([])).toEqual([]);
    expect(fuseRanks([{ ids: [], weight: 1 }])).toEqual([]);
  });

  it('contains each id once, by descending score, and keeps the order of a single list', () => {
    const list = fc.uniqueArray(fc.integer({ min: 0, max: 30 }));
    fc.assert(
      fc.property(list, list, (a, b) => {
        const fused = fuseRanks([
          { ids: a, weight: 1 },
          { ids: b, weight: 1 },
        ]);
        expect(new Set(fused.map(({ id }) => id))).toEqual(new Set([...a, ...b]));
        expect(fused.length).toBe(new Set([...a, ...b]).size);
        for (let at = 1; at < fused.length; at++) expect(fused[at - 1].score).toBeGreaterThanOrEqual(fused[at].score);
        expect(fuseRanks([{ ids: a, weight: 1 }]).map(({ id }) => id)).toEqual(a);
      }),
    );
  });
});
