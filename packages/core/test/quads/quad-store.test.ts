import { SeededRandom } from '@rdf-worlds/testkit';
import { describe, expect, it } from 'vitest';
import { QuadBatch } from '../../src/contracts/quad-batch.ts';
import { runAtOnce, Slicer } from '../../src/contracts/slicer.ts';
import { NO_TERM } from '../../src/contracts/term-source.ts';
import { QuadStore } from '../../src/quads/quad-store.ts';
import { WorldGraphs } from '../../src/quads/world-graphs.ts';
import { deltaFor, keyOf, type Row } from './quad-rows.ts';

const NO_TERMS = undefined as never;
// LONG_TESTS=1 makes twelve random histories.
const SEEDS = process.env['LONG_TESTS'] ? 12 : 5;

/** A store beside the set of quads that it should hold. */
class Modelled {
  readonly failures: unknown[] = [];
  readonly store = new QuadStore({ low: 5, high: 6 }, (cause) => this.failures.push(cause));
  readonly present = new Map<string, Row>();
  readonly living: WorldGraphs[] = [];

  makeWorld(): WorldGraphs {
    const world = new WorldGraphs(
      this.living.length + 1,
      this.store.allocateContext(),
      new Uint32Array(0),
      new Uint32Array(0),
    );
    this.living.push(world);
    return world;
  }

  commit(insert: readonly Row[], remove: readonly Row[] = []): void {
    this.store.publish(deltaFor(this.present, { insert, remove }));
  }

  bury(world: WorldGraphs): void {
    this.living.splice(this.living.indexOf(world), 1);
    for (const [key, [context]] of this.present) if (context === world.defaultContext) this.present.delete(key);
    this.store.bury([world.defaultContext]);
  }

  /** Compares each living world, and all of them together, with the model. */
  check(): void {
    for (const world of this.living) {
      const found = new Set<string>();
      const view = this.store.view(NO_TERMS, [world]);
      const cursor = view.cursor();
      const batch = new QuadBatch(64);
      cursor.seek(NO_TERM, NO_TERM, NO_TERM, NO_TERM);
      while (cursor.next(batch) > 0) {
        for (let row = 0; row < batch.length; row++) {
          found.add(keyOf([world.defaultContext, batch.subject[row], batch.predicate[row], batch.object[row]]));
        }
      }
      const expected = [...this.present]
        .filter(([, [context]]) => context === world.defaultContext)
        .map(([key]) => key);
      expect([...found].sort()).toEqual(expected.sort());
      expect(view.count(NO_TERM, NO_TERM, NO_TERM, NO_TERM)).toBe(expected.length);
    }
    expect(this.failures).toEqual([]);
  }

  /**
   * Every triple of the living worlds must show in a view over all of them, by count and by
   * estimate.
   */
  checkCollection(): void {
    runAtOnce(this.store.snapshot.buildCollection());
    const view = this.store.view(NO_TERMS, [...this.living]);
    const triples = new Map([...this.present.values()].map(([, s, p, o]) => [`${s} ${p} ${o}`, [s, p, o] as const]));
    expect(view.count(NO_TERM, NO_TERM, NO_TERM, NO_TERM)).toBe(triples.size);
    expect(view.estimate(NO_TERM, NO_TERM, NO_TERM, NO_TERM)).toBeGreaterThanOrEqual(triples.size);
    const missed = [...triples.values()].filter(
      (triple) => view.estimate(...triple, NO_TERM) < view.count(...triple, NO_TERM),
    );
    expect(missed).toEqual([]);
  }
}

const row = (world: WorldGraphs, s: number, p = 10, o = 20): Row => [world.defaultContext, s, p, o];
const rows = (world: WorldGraphs, from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => row(world, from + i));

describe('QuadStore', () => {
  it('keeps few deltas, of growing size, through many small commits', async () => {
    const model = new Modelled();
    const world = model.makeWorld();
    for (let i = 0; i < 1000; i++)
      model.commit([row(world, 1 + i), row(world, 1 + i, 11)], i % 3 ? [] : [row(world, 1 + (i >> 1))]);
    await model.store.settle();
    model.check();
    const sizes = model.store.snapshot.deltas.map(({ inserted, deleted }) => inserted.length + deleted.length);
    expect(sizes.length).toBeLessThanOrEqual(7);
    for (let i = 1; i < sizes.length; i++) expect(sizes[i - 1]).toBeGreaterThanOrEqual(4 * sizes[i]);
  });

  it('merges large deltas in the background, and small commits go on meanwhile', async () => {
    const model = new Modelled();
    const world = model.makeWorld();
    for (let i = 0; i < 6; i++) {
      model.commit(rows(world, 1 + i * 10_000, 12_001 + i * 10_000));
      for (let j = 0; j < 5; j++) {
        model.commit([row(world, 200_000 + i * 10 + j)], [row(world, 5 + i * 1000 + j)]);
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    await model.store.settle();
    model.check();
    expect(model.store.snapshot.deltas.length).toBeLessThanOrEqual(9);
  });

  describe('merges only adjacent deltas: a quad that was inserted and deleted', () => {
    const wait = () => new Promise((resolve) => setImmediate(resolve));

    it('in a large commit, and came back in a small one, is there', async () => {
      const model = new Modelled();
      const world = model.makeWorld();
      model.commit([row(world, 1)]);
      model.commit(rows(world, 1000, 2000), [row(world, 1)]);
      model.commit([row(world, 1)]);
      model.check();
      await model.store.settle();
      model.check();
    });

    it('was present, deleted by a small commit, inserted by a large one and deleted by a small one, is absent', async () => {
      const model = new Modelled();
      const world = model.makeWorld();
      model.commit(rows(world, 1, 10_001));
      model.commit([], [row(world, 1)]);
      model.commit(rows(world, 20_000, 21_000).concat([row(world, 1)]));
      model.commit([], [row(world, 1)]);
      model.check();
      await model.store.settle();
      model.check();
    });

    it('while the background merges the deltas in between', async () => {
      const model = new Modelled();
      const world = model.makeWorld();
      for (let round = 0; round < 5; round++) {
        model.commit([row(world, 1)]);
        model.commit(rows(world, 10_000 * round + 1000, 10_000 * round + 9000), [row(world, 1)]);
        model.commit([row(world, 1)]);
        if (round % 3 === 0) await wait();
        model.check();
        model.commit([], [row(world, 1)]);
        model.check();
      }
      await model.store.settle();
      model.check();
    });

    it('in the deltas of a purge', async () => {
      const model = new Modelled();
      const [world, gone] = [model.makeWorld(), model.makeWorld()];
      // Neighbours in time, far apart in size: the quad's two insertions share their deltas with
      // the buried world.
      model.commit([row(world, 1)]);
      model.commit(rows(gone, 1, 5));
      await model.store.settle();
      model.commit(rows(world, 1000, 1100), [row(world, 1)]);
      model.commit([row(world, 1)]);
      model.commit(rows(gone, 10, 15));
      model.bury(gone);
      await model.store.settle();
      model.check();
    });

    it('in random commits of very different sizes', async () => {
      for (let seed = 1; seed <= SEEDS; seed++) {
        const random = new SeededRandom(seed);
        const model = new Modelled();
        for (let i = 0; i < 3; i++) model.makeWorld();
        for (let step = 0; step < 80; step++) {
          const world = random.pick(model.living);
          const few = () => Array.from({ length: random.below(3) }, () => row(world, 1 + random.below(4)));
          const size = random.pick([0, 0, 0, 10, 100, 1000]);
          const from = 100 + random.below(5) * 1000;
          if (random.chance(0.03)) {
            model.bury(world);
            model.makeWorld();
          } else if (random.chance(0.5)) {
            model.commit([...few(), ...rows(world, from, from + size)], few());
          } else {
            model.commit(few(), [...few(), ...rows(world, from, from + size)]);
          }
          if (random.chance(0.2)) await wait();
          if (random.chance(0.3)) model.check();
        }
        model.check();
        await model.store.settle();
        model.check();
      }
    });
  });

  it('purges the rows of buried contexts once they are a good part, and hands back the memory', async () => {
    const model = new Modelled();
    const [kept, gone] = [model.makeWorld(), model.makeWorld()];
    model.commit(rows(kept, 1, 1001));
    model.commit(rows(gone, 1, 20_001));
    model.commit([], rows(gone, 1, 101));
    await model.store.settle();
    const before = model.store.snapshot.byteLength;
    model.bury(gone);
    await model.store.settle();
    model.check();
    expect(model.store.snapshot.countContext(gone.defaultContext)).toBe(0);
    expect(model.store.snapshot.byteLength).toBeLessThan(before / 4);
  });

  it('never estimates below the count, whatever is left of buried contexts', async () => {
    const model = new Modelled();
    const worlds = Array.from({ length: 12 }, () => model.makeWorld());
    const [large, gone] = worlds;
    model.commit(rows(large, 1, 10_001));
    model.commit(rows(gone, 20_001, 20_004));
    // The larger delta holds the deletion of what the smaller one inserted.
    model.commit(rows(gone, 30_001, 31_001), rows(gone, 20_001, 20_004));
    model.bury(gone);
    // Merges with the small delta alone, which loses its dead rows.
    model.commit([row(worlds[2], 20_001), row(worlds[3], 20_002), row(worlds[4], 20_003)]);
    model.checkCollection();
    await model.store.settle();
    model.check();
    model.checkCollection();
  });

  it('does not prepare a whole namespace for one world of many small graphs', async () => {
    const model = new Modelled();
    const large = model.makeWorld();
    const small = model
      .makeWorld()
      .with(new Map(Array.from({ length: 12 }, (_, i) => [100 + i, model.store.allocateContext()])));
    model.commit(rows(large, 1, 20_001));
    model.commit(Array.from(small.contexts, (context): Row => [context, 1, 10, 20]));
    await model.store.settle();
    const before = model.store.snapshot.byteLength;
    const view = await model.store.prepareView(NO_TERMS, [small], new Slicer());
    expect(view.count(NO_TERM, NO_TERM, NO_TERM, NO_TERM)).toBe(12);
    expect(model.store.snapshot.byteLength).toBe(before);
  });

  it('agrees with a set of quads through random commits and burials', async () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const random = new SeededRandom(seed);
      const model = new Modelled();
      for (let i = 0; i < 12; i++) model.makeWorld();
      for (let step = 0; step < 120; step++) {
        const world = random.pick(model.living);
        const some = (length: number) =>
          Array.from({ length }, () => row(world, 1 + random.below(60), 1 + random.below(3), 1 + random.below(10)));
        if (random.chance(0.06)) {
          model.bury(world);
          model.makeWorld();
        } else if (random.chance(0.05)) {
          model.commit(rows(world, 1, 2 + random.below(3000)));
        } else {
          model.commit(some(random.below(30)), some(random.below(30)));
        }
        if (random.chance(0.2)) await new Promise((resolve) => setImmediate(resolve));
        if (random.chance(0.1)) model.checkCollection();
      }
      model.check();
      await model.store.settle();
      model.check();
      model.checkCollection();
    }
  });

  it('stops in the middle of a merge when closed; published snapshots stay readable', async () => {
    const model = new Modelled();
    const world = model.makeWorld();
    for (let i = 0; i < 4; i++) model.commit(rows(world, 1 + i * 60_000, 60_001 + i * 60_000));
    await model.store.close();
    expect(model.store.view(NO_TERMS, [world]).count(NO_TERM, NO_TERM, NO_TERM, NO_TERM)).toBe(240_000);
    expect(model.failures).toEqual([]);
  });
});

it('shows no rows of a deleted world when a commit from before a merge is published after it', async () => {
  const model = new Modelled();
  const gone = model.makeWorld();
  const kept = model.makeWorld();
  const rowsIn = ({ defaultContext }: WorldGraphs, from: number) =>
    Array.from({ length: 2_000 }, (_, n): Row => [defaultContext, from + n, 2, 3]);
  model.commit([...rowsIn(gone, 1), ...rowsIn(kept, 10_000)]);
  const { store } = model;
  store.advance(deltaFor(model.present, { insert: rowsIn(kept, 20_000), remove: [] }));
  const first = store.latest;
  store.advance(deltaFor(model.present, { insert: rowsIn(kept, 30_000), remove: [] }));
  const second = store.latest;
  model.bury(gone);
  await store.mergeAll();
  const hasGone = () => store.snapshot.runs.some((run) => run.indexOfContext(gone.defaultContext) >= 0);
  // Readers still have the snapshot of before: its part of the merge is not all of it.
  store.reveal(first);
  const isSeenBetween = hasGone();
  store.reveal(second);
  expect(hasGone()).toBe(false);
  expect(isSeenBetween).toBe(true);
  model.check();
});
