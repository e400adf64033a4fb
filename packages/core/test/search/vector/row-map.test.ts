import assert from 'node:assert/strict';
import { SeededRandom } from '@rdf-worlds/testkit';
import { describe, expect, it } from 'vitest';
import { RowMap } from '../../../src/search/vector/row-map.ts';

describe('RowMap', () => {
  it('behaves as a Map, also when it is split into shards', () => {
    const random = new SeededRandom(1);
    const map = new RowMap();
    const model = new Map<number, number>();
    for (let step = 0; step < 30_000; step++) {
      const key = random.chance(0.01) ? 0xffff_ffff - random.below(5) : random.below(20_000) * 7;
      if (random.chance(0.2)) {
        map.delete(key);
        model.delete(key);
      } else {
        map.set(key, step);
        model.set(key, step);
      }
      assert.equal(map.get(key), model.get(key) ?? -1);
      if (step % 5000 === 4999) for (const [each, row] of model) assert.equal(map.get(each), row);
    }
    expect(model.size).toBeGreaterThan(5000);
    expect(map.get(3)).toBe(-1);
  });

  it('reports its memory', () => {
    const map = new RowMap();
    const empty = map.memoryBytes;
    for (let key = 0; key < 10_000; key++) map.set(key, key);
    expect(map.memoryBytes).toBeGreaterThan(10_000 * 8);
    expect(empty).toBeLessThan(200);
  });
});
