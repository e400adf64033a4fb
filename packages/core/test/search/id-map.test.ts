import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IdMap } from '../../src/search/id-map.ts';

const key = fc.oneof(fc.integer({ min: 0, max: 40 }), fc.constantFrom(0x7fff_ffff, 0x8000_0000, 0xffff_ffff));

describe('IdMap', () => {
  it('behaves as a Map', () => {
    const step = fc.oneof(
      fc.record({ set: key, value: fc.constantFrom(0, 1, 7, 0xffff_fffe) }),
      fc.record({ delete: key }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const map = new IdMap();
        const model = new Map<number, number>();
        for (const change of steps) {
          if ('set' in change) {
            map.set(change.set, change.value);
            model.set(change.set, change.value);
          } else expect(map.delete(change.delete)).toBe(model.delete(change.delete));
          expect(map.size).toBe(model.size);
        }
        for (const id of [...Array(45).keys(), 0x7fff_ffff, 0x8000_0000, 0xffff_ffff]) {
          expect(map.get(id)).toBe(model.get(id) ?? -1);
          expect(map.has(id)).toBe(model.has(id));
        }
        expect(map.take(1000).sort()).toEqual([...model.keys()].sort());
      }),
    );
  });

  it('keeps its entries when it grows and shrinks', () => {
    const map = new IdMap();
    for (let id = 0; id < 10_000; id++) map.set(id * 3, id);
    for (let id = 0; id < 10_000; id++) expect(map.get(id * 3)).toBe(id);
    for (let id = 0; id < 10_000; id++) expect(map.delete(id * 3)).toBe(true);
    expect(map.size).toBe(0);
    expect(map.has(3)).toBe(false);
    map.set(3, 4);
    expect(map.get(3)).toBe(4);
  });

  it('take goes round the map, so that it can be drained in parts', () => {
    const map = new IdMap();
    for (let id = 1; id <= 1000; id++) map.set(id, 0);
    const drained = new Set<number>();
    while (map.size > 0) {
      const taken = map.take(64);
      expect(taken.length).toBe(Math.min(64, map.size));
      expect(new Set(taken).size).toBe(taken.length);
      for (const id of taken) {
        expect(map.delete(id)).toBe(true);
        drained.add(id);
      }
    }
    expect(drained.size).toBe(1000);
    expect(map.take(1)).toEqual([]);
  });
});
