import assert from 'node:assert/strict';
import { SeededRandom, vectorIndexContract } from '@rdf-worlds/testkit';
import { describe, expect, it, vi } from 'vitest';
import type { DocSet } from '../../../src/contracts/doc-set.ts';
import { docSetOf } from '../../../src/search/doc-set.ts';
import type { CodeLayout } from '../../../src/search/vector/code-blocks.ts';
import { makeCodeBlocks } from '../../../src/search/vector/make-code-blocks.ts';
import { PlainCodeBlocks } from '../../../src/search/vector/plain-code-blocks.ts';
import { ScannedVectorIndex } from '../../../src/search/vector/scanned-vector-index.ts';
import { clusteredVectors, gaussianVectors } from './gaussian-vectors.ts';

// `assert` where it is asked ten thousands of times: `expect` keeps a record of each, which takes
// longer than all that is tested.

/** LONG_TESTS=1 measures 20,000 vectors, and makes three times as many random changes. */
const IS_LONG = process.env['LONG_TESTS'] !== undefined;
const VECTORS = IS_LONG ? 20_000 : 10_000;

const plain = (layout: CodeLayout) => new PlainCodeBlocks(layout);
const make = (dimensions: number, exactComponents: number, makeBlocks = makeCodeBlocks) =>
  new ScannedVectorIndex({ dimensions, exactComponents, makeCodeBlocks: makeBlocks });

describe.each([
  ['with codes from the first vector on', 0],
  ['with codes above a few hundred vectors', 4000],
])('ScannedVectorIndex keeps the contract of a vector index %s', (_, exactComponents) => {
  for (const { name, run } of vectorIndexContract(async (dimensions) => make(dimensions, exactComponents), {
    minRecall: 0.95,
  }))
    it(name, run);
});

describe('ScannedVectorIndex without WebAssembly keeps the contract of a vector index', () => {
  for (const { name, run } of vectorIndexContract(async (dimensions) => make(dimensions, 0, plain), {
    minRecall: 0.95,
  }))
    it(name, run);
});

/** The share of the true nearest that are found, over all queries. */
async function recall(
  index: ScannedVectorIndex,
  exact: ScannedVectorIndex,
  queries: readonly Float32Array[],
  limit: number,
  filter?: DocSet,
) {
  let found = 0;
  let wanted = 0;
  for (const query of queries) {
    const options = { limit, ...(filter && { filter }) };
    const expected = await exact.search(query, options);
    const hits = await index.search(query, options);
    expect(hits.length).toBe(expected.length);
    const keys = new Set(expected.map(({ key }) => key));
    for (const { key, similarity } of hits) {
      if (!keys.has(key)) continue;
      found++;
      assert.equal(similarity, expected.find((each) => each.key === key)!.similarity);
    }
    wanted += expected.length;
  }
  return found / wanted;
}

describe(`ScannedVectorIndex finds at least 99 of 100 of the nearest among ${VECTORS} vectors`, () => {
  const dimensions = 96;
  const count = VECTORS;
  const random = new SeededRandom(3);
  const centres = gaussianVectors(random, 300, dimensions);
  const CASES: readonly (readonly [string, (count: number) => Float32Array[]])[] = [
    ['without any structure', (wanted) => gaussianVectors(random, wanted, dimensions)],
    ['around a common direction', (wanted) => gaussianVectors(random, wanted, dimensions, 3)],
    ['in clusters', (wanted) => clusteredVectors(random, wanted, centres, 0.7)],
    [
      'with few components each',
      (wanted) =>
        Array.from({ length: wanted }, () => {
          const vector = new Float32Array(dimensions);
          for (let at = 0; at < 4; at++) vector[random.below(dimensions)] += 1 + random.below(2);
          return vector;
        }),
    ],
  ];

  it.each(CASES)('%s', async (_, vectors) => {
    const index = make(dimensions, 100_000);
    const exact = make(dimensions, Infinity);
    for (const [at, vector] of vectors(count).entries()) {
      index.set(at * 3, vector);
      exact.set(at * 3, vector);
    }
    const queries = vectors(40);
    const keys = Uint32Array.from({ length: count }, (_, at) => at * 3);
    const some = (share: number) => docSetOf(keys.filter(() => random.chance(share)));
    const ranges: DocSet = { kind: 'ranges', ranges: Uint32Array.of(9000, 30_000), size: 7000 };
    // Equal similarities are the rule where components are few: then another key is as good, but
    // not counted. Ties are broken the same way, so it is.
    expect(await recall(index, exact, queries, 10)).toBeGreaterThanOrEqual(0.99);
    expect(await recall(index, exact, queries, 100)).toBeGreaterThanOrEqual(0.99);
    for (const filter of [some(0.5), some(0.1), some(0.01), some(0.001), ranges])
      expect(await recall(index, exact, queries.slice(0, 15), 10, filter)).toBeGreaterThanOrEqual(0.99);
  });
});

describe('ScannedVectorIndex', () => {
  /** How many rows a search compared exactly. */
  async function compared(index: ScannedVectorIndex, query: Float32Array, filter?: DocSet): Promise<number> {
    const rows = (index as unknown as { rows: { similarity(unit: Float64Array, row: number): number } }).rows;
    const similarity = vi.spyOn(rows, 'similarity');
    await index.search(query, { limit: 10, ...(filter && { filter }) });
    const { length } = similarity.mock.calls;
    similarity.mockRestore();
    return length;
  }

  it('compares few of many vectors, and fewer under a filter', async () => {
    const random = new SeededRandom(9);
    const centres = gaussianVectors(random, 200, 64);
    const index = make(64, 1000);
    const vectors = clusteredVectors(random, 10_000, centres, 0.5);
    for (const [key, vector] of vectors.entries()) index.set(key, vector);
    const [query] = clusteredVectors(random, 1, centres, 0.5);
    expect(await compared(index, query)).toBeLessThan(1000);
    const few = docSetOf(Uint32Array.from({ length: 100 }, (_, at) => at * 97));
    expect(await compared(index, query, few)).toBeLessThanOrEqual(100);
    const exact = make(64, Infinity);
    for (const [key, vector] of vectors.entries()) exact.set(key, vector);
    expect(await compared(exact, query)).toBe(10_000);
    expect(await compared(exact, query, few)).toBe(100);
  });

  it('keeps finding while the vectors move elsewhere', async () => {
    const random = new SeededRandom(21);
    const dimensions = 64;
    const index = make(dimensions, 10_000);
    const exact = make(dimensions, Infinity);
    // One half around one direction, then another half around the opposite, which then takes the
    // place of the first.
    const one = gaussianVectors(random, 4000, dimensions, 3);
    const other = gaussianVectors(random, 8000, dimensions, -3);
    for (const [key, vector] of [...one, ...other].entries()) {
      index.set(key, vector);
      exact.set(key, vector);
    }
    const queries = [...one.slice(0, 10), ...other.slice(0, 10)];
    expect(await recall(index, exact, queries, 10)).toBeGreaterThanOrEqual(0.98);
    for (let key = 0; key < 4000; key++) {
      assert(index.delete(key));
      exact.delete(key);
    }
    for (const [key, vector] of gaussianVectors(random, 4000, dimensions, -3).entries()) {
      index.set(4000 + key, vector);
      exact.set(4000 + key, vector);
    }
    expect(await recall(index, exact, queries, 10)).toBeGreaterThanOrEqual(0.98);
    // Codes are around the new direction: around the old one, or between the two, thousands had to
    // be compared.
    expect(await compared(index, other[0])).toBeLessThan(500);
  });

  it('agrees with an exact index through random changes', async () => {
    const random = new SeededRandom(4);
    const dimensions = 24;
    for (const makeBlocks of [makeCodeBlocks, plain]) {
      const index = make(dimensions, 2400, makeBlocks);
      const exact = make(dimensions, Infinity);
      let found = 0;
      let rounds = 0;
      for (let step = 0; step < (IS_LONG ? 12_000 : 4000); step++) {
        const key = random.below(3000);
        if (random.chance(step % 4000 < 2500 ? 0.9 : 0.2)) {
          const [vector] = gaussianVectors(random, 1, dimensions, 1);
          index.set(key, vector);
          exact.set(key, vector);
        } else assert.equal(index.delete(key), exact.delete(key));
        assert.equal(index.size, exact.size);
        if (step % 400 !== 399) continue;
        found += await recall(index, exact, gaussianVectors(random, 5, dimensions, 1), 8);
        rounds++;
      }
      expect(found / rounds).toBeGreaterThanOrEqual(0.99);
    }
  });

  it('returns the same results with and without WebAssembly', async () => {
    const random = new SeededRandom(13);
    const [one, other] = [make(48, 0), make(48, 0, plain)];
    for (const [key, vector] of gaussianVectors(random, 9000, 48).entries()) {
      one.set(key, vector);
      other.set(key, vector);
    }
    const filter = docSetOf(Uint32Array.from({ length: 2000 }, () => random.below(9000)));
    for (const query of gaussianVectors(random, 20, 48))
      for (const options of [{ limit: 10 }, { limit: 50, filter }])
        expect(await one.search(query, options)).toEqual(await other.search(query, options));
  });

  it('breaks ties by key among more equal vectors than it can compare', async () => {
    const index = make(16, 0);
    const vector = gaussianVectors(new SeededRandom(1), 1, 16)[0];
    for (let key = 40_000; key >= 1; key--) index.set(key, vector);
    const hits = await index.search(vector, { limit: 5 });
    expect(hits.map(({ key }) => key)).toEqual([1, 2, 3, 4, 5]);
  });

  it('reports its memory, and releases most of it', () => {
    const dimensions = 128;
    const index = make(dimensions, 128 * 1000);
    const empty = index.memoryBytes;
    expect(empty).toBeLessThan(1000);
    const vectors = gaussianVectors(new SeededRandom(2), 100, dimensions);
    for (let key = 0; key < 20_000; key++) index.set(key, vectors[key % 100]);
    const full = index.memoryBytes;
    // 512 bytes of vector, 72 of code, the key and its place in a table.
    expect(full / 20_000).toBeGreaterThan(512 + 72 + 4);
    expect(full / 20_000).toBeLessThan(512 + 72 + 60);
    for (let key = 0; key < 19_990; key++) index.delete(key);
    expect(index.memoryBytes).toBeLessThan(full / 10);
  });

  it('yields to the event loop during a long scan, stops when aborted, and tolerates concurrent changes', async () => {
    const random = new SeededRandom(31);
    const index = make(32, 0);
    const vectors = gaussianVectors(random, 30_000, 32);
    for (const [key, vector] of vectors.entries()) index.set(key, vector);
    // Everything a search may find is below 20,000; the others come and go.
    const filters = [
      docSetOf(Uint32Array.from({ length: 2000 }, (_, at) => at * 10)),
      { kind: 'ranges', ranges: Uint32Array.of(0, 20_000), size: 20_000 } as const,
    ];
    // A clock that runs fast, so that a scan of any machine is a long one.
    let nowMs = performance.now();
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += 5));
    try {
      for (const filter of filters) {
        let turns = 0;
        const change = () => {
          turns++;
          for (let at = 0; at < 50; at++) {
            const key = random.below(30_000);
            if (random.chance(0.5)) index.delete(key);
            else index.set(key, random.pick(vectors));
          }
          pending = setImmediate(change);
        };
        let pending = setImmediate(change);
        for (const query of vectors.slice(0, 10)) {
          const hits = await index.search(query, { limit: 10, filter });
          expect(hits.length).toBe(10);
          expect(new Set(hits.map(({ key }) => key)).size).toBe(10);
          for (const { key } of hits) {
            expect(key).toBeLessThan(20_000);
            expect(index.has(key)).toBe(true);
          }
        }
        clearImmediate(pending);
        expect(turns).toBeGreaterThan(10);
      }
      const controller = new AbortController();
      const search = index.search(vectors[0], { limit: 10, signal: controller.signal });
      setImmediate(() => controller.abort());
      await expect(search).rejects.toMatchObject({ code: 'ABORTED' });
    } finally {
      clock.mockRestore();
    }
  });
});
