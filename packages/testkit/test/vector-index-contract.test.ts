import type { VectorIndex, VectorIndexFactory } from '@rdf-worlds/core/plugin';
import { describe, expect, it } from 'vitest';
import { exactVectorIndex } from '../../core/src/search/vector/default-vector-index.ts';
import { vectorIndexContract } from '../src/vector-index-contract.ts';

describe('vectorIndexContract accepts exactVectorIndex', () => {
  for (const { name, run } of vectorIndexContract(exactVectorIndex)) it(name, run);
});

/** Each row breaks one promise of a good index; the contract must notice. */
const DEFECTS: readonly (readonly [defect: string, caughtBy: RegExp, breakIt: (index: VectorIndex) => VectorIndex])[] =
  [
    [
      'ignores the filter',
      /a filter applies before the limit/,
      (index) => altered(index, { search: (vector, { limit }) => index.search(vector, { limit }) }),
    ],
    [
      'never deletes',
      /a deleted vector is no longer found/,
      (index) => altered(index, { delete: (key) => index.has(key) }),
    ],
    [
      'misses the nearest',
      /finds the same as an exhaustive comparison/,
      (index) =>
        altered(index, {
          search: async (vector, options) =>
            (await index.search(vector, { ...options, limit: options.limit + 1 })).slice(1),
        }),
    ],
    [
      'lets ties descend',
      /ties are in ascending order/,
      (index) =>
        altered(index, {
          search: async (vector, options) =>
            (await index.search(vector, options)).sort((a, b) => b.similarity - a.similarity || b.key - a.key),
        }),
    ],
    [
      'takes vectors of any length',
      /rejects vectors of a wrong length/,
      (index) =>
        altered(index, {
          set: (key, vector) =>
            index.set(
              key,
              Float32Array.from({ length: index.dimensions }, (_, at) => vector[at] ?? 0),
            ),
        }),
    ],
    [
      'keeps the first vector',
      /replaces the first/,
      (index) => altered(index, { set: (key, vector) => void (index.has(key) || index.set(key, vector)) }),
    ],
  ];

it('vectorIndexContract accepts an index behind the wrapper that the defects are built with', async () => {
  const make: VectorIndexFactory = async (dimensions) => altered(await exactVectorIndex(dimensions), {});
  for (const { run } of vectorIndexContract(make)) await run();
});

describe('vectorIndexContract notices an index that', () => {
  for (const [defect, caughtBy, breakIt] of DEFECTS) {
    it(defect, async () => {
      const make: VectorIndexFactory = async (dimensions) => breakIt(await exactVectorIndex(dimensions));
      const failed: string[] = [];
      for (const { name, run } of vectorIndexContract(make)) {
        if (!caughtBy.test(name)) continue;
        await run().catch((error: Error) => {
          expect(error.name).toBe('AssertionError');
          failed.push(name);
        });
      }
      expect(failed).not.toEqual([]);
    });
  }
});

/** The same index, but for what `changes` replaces. */
function altered(index: VectorIndex, changes: Partial<Omit<VectorIndex, 'size'>>): VectorIndex {
  return {
    dimensions: index.dimensions,
    get size() {
      return index.size;
    },
    get memoryBytes() {
      return index.memoryBytes;
    },
    has: (key) => index.has(key),
    set: (key, vector) => index.set(key, vector),
    delete: (key) => index.delete(key),
    search: (vector, options) => index.search(vector, options),
    ...changes,
  };
}
