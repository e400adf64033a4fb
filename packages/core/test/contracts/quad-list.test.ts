import { expect, it } from 'vitest';
import { QuadList } from '../../src/contracts/quad-list.ts';

const NAMES = ['subject', 'predicate', 'object', 'graph'] as const;

function filled(length: number): QuadList {
  const list = new QuadList();
  for (let row = 0; row < length; row++) list.add(row, row + 1, row + 2, row % 7);
  return list;
}

it.each([0, 1, 16, 17, 32_768, 32_769, 100_000, 140_000, 262_144, 300_001])(
  'keeps %d quads in their order',
  (length) => {
    for (const settles of [false, true]) {
      const list = filled(length);
      if (settles) for (const _ of list.settle());
      expect(list).toHaveLength(length);
      for (const [at, name] of NAMES.entries()) {
        const column = list[name];
        const wrong = column.subarray(0, length).findIndex((id, row) => id !== (at === 3 ? row % 7 : row + at));
        expect(wrong).toBe(-1);
      }
    }
  },
);

it('copies no more than a block in one piece, however long it is', () => {
  let longest = 0;
  const { set } = Uint32Array.prototype;
  Uint32Array.prototype.set = function (this: Uint32Array, source: ArrayLike<number>, offset?: number) {
    longest = Math.max(longest, source.length);
    set.call(this, source, offset);
  };
  try {
    const list = filled(300_000);
    expect([...list.settle()].length).toBeGreaterThan(0);
  } finally {
    Uint32Array.prototype.set = set;
  }
  expect(longest).toBeLessThanOrEqual(32_768);
});
