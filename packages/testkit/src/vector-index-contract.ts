import assert from 'node:assert/strict';
import { WorldsError } from '@rdf-worlds/core';
import type { DocSet, VectorHit, VectorIndex, VectorIndexFactory } from '@rdf-worlds/core/plugin';
import type { ContractCase } from './contract-case.ts';
import { SeededRandom } from './seeded-random.ts';

/** Tolerance for comparing similarities: an index may store its vectors in 32 bits. */
const TOLERANCE = 1e-5;

/** What the contract demands of an index. */
export interface VectorIndexContractOptions {
  /**
   * Minimum share of the true nearest neighbours that a search must return. 1 by default: an exact
   * index. An approximate index passes the recall it guarantees.
   */
  readonly minRecall?: number | undefined;
}

function formsOf(keys: readonly number[]): DocSet[] {
  const words = new Uint32Array(((keys.at(-1) ?? 0) >>> 5) + 1);
  for (const key of keys) words[key >>> 5] |= 1 << (key & 31);
  return [
    { kind: 'sorted', ids: Uint32Array.from(keys), size: keys.length },
    { kind: 'ranges', ranges: Uint32Array.from(keys.flatMap((key) => [key, key + 1])), size: keys.length },
    { kind: 'bitset', words, size: keys.length },
  ];
}

const keysOf = (hits: readonly VectorHit[]): number[] => hits.map(({ key }) => key);

async function search(
  index: VectorIndex,
  vector: ArrayLike<number>,
  limit = 100,
  filter?: DocSet,
): Promise<VectorHit[]> {
  const hits = await index.search(Float32Array.from(vector), filter ? { limit, filter } : { limit });
  assert.ok(hits.length <= limit, `${hits.length} hits for a limit of ${limit}`);
  assert.equal(new Set(keysOf(hits)).size, hits.length, 'a key comes twice');
  for (const [at, { key, similarity }] of hits.entries()) {
    assert.ok(similarity >= -1 && similarity <= 1, `the similarity of ${key} is ${similarity}`);
    if (at === 0) continue;
    const before = hits[at - 1];
    assert.ok(before.similarity >= similarity, `${before.key} (${before.similarity}) before ${key} (${similarity})`);
    if (before.similarity === similarity) assert.ok(before.key < key, `${before.key} and ${key} tie, but descend`);
  }
  return hits;
}

function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let dot = 0;
  let lengthA = 0;
  let lengthB = 0;
  for (let at = 0; at < a.length; at++) {
    dot += a[at] * b[at];
    lengthA += a[at] * a[at];
    lengthB += b[at] * b[at];
  }
  return lengthA === 0 || lengthB === 0 ? 0 : dot / Math.sqrt(lengthA * lengthB);
}

const isInvalidArgument = (error: unknown): boolean =>
  error instanceof WorldsError && error.code === 'INVALID_ARGUMENT';

const randomVector = (random: SeededRandom, dimensions: number): Float32Array =>
  Float32Array.from({ length: dimensions }, () => random.next() * 2 - 1);

/** The contract of a {@link VectorIndex}. */
export function vectorIndexContract(
  make: VectorIndexFactory,
  { minRecall = 1 }: VectorIndexContractOptions = {},
): readonly ContractCase[] {
  const cases: ContractCase[] = [];
  const it = (name: string, run: () => Promise<void>): void => {
    cases.push({ name, run });
  };

  /** Compares a search with a scan of every vector that the index should hold. */
  const agrees = async (
    index: VectorIndex,
    held: ReadonlyMap<number, Float32Array>,
    query: Float32Array,
    limit: number,
    allowed?: readonly number[],
    filter?: DocSet,
  ): Promise<void> => {
    const hits = await search(index, query, limit, filter);
    const expected = [...held.keys()]
      .filter((key) => !allowed || allowed.includes(key))
      .map((key) => ({ key, similarity: cosine(held.get(key)!, query) }))
      .sort((a, b) => b.similarity - a.similarity || a.key - b.key)
      .slice(0, limit);
    for (const { key, similarity } of hits) {
      const vector = held.get(key);
      assert.ok(vector, `the index gave ${key}, which it does not hold`);
      assert.ok(!allowed || allowed.includes(key), `the index gave ${key}, which the filter does not hold`);
      assert.ok(Math.abs(similarity - cosine(vector, query)) < TOLERANCE, `the similarity of ${key} is ${similarity}`);
    }
    if (minRecall === 1) assert.equal(hits.length, expected.length);
    // A hit as near as the farthest expected one is equally correct.
    const farthest = (expected.at(-1)?.similarity ?? 0) - TOLERANCE;
    const good = hits.filter(({ similarity }) => similarity >= farthest).length;
    assert.ok(good >= minRecall * expected.length, `${good} of the ${expected.length} nearest were found`);
  };

  it('an empty index has its dimensions, no vectors and no hits', async () => {
    const index = await make(3);
    assert.equal(index.dimensions, 3);
    assert.equal(index.size, 0);
    assert.equal(index.has(1), false);
    assert.equal(index.delete(1), false);
    assert.deepEqual(await search(index, [1, 0, 0]), []);
  });

  it('indexes of one factory are independent', async () => {
    const one = await make(2);
    const other = await make(2);
    one.set(1, Float32Array.of(1, 0));
    assert.equal(other.size, 0);
    assert.deepEqual(await search(other, [1, 0]), []);
  });

  it('returns the nearest first, with cosine similarities', async () => {
    const index = await make(2);
    index.set(10, Float32Array.of(1, 0));
    index.set(20, Float32Array.of(3, 4));
    index.set(30, Float32Array.of(0, 2));
    index.set(40, Float32Array.of(-5, 0));
    const hits = await search(index, [1, 0]);
    assert.deepEqual(keysOf(hits), [10, 20, 30, 40]);
    for (const [at, similarity] of [1, 0.6, 0, -1].entries())
      assert.ok(Math.abs(hits[at].similarity - similarity) < TOLERANCE, `${hits[at].similarity} is not ${similarity}`);
  });

  it('keys may be any unsigned 32-bit number', async () => {
    const index = await make(2);
    for (const key of [0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_fffe]) index.set(key, Float32Array.of(1, key / 2 ** 32));
    assert.equal(index.size, 5);
    assert.deepEqual(keysOf(await search(index, [1, 0])), [0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_fffe]);
    assert.equal(index.has(0x8000_0000), true);
  });

  it('the length of a vector does not matter, nor how small or large it is', async () => {
    const index = await make(2);
    index.set(1, Float32Array.of(1e-38, 1e-38));
    index.set(2, Float32Array.of(3e38, 3e38));
    index.set(3, Float32Array.of(1, 1));
    for (const query of [
      [1, 1],
      [1e-38, 1e-38],
      [3e38, 3e38],
    ])
      for (const { similarity } of await search(index, query)) assert.ok(Math.abs(similarity - 1) < TOLERANCE);
  });

  it('copies the array that it is given', async () => {
    const index = await make(2);
    const vector = Float32Array.of(1, 0);
    index.set(1, vector);
    vector.fill(-1);
    const query = Float32Array.of(1, 0);
    const [hit] = await index.search(query, { limit: 1 });
    assert.ok(Math.abs(hit.similarity - 1) < TOLERANCE);
    assert.deepEqual([...query], [1, 0]);
  });

  it('a second vector of a key replaces the first', async () => {
    const index = await make(2);
    index.set(1, Float32Array.of(1, 0));
    index.set(2, Float32Array.of(1, 1));
    index.set(1, Float32Array.of(0, 1));
    assert.equal(index.size, 2);
    assert.deepEqual(keysOf(await search(index, [1, 0])), [2, 1]);
    assert.deepEqual(keysOf(await search(index, [0, 1])), [1, 2]);
  });

  it('a deleted vector is no longer found, the others are, and its key can be reused', async () => {
    const index = await make(2);
    for (const key of [1, 2, 3]) index.set(key, Float32Array.of(1, key));
    assert.equal(index.delete(1), true);
    assert.equal(index.delete(1), false);
    assert.equal(index.has(1), false);
    assert.equal(index.size, 2);
    assert.deepEqual(keysOf(await search(index, [1, 0])), [2, 3]);
    index.set(1, Float32Array.of(0, 1));
    assert.deepEqual(keysOf(await search(index, [0, 1])), [1, 3, 2]);
    for (const key of [1, 2, 3]) assert.equal(index.delete(key), true);
    assert.equal(index.size, 0);
    assert.deepEqual(await search(index, [1, 0]), []);
  });

  it('a zero vector is similar to nothing', async () => {
    const index = await make(2);
    index.set(1, Float32Array.of(0, 0));
    index.set(2, Float32Array.of(1, 0));
    index.set(3, Float32Array.of(-1, 0));
    assert.deepEqual(keysOf(await search(index, [1, 0])), [2, 1, 3]);
    assert.equal((await search(index, [1, 0]))[1].similarity, 0);
    const hits = await search(index, [0, 0]);
    assert.deepEqual(keysOf(hits), [1, 2, 3]);
    for (const { similarity } of hits) assert.ok(similarity === 0);
  });

  it('rejects vectors of a wrong length, and is unchanged', async () => {
    const index = await make(3);
    index.set(1, Float32Array.of(1, 0, 0));
    for (const length of [0, 2, 4]) {
      assert.throws(() => index.set(1, new Float32Array(length).fill(1)), isInvalidArgument);
      assert.throws(() => index.set(2, new Float32Array(length).fill(1)), isInvalidArgument);
      await assert.rejects(index.search(new Float32Array(length).fill(1), { limit: 1 }), isInvalidArgument);
    }
    assert.equal(index.size, 1);
    assert.equal(index.has(2), false);
    assert.ok((await search(index, [1, 0, 0]))[0].similarity > 0.999);
  });

  it('rejects components that are not finite, and is unchanged', async () => {
    const index = await make(2);
    index.set(1, Float32Array.of(1, 0));
    for (const component of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      assert.throws(() => index.set(1, Float32Array.of(1, component)), isInvalidArgument);
      assert.throws(() => index.set(2, Float32Array.of(component, 1)), isInvalidArgument);
      await assert.rejects(index.search(Float32Array.of(component, 1), { limit: 1 }), isInvalidArgument);
    }
    assert.equal(index.size, 1);
    assert.ok((await search(index, [1, 0]))[0].similarity > 0.999);
  });

  it('the limit keeps the nearest', async () => {
    const index = await make(2);
    for (let key = 1; key <= 20; key++) index.set(key, Float32Array.of(20 - key, key));
    for (const limit of [1, 2, 19, 20, 21, 1_000_000]) {
      const expected = Array.from({ length: Math.min(limit, 20) }, (_, at) => at + 1);
      assert.deepEqual(keysOf(await search(index, [1, 0], limit)), expected, `limit ${limit}`);
    }
  });

  it('equal vectors tie, and ties are in ascending order of keys, in whatever order they were set', async () => {
    const index = await make(3);
    for (const key of [5, 1, 4, 9, 3, 2]) index.set(key, Float32Array.of(1, 2, 3));
    index.delete(9);
    assert.deepEqual(keysOf(await search(index, [3, 2, 1])), [1, 2, 3, 4, 5]);
    assert.deepEqual(keysOf(await search(index, [3, 2, 1], 2)), [1, 2]);
    for (const filter of formsOf([2, 4, 5]))
      assert.deepEqual(keysOf(await search(index, [3, 2, 1], 2, filter)), [2, 4], filter.kind);
  });

  it('a filter applies before the limit: the farthest vector can be found alone', async () => {
    const index = await make(2);
    for (let key = 0; key < 300; key++) index.set(key, Float32Array.of(1, key / 100));
    index.set(300, Float32Array.of(-1, 0));
    for (const filter of formsOf([300]))
      assert.deepEqual(keysOf(await search(index, [1, 0], 1, filter)), [300], filter.kind);
  });

  it('a filter may be empty, or larger than the index', async () => {
    const index = await make(2);
    index.set(3, Float32Array.of(1, 0));
    index.set(4, Float32Array.of(0, 1));
    const empty: DocSet[] = [
      { kind: 'sorted', ids: new Uint32Array(0), size: 0 },
      { kind: 'ranges', ranges: new Uint32Array(0), size: 0 },
      { kind: 'bitset', words: new Uint32Array(0), size: 0 },
    ];
    for (const filter of empty) assert.deepEqual(await search(index, [1, 0], 10, filter), [], filter.kind);
    for (const filter of formsOf([0, 1, 2, 3, 50, 51, 1000]))
      assert.deepEqual(keysOf(await search(index, [1, 0], 10, filter)), [3], filter.kind);
    const everything: DocSet = { kind: 'ranges', ranges: Uint32Array.of(0, 0xffff_ffff), size: 0xffff_ffff };
    assert.deepEqual(keysOf(await search(index, [1, 0], 10, everything)), [3, 4]);
  });

  for (const [dimensions, count] of [
    [1, 30],
    [7, 500],
    [64, 2500],
  ] as const) {
    it(`finds the same as an exhaustive comparison (${count} of ${dimensions} dimensions)`, async () => {
      const random = new SeededRandom(dimensions);
      const index = await make(dimensions);
      const held = new Map<number, Float32Array>();
      while (held.size < count) {
        const key = random.below(count * 10);
        const vector = randomVector(random, dimensions);
        held.set(key, vector);
        index.set(key, vector);
      }
      assert.equal(index.size, count);
      for (const share of [0.02, 0.5, 0.95]) {
        const allowed = [...held.keys()].filter(() => random.chance(share)).sort((a, b) => a - b);
        for (const filter of formsOf(allowed))
          await agrees(index, held, randomVector(random, dimensions), 10, allowed, filter);
      }
      for (const limit of [1, 10, 100]) await agrees(index, held, randomVector(random, dimensions), limit);
    });
  }

  it('exact hits do not depend on other vectors in the index', async () => {
    const random = new SeededRandom(17);
    const dimensions = 64;
    const [all, own] = [await make(dimensions), await make(dimensions)];
    const allowed: number[] = [];
    for (let key = 0; key < 1200; key++) {
      const vector = randomVector(random, dimensions);
      all.set(key, vector);
      if (key % 3 === 0) continue;
      own.set(key, vector);
      allowed.push(key);
    }
    for (let round = 0; round < 5; round++) {
      const query = randomVector(random, dimensions);
      const expected = await own.search(query, { limit: 7, exact: true });
      for (const filter of formsOf(allowed))
        assert.deepEqual(await all.search(query, { limit: 7, exact: true, filter }), expected);
    }
  });

  it('after random sets and deletes it contains the same as a map of vectors', async () => {
    const random = new SeededRandom(11);
    const index = await make(5);
    const held = new Map<number, Float32Array>();
    for (let step = 0; step < 3000; step++) {
      const key = random.below(200);
      if (random.chance(0.5)) {
        const vector = randomVector(random, 5);
        index.set(key, vector);
        held.set(key, vector);
      } else assert.equal(index.delete(key), held.delete(key));
      assert.equal(index.size, held.size);
      assert.equal(index.has(key), held.has(key));
      if (step % 100 === 99) await agrees(index, held, randomVector(random, 5), 10);
    }
    for (const key of held.keys()) index.delete(key);
    assert.equal(index.size, 0);
  });

  it('reports its memory, if it can', async () => {
    const index = await make(64);
    const empty = index.memoryBytes;
    if (empty === undefined) return;
    assert.ok(Number.isFinite(empty) && empty >= 0, `an empty index takes ${empty} bytes`);
    const random = new SeededRandom(17);
    for (let key = 0; key < 2000; key++) index.set(key, randomVector(random, 64));
    // No index stores less than one bit per component.
    assert.ok(index.memoryBytes! >= empty + 2000 * 8, `2000 vectors of 64 dimensions take ${index.memoryBytes} bytes`);
  });

  it('a search tolerates changes made while it waits', async () => {
    const random = new SeededRandom(19);
    const index = await make(16);
    for (let key = 0; key < 3000; key++) index.set(key, randomVector(random, 16));
    const allowed = Array.from({ length: 1000 }, (_, at) => at * 2);
    for (const filter of [undefined, ...formsOf(allowed)]) {
      const searches = Array.from({ length: 5 }, () => search(index, randomVector(random, 16), 20, filter));
      for (let step = 0; step < 300; step++) {
        index.delete(random.below(3000));
        index.set(random.below(3000), randomVector(random, 16));
        if (step % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 0));
      }
      for (const hits of await Promise.all(searches)) {
        assert.ok(hits.length > 0);
        if (filter) for (const { key } of hits) assert.ok(key < 2000 && key % 2 === 0, `${key} is not in the filter`);
      }
    }
  });

  it('an aborted signal ends the search with ABORTED', async () => {
    const index = await make(2);
    index.set(1, Float32Array.of(1, 0));
    await assert.rejects(
      index.search(Float32Array.of(1, 0), { limit: 1, signal: AbortSignal.abort() }),
      (error: unknown) => error instanceof WorldsError && error.code === 'ABORTED',
    );
  });

  it('concurrent searches do not affect each other', async () => {
    const index = await make(2);
    index.set(1, Float32Array.of(1, 0));
    index.set(2, Float32Array.of(0, 1));
    const [one, two] = await Promise.all([search(index, [1, 0], 1), search(index, [0, 1], 1)]);
    assert.deepEqual([keysOf(one), keysOf(two)], [[1], [2]]);
  });

  return cases;
}
