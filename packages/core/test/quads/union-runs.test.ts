import { SeededRandom } from '@rdf-worlds/testkit';
import { describe, expect, it } from 'vitest';
import { QuadBatch } from '../../src/contracts/quad-batch.ts';
import { ProbeBatch } from '../../src/contracts/quad-probe.ts';
import type { QuadSource } from '../../src/contracts/quad-source.ts';
import { Slicer } from '../../src/contracts/slicer.ts';
import { ANY_NAMED_GRAPH, DEFAULT_GRAPH, NO_TERM } from '../../src/contracts/term-source.ts';
import { QuadStore } from '../../src/quads/quad-store.ts';
import type { Snapshot } from '../../src/quads/snapshot.ts';
import { WorldGraphs } from '../../src/quads/world-graphs.ts';
import { deltaFor, type Row } from './quad-rows.ts';

type Triple = readonly [number, number, number];

const NO_TERMS = undefined as never;
const NONE = new Uint32Array(0);
const WORLDS = 12;

/**
 * A store of worlds, at first without named graphs, beside the set of quads that it should hold.
 */
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
    const [{ defaultContext, contexts }] = this.worlds.splice(index, 1) as [WorldGraphs];
    for (const context of [defaultContext, ...contexts]) this.forget(context);
  }

  /** What deleting a graph does to the store. */
  forget(dead: number): void {
    for (const [key, [context]] of this.present) if (context === dead) this.present.delete(key);
    this.store.bury([dead]);
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

  /** Memory of unions that is not that of the store's columns. */
  get unionBytes(): number {
    return this.store.byteLength - this.store.dictionary.byteLength - this.store.snapshot.byteLength;
  }

  /** The triples that any world has, by subject, predicate, object. */
  get triples(): readonly Triple[] {
    return this.triplesOf(this.worlds.map(({ defaultContext }) => defaultContext));
  }

  triplesOf(contexts: readonly number[]): readonly Triple[] {
    const all = new Map<string, Triple>();
    for (const [context, s, p, o] of this.present.values())
      if (contexts.includes(context)) all.set(`${s} ${p} ${o}`, [s, p, o]);
    return [...all.values()].sort(byTerms);
  }
}

function byTerms(one: Triple, other: Triple): number {
  return one[0] - other[0] || one[1] - other[1] || one[2] - other[2];
}

function read(view: QuadSource, [subject, predicate, object]: Triple, graph = DEFAULT_GRAPH): Triple[] {
  const found: Triple[] = [];
  const cursor = view.cursor();
  const batch = new QuadBatch(16);
  cursor.seek(subject, predicate, object, graph);
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
    expect(many.unionBytes).toBeLessThan(50);
    many.commit([many.row(0, 5_000, 1, 1), many.row(1, 5_000, 1, 1), many.row(1, 5_001, 1, 1)]);
    const view = await many.view();
    expect(many.unionBytes).toBeLessThan(50 + 2 * 36 + 50);
    expect(view.count(NO_TERM, NO_TERM, NO_TERM, DEFAULT_GRAPH)).toBe(WORLDS * 100 + 2);
  });

  it('is the same snapshot for the next query, which finds its measurements', async () => {
    const many = new ManyWorlds();
    many.commit(many.worlds.map((_, world) => many.row(world, 1, 1, world + 1)));
    const view = await many.view();
    view.measured.set('a measurement', 1);
    expect((await many.view()).measured.get('a measurement')).toBe(1);
  });

  it('of a part of the worlds, or with named graphs, is made when it is asked for again', async () => {
    const many = new ManyWorlds();
    many.commit(many.worlds.map((_, world) => many.row(world, 1, 1, world + 1)));
    await many.view();
    const few = many.worlds.slice(0, WORLDS - 1);
    const first = await many.view(few);
    expect(first.snapshot).toBe(many.store.snapshot);
    // The worlds make a set, not the list.
    const second = await many.view([...few].reverse());
    expect(second.snapshot).not.toBe(many.store.snapshot);
    expect(read(second, [0, 0, 0])).toEqual(read(first, [0, 0, 0]));
    expect(read(second, [0, 0, 0])).toHaveLength(WORLDS - 1);

    const graph = 7;
    const [world, ...others] = many.worlds;
    const context = many.store.allocateContext();
    const named = world!.with(new Map([[graph, context]]));
    // An empty graph is no reason for a copy.
    const empty = await many.view([named, ...others]);
    expect(empty.snapshot).not.toBe(many.store.snapshot);
    expect([...empty.graphs]).toEqual([graph]);
    expect(empty.count(NO_TERM, NO_TERM, NO_TERM, graph)).toBe(0);
    many.commit([[context, 1, 1, 99]]);
    const view = await many.view([named, ...others]);
    expect(view.snapshot).not.toBe(many.store.snapshot);
    expect(read(view, [0, 0, 0])).toHaveLength(WORLDS);
    expect(view.count(NO_TERM, NO_TERM, NO_TERM, graph)).toBe(1);
    expect(read(view, [0, 0, 0], graph)).toEqual([[1, 1, 99]]);
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('has the named graphs of some worlds, whatever happens (seed %i)', async (seed) => {
    const random = new SeededRandom(100 + seed);
    const many = new ManyWorlds(20);
    const ids = [3, 5, 12][seed % 3]!;
    const graphs = [60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71].slice(0, [2, 5, 12][random.below(3)]);
    const parts = [0, 1, 2].map((from) => (world: WorldGraphs) => (world.world + from) % 3 > 0 || from === 2);
    const change = (index: number, to: WorldGraphs) => many.worlds.splice(index, 1, to);
    const any = () => 1 + random.below(ids);
    let united = 0;
    for (let round = 0; round < 60; round++) {
      const index = random.below(many.worlds.length);
      const world = many.worlds[index]!;
      const graph = graphs[random.below(graphs.length)]!;
      const what = random.below(12);
      if (what < 4 && world.contextOf(graph) < 0) {
        change(index, world.with(new Map([[graph, many.store.allocateContext()]])));
      } else if (what === 4 && world.contextOf(graph) >= 0) {
        many.forget(world.contextOf(graph));
        change(index, world.without(new Set([graph])));
      } else if (what === 5) {
        many.bury(index);
        many.makeWorld();
      } else if (what === 6) {
        many.forget(world.defaultContext);
        change(index, new WorldGraphs(world.world, many.store.allocateContext(), world.graphs, world.contexts));
      }
      const contexts = many.worlds.flatMap((one) => [one.defaultContext, ...one.contexts]);
      const insert = Array.from({ length: round % 15 === 0 ? 150 : random.below(8) }, (): Row => {
        return [contexts[random.below(contexts.length)]!, any(), any(), any()];
      });
      const remove = [...many.present.values()].filter(() => random.below(round % 9 === 0 ? 3 : 40) === 0);
      many.commit(insert, remove);
      if (random.below(8) === 0) await many.store.mergeAll();
      const asked = many.worlds.filter(parts[random.below(3)]!);
      const view = await many.view(asked);
      if (view.snapshot !== many.store.snapshot) united++;
      const ofWorlds = (list: readonly number[]) => many.triplesOf(list);
      const named = [...new Set(asked.flatMap((one) => [...one.graphs]))].sort();
      expect([...view.graphs]).toEqual(named);
      compare(view, ofWorlds(asked.map((one) => one.defaultContext)), random, ids);
      let inGraphs = 0;
      for (const name of named) {
        const triples = ofWorlds(asked.map((one) => one.contextOf(name)));
        inGraphs += triples.length;
        expect(read(view, [0, 0, 0], name)).toEqual(triples);
        const [s, p] = [any(), any()];
        expect(read(view, [s, p, 0], name)).toEqual(triples.filter((triple) => matches(triple, [s, p, 0])));
      }
      expect(view.count(NO_TERM, NO_TERM, NO_TERM, ANY_NAMED_GRAPH)).toBe(inGraphs);
    }
    expect(united).toBeGreaterThan(30);
  });

  it('knows at each commit what those before it did to a graph, also after some of it was dropped', async () => {
    const many = new ManyWorlds();
    const graph = 7;
    for (const index of [0, 1, 2]) {
      const named = many.worlds[index]!.with(new Map([[graph, many.store.allocateContext()]]));
      many.worlds.splice(index, 1, named);
    }
    const [, second, third] = many.worlds.map((world) => world.contextOf(graph));
    const rowsOf = (context: number, from: number, to: number) =>
      Array.from({ length: to - from }, (_, i): Row => [context, from + i, 1, 1]);
    const subjects = async () => {
      const view = await many.view();
      return view.snapshot === many.store.snapshot ? 'no union' : read(view, [0, 0, 0], graph).map(([s]) => s);
    };
    const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
    many.commit([...rowsOf(many.worlds[0]!.defaultContext, 1, 4_000), ...rowsOf(second!, 1, 101)]);
    expect(await subjects()).toEqual(range(1, 101));
    many.commit([], rowsOf(second!, 1, 91));
    expect(await subjects()).toEqual(range(91, 101));
    // Ten are there again that were deleted, five are still there.
    many.commit([...rowsOf(third!, 1, 11), ...rowsOf(third!, 91, 96)]);
    expect(many.store.snapshot.deltas).toHaveLength(3);
    expect(await subjects()).toEqual([...range(1, 11), ...range(91, 101)]);
    many.forget(second!);
    many.worlds.splice(1, 1, many.worlds[1]!.without(new Set([graph])));
    expect(many.store.snapshot.deltas).toHaveLength(3);
    expect(await subjects()).toEqual([...range(1, 11), ...range(91, 96)]);
  });

  it('keeps as many copies as the columns of the store have room for', async () => {
    const many = new ManyWorlds(30);
    const rows = many.worlds.flatMap((_, world) =>
      Array.from({ length: 100 }, (_, i) => many.row(world, 1 + world * 100 + i, 1, 1)),
    );
    many.commit(rows);
    for (let from = 0; from < 20; from++) {
      const part = many.worlds.slice(from, from + 10);
      for (let time = 0; time < 2; time++) expect((await many.view(part)).count(0, 0, 0, DEFAULT_GRAPH)).toBe(1_000);
      expect(many.unionBytes).toBeLessThanOrEqual(rows.length * 36);
    }
    expect(many.unionBytes).toBeGreaterThan(1_000 * 36);
    // The last one is still there, the first one is not.
    expect((await many.view(many.worlds.slice(19, 29))).snapshot).not.toBe(many.store.snapshot);
    expect((await many.view(many.worlds.slice(0, 10))).snapshot).toBe(many.store.snapshot);
  });
});
