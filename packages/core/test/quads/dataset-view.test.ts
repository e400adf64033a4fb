import assert from 'node:assert/strict';
import { NaiveDataset, type NaiveQuad, NaiveTermSource, SeededRandom } from '@rdf-worlds/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { QuadBatch } from '../../src/contracts/quad-batch.ts';
import { ProbeBatch } from '../../src/contracts/quad-probe.ts';
import type { QuadCursor, QuadSource } from '../../src/contracts/quad-source.ts';
import { runAtOnce } from '../../src/contracts/slicer.ts';
import { ANY_NAMED_GRAPH, DEFAULT_GRAPH, NO_TERM } from '../../src/contracts/term-source.ts';
import type { DatasetView } from '../../src/quads/dataset-view.ts';
import { QuadStore } from '../../src/quads/quad-store.ts';
import { Snapshot } from '../../src/quads/snapshot.ts';
import { WorldGraphs } from '../../src/quads/world-graphs.ts';
import { deltaFor, type Row } from './quad-rows.ts';

// `assert` where it is asked ten thousands of times: `expect` keeps a record of each, which takes
// longer than all that is tested.

const GRAPHS = [DEFAULT_GRAPH, 101, 102, 2 ** 30 + 7];
const NODES = [3, 4, 5, 2 ** 30 + 1];
const CAPACITIES = [1, 3, 1024];

/** A quad of one of the worlds, all positions as indexes. */
type Placed = readonly [world: number, s: number, p: number, o: number, graph: number];
const placed = (worlds: number): fc.Arbitrary<Placed> =>
  fc.tuple(fc.nat(worlds - 1), fc.nat(3), fc.nat(2), fc.nat(3), fc.nat(3));

const scenario = fc.integer({ min: 1, max: 12 }).chain((worlds) =>
  fc.record({
    worlds: fc.constant(worlds),
    /** Empty graphs exist too. */
    empty: fc.array(fc.tuple(fc.nat(worlds - 1), fc.integer({ min: 1, max: 3 })), { maxLength: 2 }),
    steps: fc.array(
      fc.record({
        remove: fc.array(placed(worlds), { maxLength: 25 }),
        insert: fc.array(placed(worlds), { maxLength: 40 }),
      }),
      { minLength: 1, maxLength: 4 },
    ),
    /** How many of the worlds the view is over; the others are in the same runs. */
    visible: fc.integer({ min: 1, max: worlds }),
  }),
);

interface Made {
  readonly plain: DatasetView;
  readonly collection: DatasetView;
  readonly model: NaiveDataset;
}

const terms = new NaiveTermSource();

/**
 * The same quads as a view without permutations over all contexts, as one with them, and as a
 * model.
 */
function make({
  worlds,
  empty,
  steps,
  visible,
}: typeof scenario extends fc.Arbitrary<infer Value> ? Value : never): Made {
  const store = new QuadStore({ low: 1, high: 2 }, (cause) => {
    throw cause;
  });
  const graphs = new Set([...empty.map(([world, graph]) => `${world} ${graph}`)]);
  for (const { insert } of steps) for (const [world, , , , graph] of insert) graphs.add(`${world} ${graph}`);
  const list = Array.from({ length: worlds }, (_, number) => {
    const world = new WorldGraphs(number + 1, store.allocateContext(), new Uint32Array(0), new Uint32Array(0));
    const named = [1, 2, 3].filter((graph) => graphs.has(`${number} ${graph}`));
    return world.with(new Map(named.map((graph) => [GRAPHS[graph], store.allocateContext()])));
  });
  const rowOf = ([world, s, p, o, graph]: Placed): Row => [
    list[world].contextOf(GRAPHS[graph]),
    NODES[s],
    NODES[p],
    NODES[o],
  ];
  const known = (one: Placed) => list[one[0]].contextOf(GRAPHS[one[4]]) >= 0;
  const present = new Map<string, Row>();
  const build = () => new Snapshot(deltas);
  const deltas = steps.map(({ remove, insert }) =>
    deltaFor(present, { remove: remove.filter(known).map(rowOf), insert: insert.map(rowOf) }),
  );
  const shown = list.slice(0, visible);
  const plain = store.view(terms as never, shown, build());
  // The permutations belong to the runs, so the second view needs runs of its own.
  const others = new Map<string, Row>();
  const again = steps.map(({ remove, insert }) =>
    deltaFor(others, { remove: remove.filter(known).map(rowOf), insert: insert.map(rowOf) }),
  );
  const snapshot = new Snapshot(again);
  runAtOnce(snapshot.buildCollection());
  const collection = store.view(terms as never, shown, snapshot);
  const model = new NaiveDataset(
    terms,
    shown.map((world) => ({
      graphs: [...world.graphs],
      quads: [...present.values()].flatMap(([context, s, p, o]): NaiveQuad[] => {
        const graph = GRAPHS.find((one) => world.contextOf(one) === context);
        return graph === undefined ? [] : [[s, p, o, graph]];
      }),
    })),
  );
  return { plain, collection, model };
}

function read(cursor: QuadCursor, pattern: readonly [number, number, number, number], capacity: number): NaiveQuad[] {
  const batch = new QuadBatch(capacity);
  const quads: NaiveQuad[] = [];
  cursor.seek(...pattern);
  for (let filled = cursor.next(batch); filled > 0; filled = cursor.next(batch)) {
    assert.equal(batch.length, filled);
    for (let row = 0; row < filled; row++)
      quads.push([batch.subject[row], batch.predicate[row], batch.object[row], batch.graph[row]]);
    assert(quads.length < 10_000);
  }
  assert.equal(cursor.next(batch), 0);
  return quads;
}

const inGraph = (quads: readonly NaiveQuad[], graph: number) => quads.filter((quad) => quad[3] === graph);

function patterns(): (readonly [number, number, number, number])[] {
  const all: (readonly [number, number, number, number])[] = [];
  for (const s of [NO_TERM, NODES[0], NODES[3]])
    for (const p of [NO_TERM, NODES[1]])
      for (const o of [NO_TERM, NODES[0], NODES[3]])
        for (const g of [NO_TERM, ANY_NAMED_GRAPH, ...GRAPHS, 999]) all.push([s, p, o, g]);
  all.push([77, NO_TERM, NO_TERM, NO_TERM], [NO_TERM, 2 ** 31 - 2, NO_TERM, NO_TERM]);
  return all;
}

/** A sample has terms of quads that match in some run, though a later one may have removed them. */
function expectSample(view: QuadSource, pattern: readonly [number, number, number, number], position: number): void {
  const terms = new Uint32Array(3);
  const count = view.sample?.(...pattern, position, terms) ?? 0;
  assert(count <= terms.length);
  if (pattern[3] === NO_TERM || pattern[3] === ANY_NAMED_GRAPH || view.estimate(...pattern) === 0) return;
  for (const term of terms.subarray(0, count)) {
    if (pattern[position] === NO_TERM) assert.notEqual(term, NO_TERM);
    else assert.equal(term, pattern[position]);
  }
}

function expectSame(view: QuadSource, model: NaiveDataset): void {
  expect([...view.graphs]).toEqual([...model.graphs]);
  const cursor = view.cursor();
  for (const pattern of patterns()) {
    const expected = model.match(...pattern);
    for (const capacity of CAPACITIES) {
      const found = read(cursor, pattern, capacity);
      assert.equal(found.length, expected.length);
      // The order is promised within a graph.
      for (const graph of GRAPHS) assert.deepEqual(inGraph(found, graph), inGraph(expected, graph));
    }
    assert.equal(view.count(...pattern), expected.length);
    // Counts of several contexts are kept.
    assert.equal(view.count(...pattern), expected.length);
    for (const position of [0, 1, 2]) expectSample(view, pattern, position);
    assert(view.estimate(...pattern) >= expected.length);
  }
}

describe('a view over worlds answers as the model does', () => {
  it('with and without permutations over all contexts, with tombstones, in batches of any size', () => {
    fc.assert(
      fc.property(scenario, (given) => {
        const { plain, collection, model } = make(given);
        expectSame(plain, model);
        expectSame(collection, model);
      }),
      { numRuns: 40 },
    );
  });

  it('of some graphs only (FROM, FROM NAMED)', () => {
    const some = fc.subarray([...GRAPHS, 999]);
    fc.assert(
      fc.property(scenario, some, some, (given, defaults, named) => {
        const { plain, collection, model } = make(given);
        const expected = model.dataset(defaults, named);
        expectSame(plain.dataset(defaults, named), expected);
        expectSame(collection.dataset(defaults, named), expected);
      }),
      { numRuns: 40 },
    );
  });

  it('whatever the cursor did before, and wherever it was left', () => {
    const all = patterns();
    fc.assert(
      fc.property(
        scenario,
        fc.array(fc.tuple(fc.nat(all.length - 1), fc.nat(4)), { maxLength: 20 }),
        (given, visits) => {
          const { plain, collection, model } = make(given);
          for (const view of [plain, collection]) {
            const cursor = view.cursor();
            const batch = new QuadBatch(2);
            for (const [at, fills] of visits) {
              cursor.seek(...all[at]);
              for (let i = 0; i < fills; i++) cursor.next(batch);
              const again = all[(at * 7 + 3) % all.length];
              expect(read(cursor, again, 5)).toHaveLength(model.count(...again));
            }
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it('to a probe of many rows', () => {
    const term = fc.constantFrom(...NODES, 77);
    const constant = fc.constantFrom(NO_TERM, NO_TERM, ...NODES);
    const graph = fc.constantFrom(NO_TERM, ANY_NAMED_GRAPH, DEFAULT_GRAPH, DEFAULT_GRAPH, ...GRAPHS, 999);
    const row = fc.tuple(fc.oneof(term, fc.constant(NO_TERM)), term, term, fc.constantFrom(...GRAPHS.slice(1), 999));
    fc.assert(
      fc.property(
        scenario,
        fc.array(row, { minLength: 1, maxLength: 20 }),
        fc.tuple(constant, constant, constant, graph),
        fc.tuple(fc.boolean(), fc.boolean(), fc.boolean(), fc.boolean()),
        fc.boolean(),
        (given, rows, constants, varies, ascending) => {
          const { plain, collection, model } = make(given);
          if (ascending) rows.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
          const keys = constants.map((key, i) => (varies[i] ? Uint32Array.from(rows, (one) => one[i]) : key));
          const expected = rows.map((one) =>
            model.match(...(constants.map((key, i) => (varies[i] ? one[i] : key)) as [number, number, number, number])),
          );
          for (const view of [plain, collection]) {
            const probe = view.probe();
            for (const capacity of CAPACITIES) {
              const found = rows.map((): NaiveQuad[] => []);
              const out = new ProbeBatch(capacity);
              const [subject, predicate, object, graphs] = keys;
              let last = 0;
              probe.begin({ subject, predicate, object, graph: graphs }, rows.length);
              while (probe.next(out) > 0) {
                for (let i = 0; i < out.length; i++) {
                  assert(out.row[i] >= last);
                  last = out.row[i];
                  found[last].push([out.subject[i], out.predicate[i], out.object[i], out.graph[i]]);
                }
              }
              assert.equal(probe.next(out), 0);
              found.forEach((quads, i) => {
                assert.equal(quads.length, expected[i].length);
                // The matches of one row may come in any order.
                assert.deepEqual(quads.map(String).sort(), expected[i].map(String).sort());
              });

              // One match of each row, and of the others none after the batch in which they are
              // done.
              const done = new Uint8Array(rows.length);
              for (let i = 0; i < rows.length; i += 3) done[i] = 1;
              for (const firstOnly of [true, false]) {
                const still = Uint8Array.from(done);
                const counts = rows.map(() => 0);
                probe.begin({ subject, predicate, object, graph: graphs }, rows.length, { firstOnly, done: still });
                while (probe.next(out) > 0) {
                  for (let i = 0; i < out.length; i++) {
                    assert.equal(still[out.row[i]], 0);
                    counts[out.row[i]]++;
                    const quad = [out.subject[i], out.predicate[i], out.object[i], out.graph[i]];
                    assert(expected[out.row[i]].some((other) => String(other) === String(quad)));
                  }
                  for (let i = 0; i < out.length; i++) still[out.row[i]] = 1;
                }
                counts.forEach((count, i) => {
                  const all = done[i] === 1 ? 0 : expected[i].length;
                  const most = firstOnly ? 1 : capacity;
                  assert(count >= Math.min(1, all) && count <= Math.min(all, most));
                });
              }
            }
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  it('to a probe of one world in which some terms occur in many graphs', () => {
    const random = new SeededRandom(8);
    const store = new QuadStore({ low: 1, high: 2 }, () => undefined);
    const world = (number: number) =>
      new WorldGraphs(number, store.allocateContext(), new Uint32Array(0), new Uint32Array(0)).with(
        new Map(Array.from({ length: 60 }, (_, i) => [100 + i, store.allocateContext()])),
      );
    const [one, other] = [world(1), world(2)];
    const quads = (count: number, subjects: number): Row[] =>
      Array.from({ length: count }, () => {
        const contexts = random.below(4) === 0 ? other.contexts : one.contexts;
        const context = contexts[random.below(contexts.length)];
        return [context, 3 + random.below(subjects), 3 + random.below(2), 3 + random.below(3)];
      });
    const present = new Map<string, Row>();
    // The first subjects are in nearly every graph, and the others in few.
    const deltas = [deltaFor(present, { remove: [], insert: [...quads(900, 3), ...quads(900, 300)] })];
    for (const deletes of [false, true]) {
      if (deletes) deltas.push(deltaFor(present, { remove: [...present.values()].slice(0, 90), insert: quads(90, 9) }));
      const snapshot = new Snapshot(deltas);
      runAtOnce(snapshot.buildCollection());
      const view = store.view(terms as never, [one], snapshot);
      const rows = Array.from(
        { length: 2000 },
        (): [number, number, number, number] =>
          [
            ...[3 + random.below(random.below(2) === 0 ? 3 : 300), 3 + random.below(2), 3 + random.below(3)],
            random.below(5) === 0 ? ANY_NAMED_GRAPH : 99 + random.below(62),
          ] as [number, number, number, number],
      );
      const columns = [0, 1, 2, 3].map((i) => Uint32Array.from(rows, (row) => row[i]));
      const cursor = view.cursor();
      for (const [constants, graph] of [
        [[undefined, 3, NO_TERM], undefined],
        [[undefined, undefined, undefined], undefined],
        [[undefined, NO_TERM, NO_TERM], undefined],
        [[NO_TERM, 4, undefined], undefined],
        [[NO_TERM, 4, 5], undefined],
        [[undefined, 3, NO_TERM], ANY_NAMED_GRAPH],
        [[undefined, 4, 4], 130],
      ] as const) {
        const keyOf = (i: number): number | undefined => (i === 3 ? graph : constants[i]);
        const [s, p, o, g] = [0, 1, 2, 3].map((i) => keyOf(i) ?? columns[i]);
        const probe = view.probe();
        const expected = rows.map((row) => {
          const pattern = row.map((term, i) => keyOf(i) ?? term) as [number, number, number, number];
          return read(cursor, pattern, 1024).map(String).sort();
        });
        // Again and again: an index is made when there were enough of them.
        for (const capacity of [1024, 7, 1024]) {
          const found = rows.map((): string[] => []);
          const out = new ProbeBatch(capacity);
          probe.begin({ subject: s, predicate: p, object: o, graph: g }, rows.length);
          while (probe.next(out) > 0) {
            for (let i = 0; i < out.length; i++)
              found[out.row[i]].push(`${[out.subject[i], out.predicate[i], out.object[i], out.graph[i]]}`);
          }
          for (const [at, quads] of expected.entries()) assert.deepEqual(found[at].sort(), quads);
        }
      }
    }
  });

  it('counts exactly over one world with many graphs among other worlds, and never underestimates', () => {
    const store = new QuadStore({ low: 1, high: 2 }, () => undefined);
    const world = (number: number, graphs: number) =>
      new WorldGraphs(number, store.allocateContext(), new Uint32Array(0), new Uint32Array(0)).with(
        new Map(Array.from({ length: graphs }, (_, i) => [100 + i, store.allocateContext()])),
      );
    const [one, other] = [world(1, 12), world(2, 0)];
    const present = new Map<string, Row>();
    const snapshot = new Snapshot([
      deltaFor(present, {
        remove: [],
        insert: [
          ...Array.from(one.contexts, (context, i): Row => [context, 3, 4, 50 + i]),
          [other.defaultContext, 3, 4, 99],
          [other.defaultContext, 3, 4, 50],
        ],
      }),
    ]);
    runAtOnce(snapshot.buildCollection());
    const view = store.view(terms as never, [one], snapshot);
    for (const [s, p, o, count] of [
      [3, 4, 99, 0],
      [3, 4, 50, 1],
      [3, NO_TERM, NO_TERM, 12],
      [NO_TERM, NO_TERM, NO_TERM, 12],
    ]) {
      expect(view.count(s, p, o, NO_TERM)).toBe(count);
      expect(view.estimate(s, p, o, NO_TERM)).toBeGreaterThanOrEqual(count);
    }
  });
});
