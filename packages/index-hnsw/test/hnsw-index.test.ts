import { exactVectorIndex } from '@rdf-worlds/core';
import type { VectorIndex } from '@rdf-worlds/core/plugin';
import { SeededRandom } from '@rdf-worlds/testkit';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { vectorIndexContract } from '../../testkit/src/vector-index-contract.ts';
import { hnswIndex } from '../src/index.ts';

/** Why the tests that need hnswlib-node are skipped; undefined when it is there. */
const missing = await hnswIndex()(2).then(
  () => undefined,
  (error: Error) => error.message,
);

afterEach(() => {
  vi.doUnmock('hnswlib-node');
  vi.resetModules();
});

const vectors = (random: SeededRandom, count: number, dimensions: number) =>
  Array.from({ length: count }, () => Float32Array.from({ length: dimensions }, () => random.next() - 0.5));

describe('hnswIndex', () => {
  it.each([{ m: 1 }, { efConstruction: 0 }, { efSearch: 1.5 }, { exactUpTo: -1 }, { randomSeed: Number.NaN }])(
    'refuses %o',
    (options) => {
      expect(() => hnswIndex(options)).toThrow(/hnswIndex: /);
    },
  );

  it('refuses dimensions that make no sense', async () => {
    await expect(hnswIndex()(0)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('says what to do where hnswlib-node is not installed', async () => {
    vi.resetModules();
    vi.doMock('hnswlib-node', () => {
      throw new Error('Could not locate the bindings file.\nTried: ...');
    });
    const { hnswIndex: without } = await import('../src/index.ts');
    await expect(without()(2)).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      message: expect.stringMatching(
        /hnswlib-node cannot be loaded: .*npm install hnswlib-node.*built-in vector index/,
      ),
    });
  });
});

describe.skipIf(missing)(`hnswIndex on hnswlib-node${missing ? ` (skipped: ${missing})` : ''}`, () => {
  for (const exactUpTo of [undefined, 20]) {
    const options = exactUpTo === undefined ? {} : { exactUpTo };
    describe(`keeps the contract of a vector index (${JSON.stringify(options)})`, () => {
      for (const { name, run } of vectorIndexContract(hnswIndex(options), { minRecall: 0.9 })) it(name, run);
    });
  }

  /** The share of the nearest that are found. */
  async function recall(
    index: VectorIndex,
    exact: VectorIndex,
    queries: readonly Float32Array[],
    options: object = {},
  ) {
    let found = 0;
    for (const query of queries) {
      const expected = await exact.search(query, { limit: 10, ...options });
      const keys = new Set((await index.search(query, { limit: 10, ...options })).map(({ key }) => key));
      found += expected.filter(({ key }) => keys.has(key)).length / expected.length;
    }
    return found / queries.length;
  }

  it('finds the nearest through overwriting, deleting and coming back, and when it grows', async () => {
    const random = new SeededRandom(7);
    const index = await hnswIndex({ exactUpTo: 100 })(16);
    const exact = await exactVectorIndex(16);
    for (let round = 0; round < 4; round++) {
      for (const vector of vectors(random, 1500, 16)) {
        const key = random.below(3000);
        index.set(key, vector);
        exact.set(key, vector);
      }
      for (let at = 0; at < 700; at++) {
        const key = random.below(3000);
        expect(index.delete(key)).toBe(exact.delete(key));
      }
      expect(index.size).toBe(exact.size);
      expect(await recall(index, exact, vectors(random, 30, 16))).toBeGreaterThan(0.95);
      const wide = { kind: 'ranges', ranges: Uint32Array.of(0, 2000), size: 2000 } as const;
      expect(await recall(index, exact, vectors(random, 10, 16), { filter: wide })).toBeGreaterThan(0.9);
      const narrow = { kind: 'ranges', ranges: Uint32Array.of(100, 180), size: 80 } as const;
      expect(await recall(index, exact, vectors(random, 10, 16), { filter: narrow })).toBe(1);
    }
    for (let key = 0; key < 3000; key++) index.delete(key);
    expect(index.size).toBe(0);
    index.set(1, vectors(random, 1, 16)[0]);
    expect(await index.search(vectors(random, 1, 16)[0], { limit: 5 })).toHaveLength(1);
  });

  it('gives the similarities of the vectors themselves', async () => {
    const random = new SeededRandom(8);
    const index = await hnswIndex({ exactUpTo: 0 })(32);
    const exact = await exactVectorIndex(32);
    for (const [key, vector] of vectors(random, 600, 32).entries()) {
      index.set(key, vector);
      exact.set(key, vector);
    }
    const [query] = vectors(random, 1, 32);
    const all = new Map((await exact.search(query, { limit: 600 })).map(({ key, similarity }) => [key, similarity]));
    for (const { key, similarity } of await index.search(query, { limit: 10 })) expect(similarity).toBe(all.get(key));
  });
});
