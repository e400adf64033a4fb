import { SeededRandom } from '@rdf-worlds/testkit';
import { describe, expect, it } from 'vitest';
import { QuadBatch } from '../../src/contracts/quad-batch.ts';
import { ProbeBatch } from '../../src/contracts/quad-probe.ts';
import type { QuadSource } from '../../src/contracts/quad-source.ts';
import { Slicer } from '../../src/contracts/slicer.ts';
import { DEFAULT_GRAPH, NO_TERM } from '../../src/contracts/term-source.ts';
import { QuadStore } from '../../src/quads/quad-store.ts';
import type { Snapshot } from '../../src/quads/snapshot.ts';
import { unionBytes } from '../../src/quads/union-runs.ts';
import { WorldGraphs } from '../../src/quads/world-graphs.ts';
import { deltaFor, type Row } from './quad-rows.ts';

type Triple = readonly [number, number, number];

const NO_TERMS = undefined as never;
const NONE = new Uint32Array(0);
const WORLDS = 12;

/** A store of worlds without named graphs, beside the set of quads that it should hold. */
class ManyWorlds {
  readonly store = new QuadStore({ low: 5, high: 6 }, (cause) => {
    throw cause;
  });
  readonly present = new Map<string, Row>();
  readonly worlds: WorldGraphs[] = [];
  private made = 0;

  constructor(count = WORLDS) {
    for (let i = 0; i < count; i++) this.makeWorld();
  }

  makeWorld(): void {
    this.worlds.push(new WorldGraphs(++this.made, this.store.allocateContext(), NONE, NONE));
  }

  bury(index: number): void {
    const [{ defaultContext }] = this.worlds.splice(index, 1) as [WorldGraphs];
    for (const [key, [context]] of this.present) if (context === defaultContext) this.present.delete(key);
    this.store.bury([defaultContext]);
  }

  row(world: number, ...triple: Triple): Row {
    return [this.worlds[world]!.defaultContext, ...triple];
  }

  commit(insert: readonly Row[], remove: readonly Row[] = []): void {
    this.store.publish(deltaFor(this.present, { insert, remove }));
  }

  /** @param worlds a list that stays as it is: the store knows it again */
  view(worlds: readonly WorldGraphs[] = [...this.worlds], snapshot: Snapshot = this.store.snapshot) {
    return this.store.prepareShared(NO_TERMS, worlds, new Slicer(), snapshot, false);
  }

  /** The triples that any world has, by subject, predicate, object. */
  get triples(): readonly Triple[] {
    const all = new Map(
      [...this.present.values()].map(([, s, p, o]): [string, Triple] => [`${s} ${p} ${o}`, [s, p, o]]),
    );
    return [...all.values()].sort(byTerms);
  }
}

function byTerms(one: Triple, other: Triple): number {
  return one[0] - other[0] || one[1] - other[1] || one[2] - other[2];
}

function read(view: QuadSource, [subject, predicate, object]: Triple): Triple[] {
  const found: Triple[] = [];
  const cursor = view.cursor();
  const batch = new QuadBatch(16);
  cursor.seek(subject, predicate, object, DEFAULT_GRAPH);
  while (cursor.next(batch) > 0)
    for (let row = 0; row < batch.length; row++)
      found.push([batch.subject[row], batch.predicate[row], batch.object[row]]);
  return found.sort(byTerms);
}

function lookUp(view: QuadSource, subjects: readonly number[], predicate: number): string[] {
  const probe = view.probe!();
  const found: string[] = [];
  const batch = new ProbeBatch(16);
  const keys = { subject: Uint32Array.from(subjects), predicate, object: NO_TERM, graph: DEFAULT_GRAPH };
  probe.begin(keys, subjects.length);
  while (probe.next(batch) > 0)
    for (let row = 0; row < batch.length; row++) found.push(`${batch.row[row]} ${batch.object[row]}`);
  return found.sort();
}

const matches = (triple: Triple, pattern: Triple) =>
  triple.every((id, i) => pattern[i] === NO_TERM || pattern[i] === id);

/** Compares everything that a view says of its default graph. */
function compare(view: QuadSource, triples: readonly Triple[], random: SeededRandom, ids: number): void {
  const any = () => (random.below(2) ? NO_TERM : 1 + random.below(ids));
  for (const pattern of [
    [0, 0, 0],
    [any(), any(), any()],
    [any(), any(), any()],
  ] as Triple[]) {
    const expected = triples.filter((triple) => matches(triple, pattern));
    expect(read(view, pattern)).toEqual(expected);
    expect(view.count(...pattern, DEFAULT_GRAPH)).toBe(expected.length);
    expect(view.estimate(...pattern, DEFAULT_GRAPH)).toBeGreaterThanOrEqual(expected.length);
  }
  const subjects = Array.from({ length: 40 }, () => 1 + random.below(ids));
  const predicate = 1 + random.below(ids);
  expect(lookUp(view, subjects, predicate)).toEqual(
    subjects
      .flatMap((subject, i) =>
        triples.filter(([s, p]) => s === subject && p === predicate).map(([, , o]) => `${i} ${o}`),
      )
      .sort(),
  );
}

describe('the union of many worlds', () => {
  it.each([1, 2, 3, 4, 5, 6])('has each triple that a world has, once, whatever commits do (seed %i)', async (seed) => {
    const random = new SeededRandom(seed);
    const many = new ManyWorlds();
    const ids = [3, 6, 20][seed % 3]!;
    const earlier: { snapshot: Snapshot; triples: readonly Triple[] }[] = [];
    for (let commit = 0; commit < 40; commit++) {
      const rows = commit % 10 === 0 ? 200 : random.below(6);
      const insert = Array.from({ length: rows }, () =>
        many.row(random.below(WORLDS), 1 + random.below(ids), 1 + random.below(ids), 1 + random.below(ids)),
      );
      const remove = [...many.present.values()].filter(() => random.below(commit % 7 === 0 ? 3 : 40) === 0);
      many.commit(insert, remove);
      // Some unions are made of several commits at once.
      if (random.below(3) > 0) continue;
      const { snapshot } = many.store;
      const { triples } = many;
      const view = await many.view();
      // Else it would be the view that is slower.
      expect(view.snapshot).not.toBe(snapshot);
      compare(view, triples, random, ids);
      earlier.push({ snapshot, triples });
      const past = earlier[random.below(earlier.length)]!;
      compare(await many.view([...many.worlds], past.snapshot), past.triples, random, ids);
    }
    await many.store.mergeAll();
    compare(await many.view(), many.triples, random, ids);
  });

  it.each([1, 2, 3])('follows worlds that are deleted (seed %i)', async (seed) => {
    const random = new SeededRandom(seed);
    const many = new ManyWorlds();
    for (let round = 0; round < 40; round++) {
      for (let commit = 0; commit < 3; commit++) {
        const insert = Array.from({ length: 1 + random.below(20) }, () =>
          many.row(random.below(WORLDS), 1 + random.below(4), 1 + random.below(4), 1 + random.below(4)),
        );
        many.commit(
          insert,
          [...many.present.values()].filter(() => random.below(10) === 0),
        );
      }
      await many.view();
      many.bury(random.below(WORLDS));
      many.makeWorld();
      // Rows of deleted worlds are dropped by merges; until then the union cannot be read.
      const isMerged = random.below(2) === 0;
      if (isMerged) await many.store.mergeAll();
      const view = await many.view();
      if (isMerged) expect(view.snapshot).not.toBe(many.store.snapshot);
      compare(view, many.triples, random, 4);
    }
  });

  it('has what a later commit inserted again, once the world that had it first is purged', async () => {
    const many = new ManyWorlds();
    const rows = many.worlds.map((_, world) => many.row(world, 1, 1, world + 1));
    for (let i = 0; i < 20_000; i++) rows.push(many.row(0, 10 + i, 2, 2));
    many.commit(rows);
    many.commit([many.row(1, 10, 2, 2)]);
    expect(read(await many.view(), [10, 2, 2])).toHaveLength(1);
    many.bury(0);
    await many.store.settle();
    expect(many.store.snapshot.deltas).toHaveLength(2);
    const view = await many.view();
    expect(view.snapshot).not.toBe(many.store.snapshot);
    expect(read(view, [0, 0, 0])).toEqual(many.triples);
  });

  it('shares the memory of the permutations, unless worlds have triples in common', async () => {
    const many = new ManyWorlds();
    const own = many.worlds.flatMap((_, world) =>
      Array.from({ length: 100 }, (_, i) => many.row(world, 1 + world * 100 + i, 1, 1)),
    );
    many.commit(own);
    await many.view();
    expect(unionBytes(many.store.snapshot.deltas)).toBe(0);
    many.commit([many.row(0, 5_000, 1, 1), many.row(1, 5_000, 1, 1), many.row(1, 5_001, 1, 1)]);
    const view = await many.view();
    expect(unionBytes(many.store.snapshot.deltas)).toBe(2 * 36);
    expect(view.count(NO_TERM, NO_TERM, NO_TERM, DEFAULT_GRAPH)).toBe(WORLDS * 100 + 2);
  });

  it('is the same snapshot for the next query, which finds its measurements', async () => {
    const many = new ManyWorlds();
    many.commit(many.worlds.map((_, world) => many.row(world, 1, 1, world + 1)));
    const view = await many.view();
    view.measured.set('a measurement', 1);
    expect((await many.view()).measured.get('a measurement')).toBe(1);
  });

  it('is read only if it has no quads but those of the default graph', async () => {
    const many = new ManyWorlds();
    many.commit(many.worlds.map((_, world) => many.row(world, 1, 1, world + 1)));
    const few = await many.view(many.worlds.slice(0, WORLDS - 1));
    expect(few.snapshot).toBe(many.store.snapshot);
    expect(read(few, [0, 0, 0])).toHaveLength(WORLDS - 1);
    const graph = 7;
    const [first, ...others] = many.worlds;
    const context = many.store.allocateContext();
    const named = first!.with(new Map([[graph, context]]));
    // An empty graph is no reason to read it otherwise.
    const empty = await many.view([named, ...others]);
    expect(empty.snapshot).not.toBe(many.store.snapshot);
    expect([...empty.graphs]).toEqual([graph]);
    expect(empty.count(NO_TERM, NO_TERM, NO_TERM, graph)).toBe(0);
    many.commit([[context, 1, 1, 99]]);
    const view = await many.view([named, ...others]);
    expect(view.snapshot).toBe(many.store.snapshot);
    expect(read(view, [0, 0, 0])).toHaveLength(WORLDS);
    expect(view.count(NO_TERM, NO_TERM, NO_TERM, graph)).toBe(1);
  });
});
