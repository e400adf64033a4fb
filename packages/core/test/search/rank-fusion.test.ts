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

  it('gives ids the least score of a cut list that lacks them', () => {
    const lists = (isCut: boolean) => [
      { ids: [1, 2], weight: 1, scores: [4, 2] },
      { ids: [3, 2], weight: 1, scores: [1, 0.5], isCut },
    ];
    const scores = (isCut: boolean) =>
      fuseRanks(lists(isCut), { method: 'convex' }).map(({ id, score }) => [id, score]);
    expect(scores(false)).toEqual([
      [1, 0.5],
      [2, 0.5],
      [3, 0.5],
    ]);
    expect(scores(true)).toEqual([
      [1, 0.75],
      [2, 0.5],
      [3, 0.5],
    ]);
    // What only a list of weight 0 contains stays without a score.
    const weightless = [{ ids: [1], weight: 0, scores: [1] }, { ...lists(true)[1]! }];
    expect(fuseRanks(weightless, { method: 'convex' }).find(({ id }) => id === 1)!.score).toBe(0);
  });

  it('takes shared ranks', () => {
    const fused = fuseRanks([{ ids: [5, 6, 7], weight: 1, ranks: [1, 1, 2] }]);
    expect(fused.map(({ ranks, score }) => [ranks[0], score])).toEqual([
      [1, 1 / 61],
      [1, 1 / 61],
      [2, 1 / 62],
    ]);
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
