import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  docSetHas,
  docSetIds,
  docSetOf,
  docSetWhere,
  docSetWords,
  EMPTY_DOC_SET,
  forEachInDocSet,
} from '../../src/search/doc-set.ts';

/** Dense, clustered and sparse sets, so that every form is met. */
const members = fc.oneof(
  fc.array(fc.integer({ min: 0, max: 100 })),
  fc.array(fc.integer({ min: 0, max: 0xffff_fffe })),
  fc
    .array(fc.tuple(fc.integer({ min: 0, max: 2000 }), fc.integer({ min: 1, max: 60 })), { maxLength: 6 })
    .map((runs) => runs.flatMap(([start, length]) => Array.from({ length }, (_, at) => start + at))),
);

describe('docSetOf', () => {
  it('contains exactly the given documents, in any order and with repetitions', () => {
    const forms = new Set<string>();
    fc.assert(
      fc.property(members, (given) => {
        const expected = [...new Set(given)].sort((a, b) => a - b);
        const set = docSetOf(Uint32Array.from(given));
        forms.add(set.kind);
        expect(set.size).toBe(expected.length);
        expect([...docSetIds(set)]).toEqual(expected);
        const visited: number[] = [];
        forEachInDocSet(set, (id) => visited.push(id));
        expect(visited).toEqual(expected);
        const words = docSetWords(set, 200);
        if (words) expect([...docSetIds({ kind: 'bitset', words, size: set.size })]).toEqual(expected);
        else expect(Math.max(...expected)).toBeGreaterThanOrEqual(200 * 32);
        const model = new Set(expected);
        for (const id of [0, 31, 32, 100, 0xffff_ffff, ...given, ...given.map((id) => id + 1)])
          assert.equal(docSetHas(set, id), model.has(id));
      }),
      { numRuns: 500 },
    );
    expect([...forms].sort()).toEqual(['bitset', 'ranges', 'sorted']);
  });

  it.each([
    ['a run', Array.from({ length: 1000 }, (_, at) => at + 500), 'ranges'],
    ['two runs', [1, 2, 3, 4, 5, 6, 1000, 1001, 1002, 1003], 'ranges'],
    ['few far apart', [5, 70_000, 900_000], 'sorted'],
    ['every other number', Array.from({ length: 1000 }, (_, at) => at * 2), 'bitset'],
    ['one number', [77], 'sorted'],
    ['nothing', [], 'sorted'],
  ])('takes the smallest form for %s', (_, ids, kind) => {
    expect(docSetOf(Uint32Array.from(ids)).kind).toBe(kind);
    expect(docSetOf(Uint32Array.from(ids).reverse()).kind).toBe(kind);
  });

  it('takes the first `length` alone', () => {
    expect([...docSetIds(docSetOf(Uint32Array.of(9, 4, 7, 1), 2))]).toEqual([4, 9]);
    expect(docSetOf(Uint32Array.of(9), 0)).toBe(EMPTY_DOC_SET);
  });
});

describe('docSetWhere', () => {
  it('contains the documents that the predicate accepts', () => {
    expect([...docSetIds(docSetWhere(20, (id) => id % 6 === 1))]).toEqual([1, 7, 13, 19]);
    expect(docSetWhere(0, () => true).size).toBe(0);
  });
});
