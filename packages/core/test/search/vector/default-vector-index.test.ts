import { describe, expect, it, vi } from 'vitest';
import { docSetOf } from '../../../src/search/doc-set.ts';
import { exactVectorIndex } from '../../../src/search/vector/default-vector-index.ts';

// What every vector index promises is tested by the contract in @rdf-worlds/testkit; here is what
// is special to this one.
describe('exactVectorIndex', () => {
  it.each([0, -1, 1.5, Number.NaN])('refuses %s dimensions', async (dimensions) => {
    await expect(exactVectorIndex(dimensions)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it.each([0, -1, 0.5, Number.NaN])('refuses a limit of %s', async (limit) => {
    const index = await exactVectorIndex(2);
    await expect(index.search(Float32Array.of(1, 0), { limit })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('keeps vectors straight over several chunks, through deletes', async () => {
    const index = await exactVectorIndex(2);
    const count = 5000;
    for (let key = 0; key < count; key++) index.set(key, Float32Array.of(Math.cos(key / count), Math.sin(key / count)));
    for (let key = 0; key < count; key += 2) expect(index.delete(key)).toBe(true);
    expect(index.size).toBe(count / 2);
    const hits = await index.search(Float32Array.of(1, 0), { limit: 3 });
    expect(hits.map(({ key }) => key)).toEqual([1, 3, 5]);
    for (let key = 1; key < count; key += 2) expect(index.delete(key)).toBe(true);
    expect(await index.search(Float32Array.of(1, 0), { limit: 3 })).toEqual([]);
    index.set(9, Float32Array.of(1, 1));
    expect((await index.search(Float32Array.of(1, 1), { limit: 3 })).map(({ key }) => key)).toEqual([9]);
  });

  it('yields to the event loop during a long scan, and stops when aborted', async () => {
    const dimensions = 512;
    const index = await exactVectorIndex(dimensions);
    const vector = new Float32Array(dimensions).fill(1);
    for (let key = 0; key < 3000; key++) {
      vector[0] = key;
      index.set(key, vector);
    }
    // A clock that runs fast, so that a scan of any machine is a long one.
    let nowMs = performance.now();
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += 5));
    try {
      const filter = docSetOf(Uint32Array.from({ length: 2000 }, (_, at) => at));
      for (const options of [{}, { filter }]) {
        let turns = 0;
        const turn = () => {
          turns++;
          pending = setImmediate(turn);
        };
        let pending = setImmediate(turn);
        const hits = await index.search(vector, { limit: 10, ...options });
        clearImmediate(pending);
        expect(hits.length).toBe(10);
        expect(turns).toBeGreaterThan(1);

        const controller = new AbortController();
        const search = index.search(vector, { limit: 10, ...options, signal: controller.signal });
        setImmediate(() => controller.abort());
        await expect(search).rejects.toMatchObject({ code: 'ABORTED' });
      }
    } finally {
      clock.mockRestore();
    }
  });
});
