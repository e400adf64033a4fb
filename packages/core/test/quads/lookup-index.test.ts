import assert from 'node:assert/strict';
import { NaiveTermSource } from '@rdf-worlds/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { QuadBatch, WANT_OBJECT } from '../../src/contracts/quad-batch.ts';
import { ProbeBatch } from '../../src/contracts/quad-probe.ts';
import type { QuadSource } from '../../src/contracts/quad-source.ts';
import { runAtOnce } from '../../src/contracts/slicer.ts';
import { DEFAULT_GRAPH, NO_TERM } from '../../src/contracts/term-source.ts';
import { DirectIndex } from '../../src/quads/direct-index.ts';
import { LookupIndex, LookupIndexes, type LookupRange } from '../../src/quads/lookup-index.ts';
import { QuadStore } from '../../src/quads/quad-store.ts';
import { Snapshot } from '../../src/quads/snapshot.ts';
import { WorldGraphs } from '../../src/quads/world-graphs.ts';
import { deltaFor, type Row } from './quad-rows.ts';

/** Far more lookups than any range needs to get its index. */
const MANY = 1 << 20;

function rangeOf(keys: readonly number[], isSorted: boolean, hasContexts = true): LookupRange {
  const values = Uint32Array.from(keys, (_, row) => 1000 + row);
  const contexts = hasContexts ? Uint32Array.from(keys, (_, row) => row % 7) : undefined;
  const columns = { keys: Uint32Array.from(keys), values, contexts };
  return { columns, start: 0, end: keys.length, isSorted };
}

function ready(indexes: LookupIndexes, range: LookupRange) {
  for (let call = 0; call < 1000; call++) {
    const index = indexes.get('range', range, MANY);
    if (index) return index;
  }
  throw new Error('The index never gets ready.');
}

describe('a lookup index', () => {
  const spreads = fc.constantFrom(300, 5_000, 3_000_000, 2 ** 31 - 1);
  const columns = spreads.chain((spread) => fc.array(fc.nat(spread), { minLength: 256, maxLength: 1200 }));

  it('finds the rows of every key, and none for an absent key', () => {
    fc.assert(
      fc.property(
        columns,
        fc.boolean(),
        fc.array(fc.nat(2 ** 31 - 1), { maxLength: 20 }),
        (given, isSorted, others) => {
          const keys = isSorted ? given.toSorted((a, b) => a - b) : given;
          const range = rangeOf(keys, isSorted);
          const index = ready(new LookupIndexes(), range) as LookupIndex;
          expect(index).toBeInstanceOf(LookupIndex);
          for (const key of new Set([...keys, ...others, 0, keys[0] + 1])) {
            const start = index.start(key);
            const found: number[] = [];
            const end = start < keys.length && index.keys[start] === key ? index.end(key, start) : start;
            for (let row = start; row < end; row++) found.push(index.values[row]);
            assert.deepEqual(
              found,
              keys.flatMap((one, row) => (one === key ? [1000 + row] : [])),
            );
          }
          // Contexts stay beside their rows.
          for (let row = 0; row < keys.length; row++)
            assert.equal(index.contexts![row], (index.values[row] - 1000) % 7);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('is direct if each key has one value, unless the keys are far apart', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat(1500), { minLength: 256 }),
        fc.constantFrom(1, 3, 10, 12),
        fc.nat(2 ** 31),
        fc.infiniteStream(fc.nat(20_000)),
        (given, factor, shift, near) => {
          const keys = given.map((key) => key * factor + 1 + shift);
          const index = ready(new LookupIndexes(), rangeOf(keys, false, false));
          const [lowest, highest] = [Math.min(...keys), Math.max(...keys)];
          if (highest - lowest + 1 > keys.length * 32) {
            expect(index).toBeInstanceOf(LookupIndex);
            return;
          }
          const values = new Map(keys.map((key, row) => [key, 1000 + row]));
          const some = () => lowest - 100 + near.next().value;
          const low = some();
          compareDirect(index as DirectIndex, values, lowest, highest, near);
          compareDirect((index as DirectIndex).between(low, low + 5_000), values, low, low + 5_000, near);
          // One key with a second value.
          expect(ready(new LookupIndexes(), rangeOf([...keys, keys[7]], false, false))).toBeInstanceOf(LookupIndex);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('takes less memory than pairs if it is direct, however far apart the keys are', () => {
    for (const distance of [1, 3, 4, 20, 31]) {
      const keys = Array.from({ length: 10_000 }, (_, i) => 5 + i * distance);
      const index = ready(new LookupIndexes(), rangeOf(keys, false, false));
      expect(index).toBeInstanceOf(DirectIndex);
      const pairs = ready(new LookupIndexes(), rangeOf([...keys, 5], false, false));
      expect(pairs).toBeInstanceOf(LookupIndex);
      expect(index.byteLength).toBeLessThan(pairs.byteLength * 1.01);
    }
  });

  it('is built only when enough lookups pay for it, a part at each call', () => {
    const indexes = new LookupIndexes();
    const range = rangeOf(
      Array.from({ length: 400_000 }, (_, row) => (row * 7919) % 400_000),
      false,
    );
    expect(indexes.get('range', range, 49_999)).toBeUndefined();
    expect(indexes.byteLength).toBe(0);
    let calls = 0;
    while (!indexes.get('range', range, 1)) calls++;
    expect(calls).toBeGreaterThan(3);
    expect(indexes.byteLength).toBeGreaterThan(400_000 * 8);
    expect(indexes.get('range', range, 0)).toBeDefined();
  });

  it('is not built for few rows', () => {
    const indexes = new LookupIndexes();
    expect(indexes.get('range', rangeOf([1, 2, 3], true), MANY)).toBeUndefined();
  });
});

/** Compares all that an index says of the keys in a range. */
function compareDirect(
  index: DirectIndex,
  values: ReadonlyMap<number, number>,
  low: number,
  high: number,
  near: Iterator<number>,
): void {
  const lowest = Math.min(...values.keys());
  const some = () => Math.max(0, lowest - 100 + near.next().value);
  const isIn = (key: number) => key >= low && key <= high;
  const keys = [...values.keys()].filter(isIn).sort((one, other) => one - other);
  const asked = Uint32Array.from([...values.keys(), ...Array.from({ length: 50 }, some), 0, 2 ** 32 - 1]);
  for (const key of asked) expect(index.get(key)).toBe(isIn(key) ? (values.get(key) ?? NO_TERM) : NO_TERM);
  const out = new Uint32Array(asked.length);
  for (let row = 0; row < asked.length; row++) {
    const end = index.getAll(asked, row, asked.length, out);
    for (; row < end; row++) expect(out[row]).toBe(values.get(asked[row]) ?? NO_TERM);
    if (row < asked.length) expect(asked[row] < index.lowest || asked[row] > index.highest).toBe(true);
  }
  const [from, to] = [some(), some()];
  expect([...index.keysBetween(from, to)]).toEqual(keys.filter((key) => key >= from && key <= to));
  // In parts, from a key on, up to a limit.
  const found: number[][] = [];
  let key = Math.max(from, index.lowest);
  const columns = { keys: new Uint32Array(7), values: new Uint32Array(7), from: 2, to: 7 };
  for (;;) {
    const next = index.read(key, to, columns);
    for (let row = 2; row < next.length; row++) found.push([columns.keys[row], columns.values[row]]);
    if (next.length < 7) break;
    key = next.key;
  }
  expect(found).toEqual(keys.filter((one) => one >= from && one < to).map((one) => [one, values.get(one)]));
}

describe('a probe over a large world', () => {
  const WORLDS = 12;
  const store = new QuadStore({ low: 1, high: 2 }, (cause) => {
    throw cause;
  });
  const worlds = Array.from(
    { length: WORLDS },
    (_, number) => new WorldGraphs(number + 1, store.allocateContext(), new Uint32Array(0), new Uint32Array(0)),
  );
  let seed = 7;
  const random = (below: number) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  const present = new Map<string, Row>();
  const row = (): Row => [worlds[random(WORLDS)].defaultContext, 10 + random(600), 3 + random(2), 10 + random(600)];
  const rows = (length: number) => Array.from({ length }, row);
  // At most one object for each subject.
  const objectOf = (subject: number, shift: number) => 10 + ((subject * 7 + shift) % 600);
  const functional = (from: number, count: number, shift: number): Row[] =>
    worlds.flatMap(({ defaultContext }) =>
      Array.from({ length: count }, (_, i): Row => [defaultContext, from + i, 5, objectOf(from + i, shift)]),
    );
  // Two objects each.
  const several = (from: number, count: number): Row[] =>
    [1, 2].flatMap((shift) =>
      functional(from, count, shift).map(([context, subject, , object]): Row => [context, subject, 7, object]),
    );
  const deltas = [
    deltaFor(present, { remove: [], insert: [...rows(9000), ...functional(20, 500, 0)] }),
    deltaFor(present, {
      remove: [...rows(3000), ...functional(100, 40, 0)],
      insert: [...rows(30), ...functional(100, 20, 1), ...functional(520, 30, 0)],
    }),
    deltaFor(present, { remove: [], insert: functional(550, 300, 0) }),
  ];
  // Imports in pieces, as far apart as their subjects; then a commit that changes a few of them.
  const inPieces = new Map<string, Row>();
  const pieces = [20, 320].map((from) =>
    deltaFor(inPieces, { remove: [], insert: [...rows(400), ...functional(from, 300, 0), ...several(from, 300)] }),
  );
  const around = deltaFor(inPieces, { remove: [], insert: [...functional(10, 10, 0), ...functional(620, 260, 0)] });
  const common = deltaFor(new Map(), { remove: [], insert: functional(450, 270, 4) });
  const small = deltaFor(inPieces, {
    remove: functional(300, 5, 0),
    insert: [...functional(302, 6, 1), ...functional(400, 2, 3), ...rows(2)],
  });

  // Worlds with subjects of their own; a commit then gives some to another one, the same triple or
  // another.
  const owned = new Map<string, Row>();
  const inWorld = (world: number, rows: readonly Row[]) =>
    rows
      .filter(([context]) => context === worlds[0].defaultContext)
      .map(([, ...triple]): Row => [worlds[world].defaultContext, ...triple]);
  const apart = [0, 1].map((world) =>
    deltaFor(owned, {
      remove: [],
      insert: inWorld(world, [...functional(20 + world * 300, 300, 0), ...several(20 + world * 300, 300)]),
    }),
  );
  const changed = deltaFor(owned, {
    remove: inWorld(0, functional(30, 3, 0)),
    insert: [
      ...inWorld(1, [...functional(60, 5, 0), ...functional(80, 5, 1), ...several(100, 4)]),
      ...inWorld(2, functional(315, 10, 0)),
    ],
  });

  const views: readonly [string, () => QuadSource][] = [
    ['of one world', () => store.view(new NaiveTermSource() as never, [worlds[0]], new Snapshot(deltas.slice(0, 1)))],
    ['of one world, changed', () => store.view(new NaiveTermSource() as never, [worlds[0]], new Snapshot(deltas))],
    ['of all worlds', () => collection(worlds, deltas.slice(0, 1))],
    ['of all worlds, changed', () => collection(worlds, deltas)],
    [
      'of one world, grown',
      () => store.view(new NaiveTermSource() as never, [worlds[0]], new Snapshot([deltas[0], deltas[2]])),
    ],
    ['of one world, in pieces', () => ofOne(pieces)],
    ['of one world, in pieces around each other', () => ofOne([...pieces, around])],
    ['of one world, in pieces with common subjects', () => ofOne([...pieces, common])],
    ['of one world, in pieces, changed', () => ofOne([...pieces, small])],
    ['of one world, in pieces around each other, changed', () => ofOne([...pieces, around, small])],
    ['of few worlds', () => ofFew(deltas.slice(0, 1))],
    ['of few worlds, changed', () => ofFew(deltas)],
    ['of few worlds with subjects of their own', () => ofFew(apart)],
    ['of few worlds with subjects of their own, changed', () => ofFew([...apart, changed])],
    ['of some worlds', () => collection(worlds.slice(2, 11), deltas)],
  ];

  function ofFew(of: typeof deltas): QuadSource {
    return store.view(new NaiveTermSource() as never, worlds.slice(0, 3), new Snapshot(of));
  }

  function ofOne(of: typeof deltas): QuadSource {
    return store.view(new NaiveTermSource() as never, [worlds[0]], new Snapshot(of));
  }

  function collection(shown: readonly WorldGraphs[], of: typeof deltas): QuadSource {
    const snapshot = new Snapshot(of);
    runAtOnce(snapshot.buildCollection());
    return store.view(new NaiveTermSource() as never, shown, snapshot);
  }

  const alone = new Set<string>();

  it.each(views)('agrees with a cursor, before and after its index is built: %s', (name, open) => {
    const view = open();
    const cursor = view.cursor();
    const quads = new QuadBatch(5000);
    for (const [at, predicate] of [
      ['subject', 3],
      ['object', 3],
      ['both', 4],
      ['subject', 5],
      ['both', 5],
      ['subject', 7],
      ['both', 7],
      ['subject', NO_TERM],
    ] as const) {
      const probe = view.probe!();
      for (let round = 0; round < 12; round++) {
        const ones = Uint32Array.from({ length: 150 }, () => 5 + random(620));
        if (round % 3 === 0) ones.sort();
        const others = Uint32Array.from(ones, (one) => (random(2) === 0 ? objectOf(one, 0) : 10 + random(600)));
        const subject = at === 'object' ? NO_TERM : ones;
        const object = at === 'object' ? ones : at === 'both' ? others : NO_TERM;
        const expected: string[] = [];
        for (let i = 0; i < ones.length; i++) {
          cursor.seek(
            at === 'object' ? NO_TERM : ones[i],
            predicate,
            at === 'object' ? ones[i] : at === 'both' ? others[i] : NO_TERM,
            DEFAULT_GRAPH,
          );
          cursor.next(quads);
          for (let j = 0; j < quads.length; j++) {
            expected.push([i, quads.subject[j], quads.predicate[j], quads.object[j], quads.graph[j]].join(' '));
          }
        }
        const found: string[] = [];
        const out = new ProbeBatch(round % 2 === 0 ? 1024 : 7);
        probe.begin({ subject, predicate, object, graph: DEFAULT_GRAPH }, ones.length);
        while (probe.next(out) > 0) {
          for (let j = 0; j < out.length; j++) {
            found.push([out.row[j], out.subject[j], out.predicate[j], out.object[j], out.graph[j]].join(' '));
          }
        }
        expect(found.toSorted()).toEqual(expected.toSorted());

        const objects = new Uint32Array(ones.length);
        probe.begin({ subject, predicate, object, graph: DEFAULT_GRAPH }, ones.length);
        const matched = probe.objects?.(objects);
        if (matched !== undefined) {
          alone.add(`${name}: ${at} ${predicate}`);
          const one = new Map(expected.map((quad) => [Number(quad.split(' ')[0]), Number(quad.split(' ')[3])]));
          expect(matched).toBe(expected.length);
          expect([...objects]).toEqual([...objects.keys()].map((row) => one.get(row) ?? NO_TERM));
        }

        const done = Uint8Array.from(ones, (_, i) => (i % 4 === 0 ? 1 : 0));
        const first: number[] = [];
        probe.begin({ subject, predicate, object, graph: DEFAULT_GRAPH }, ones.length, { firstOnly: true, done });
        while (probe.next(out) > 0) first.push(...out.row.subarray(0, out.length));
        const rows = new Set(expected.map((quad) => Number(quad.split(' ')[0])));
        expect(first).toEqual([...rows].filter((row) => row % 4 !== 0));
      }
    }
  });

  it('knows objects without rows where there is one at most', () => {
    const names = ['of one world', 'of one world, in pieces', 'of one world, in pieces around each other'];
    names.push('of few worlds', 'of few worlds with subjects of their own');
    for (const name of names) expect(alone).toContain(`${name}: subject 5`);
    const probe = ofOne([...pieces, small]).probe!();
    const objectsFrom = (from: number) => {
      const subject = Uint32Array.from({ length: 100 }, (_, i) => from + i);
      probe.begin({ subject, predicate: 5, object: NO_TERM, graph: DEFAULT_GRAPH }, 100);
      return probe.objects!(new Uint32Array(100));
    };
    for (let lookups = 0; lookups < 2000; lookups += 100) objectsFrom(20);
    expect([20, 120, 450].map(objectsFrom)).toEqual([100, 100, 100]);
    // A commit changed some of these.
    expect([280, 380].map(objectsFrom)).toEqual([undefined, undefined]);
    expect([...alone].filter((pattern) => pattern.endsWith(' 3'))).toEqual([]);
  });

  it('omits unwanted columns', () => {
    const view = views[0][1]();
    const probe = view.probe!();
    const out = new ProbeBatch(1024, WANT_OBJECT);
    const subject = Uint32Array.from({ length: 600 }, (_, i) => 10 + i);
    probe.begin({ subject, predicate: 3, object: NO_TERM, graph: DEFAULT_GRAPH }, 600);
    expect(probe.next(out)).toBeGreaterThan(0);
    expect([out.subject.length, out.predicate.length, out.graph.length]).toEqual([0, 0, 0]);
    expect(out.object.subarray(0, out.length).every((id) => id >= 10)).toBe(true);
  });
});

describe('reading a predicate by subject', () => {
  const store = new QuadStore({ low: 1, high: 2 }, (cause) => {
    throw cause;
  });
  const context = store.allocateContext();
  const world = new WorldGraphs(1, context, new Uint32Array(0), new Uint32Array(0));
  const present = new Map<string, Row>();
  const single = (from: number, count: number, object: number): Row[] =>
    Array.from({ length: count }, (_, i) => [context, from + i, 5, object + (i % 7)]);
  const several = (from: number, count: number): Row[] =>
    Array.from({ length: count }, (_, i) => [context, from + (i >> 1) * 9, 6, 10 + (i % 5)]);
  const deltas = [
    { remove: [], insert: [...single(100, 2000, 10), ...several(100, 3000)] },
    { remove: [], insert: [...single(3000, 1500, 10), ...several(20_000, 2000)] },
    { remove: [], insert: [...single(1, 30, 10), ...single(5000, 10, 10), ...several(1999, 20)] },
    { remove: [...single(100, 10, 10), ...single(2990, 20, 10)], insert: single(2099, 2, 30) },
    { remove: single(1, 1, 10), insert: single(4499, 100, 40) },
  ].map((change) => deltaFor(present, change));

  it.each([1, 2, 3, 4, 5])('gives what a cursor gives: %i runs', (count) => {
    const view = store.view(new NaiveTermSource() as never, [world], new Snapshot(deltas.slice(0, count)));
    const quads = new QuadBatch(20_000);
    const namesOf = ({ subject, object, length }: QuadBatch) =>
      Array.from({ length }, (_, row) => `${subject[row]} ${object[row]}`);
    for (const predicate of [5, 6]) {
      const cursor = view.cursor();
      cursor.seek(NO_TERM, predicate, NO_TERM, DEFAULT_GRAPH);
      cursor.next(quads);
      const expected = namesOf(quads).toSorted();
      for (const capacity of [20_000, 64, 1]) {
        // Each call continues the construction of the indexes.
        for (let call = 0; call < 20; call++) view.bySubject(predicate, DEFAULT_GRAPH);
        const reader = view.bySubject(predicate, DEFAULT_GRAPH)!;
        const batch = new QuadBatch(capacity);
        const found: string[] = [];
        const subjects: number[] = [];
        while (reader.next(batch) > 0) {
          found.push(...namesOf(batch));
          subjects.push(...batch.subject.subarray(0, batch.length));
          expect(batch.predicate.subarray(0, batch.length).every((id) => id === predicate)).toBe(true);
          expect(batch.graph.subarray(0, batch.length).every((id) => id === DEFAULT_GRAPH)).toBe(true);
        }
        expect(found.toSorted()).toEqual(expected);
        // Ascending, but for the next run and for the subjects that come last.
        const breaks = subjects.filter((subject, row) => row > 0 && subject < subjects[row - 1]);
        expect(breaks.length).toBeLessThanOrEqual(2);
      }
    }
  });

  it('reads several worlds if their subjects are apart', () => {
    const other = new WorldGraphs(2, store.allocateContext(), new Uint32Array(0), new Uint32Array(0));
    const shifted = (from: number): Row[] =>
      single(from, 1200, 10).map(([, ...triple]) => [other.defaultContext, ...triple]);
    for (const [from, isApart] of [
      [6000, true],
      [1500, false],
    ] as const) {
      const delta = deltaFor(new Map(), { remove: [], insert: shifted(from) });
      const view = store.view(new NaiveTermSource() as never, [world, other], new Snapshot([...deltas, delta]));
      for (let call = 0; call < 20; call++) view.bySubject(5, DEFAULT_GRAPH);
      const reader = view.bySubject(5, DEFAULT_GRAPH);
      expect(reader !== undefined).toBe(isApart);
      if (!reader) continue;
      const quads = new QuadBatch(20_000);
      reader.next(quads);
      expect(new Set(quads.subject.subarray(0, quads.length)).size).toBeGreaterThan(4000);
      const cursor = view.cursor();
      cursor.seek(NO_TERM, 5, NO_TERM, DEFAULT_GRAPH);
      expect(quads.length).toBe(cursor.next(new QuadBatch(20_000)));
    }
  });

  it('is left out if most quads are in small runs', () => {
    const small = Array.from({ length: 9 }, (_, i) =>
      deltaFor(new Map(), { remove: [], insert: single(i * 500, 400, 10) }),
    );
    const view = store.view(new NaiveTermSource() as never, [world], new Snapshot(small));
    for (let call = 0; call < 20; call++) expect(view.bySubject(5, DEFAULT_GRAPH)).toBeUndefined();
  });
});
