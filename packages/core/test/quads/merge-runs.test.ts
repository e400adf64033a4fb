import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runAtOnce } from '../../src/contracts/slicer.ts';
import { type Delta, deltaSize, mergeDeltas, uniteRuns } from '../../src/quads/merge-runs.ts';
import { PERMUTATIONS } from '../../src/quads/permutation.ts';
import { filterByPresence } from '../../src/quads/presence.ts';
import { buildCollection, type Run } from '../../src/quads/run.ts';
import { Snapshot } from '../../src/quads/snapshot.ts';
import { deltaFor, keyOf, type Row, rowsOf, runOf } from './quad-rows.ts';

const LOCAL = 2 ** 30;
const id = fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constantFrom(LOCAL + 1, LOCAL + 2));
const row: fc.Arbitrary<Row> = fc.tuple(fc.integer({ min: 1, max: 5 }), id, id, id);
const rows = fc.array(row, { maxLength: 25 });
const changes = fc.array(fc.record({ remove: rows, insert: rows }), { maxLength: 8 });

const byOrder = (order: readonly number[]) => (a: Row, b: Row) => {
  for (const i of [0, ...order.map((position) => position + 1)]) if (a[i] !== b[i]) return a[i] - b[i];
  return 0;
};
const isAlive = () => false;

/**
 * The run is what it says it is: sorted in all its permutations, without duplicates or empty
 * contexts.
 */
function expectRows(run: Run, expected: Iterable<Row>): void {
  const all = [...expected];
  PERMUTATIONS.forEach(({ order }, permutation) => {
    expect(rowsOf(run, permutation)).toEqual([...all].sort(byOrder(order)));
  });
  expect(run.length).toBe(all.length);
  expect([...run.contexts]).toEqual([...new Set(all.map(([context]) => context))].sort((a, b) => a - b));
  for (const [context] of all) expect(run.indexOfContext(context)).toBeGreaterThanOrEqual(0);
  expect(run.indexOfContext(99)).toBe(-1);
}

function deltasOf(steps: readonly { remove: readonly Row[]; insert: readonly Row[] }[]) {
  const present = new Map<string, Row>();
  const deltas: Delta[] = steps.map((step) => deltaFor(present, step));
  return { present, deltas };
}

describe('buildRun', () => {
  it('sorts and drops duplicates', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 120 }), (all) => {
        expectRows(runOf(all), new Map(all.map((one) => [keyOf(one), one])).values());
      }),
    );
  });

  it('slices out a context', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 60 }), fc.integer({ min: 1, max: 6 }), (all, context) => {
        const expected = new Map(all.filter(([own]) => own === context).map((one) => [keyOf(one), one]));
        expectRows(runOf(all).sliceOf(context), expected.values());
      }),
    );
  });

  it('makes permutations over all contexts, the context last', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 60 }), (all) => {
        const run = runOf(all);
        runAtOnce(buildCollection(run));
        const expected = [...new Map(all.map((one) => [keyOf(one), one])).values()];
        PERMUTATIONS.forEach(({ order }, permutation) => {
          const sorted = expected
            .map((one) => [...order.map((position) => one[position + 1]), one[0]])
            .sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2] || a[3] - b[3]);
          const columns = run.collection![permutation];
          expect(sorted.map((_, i) => columns.map((column) => column[i]))).toEqual(sorted);
          for (const column of columns) expect(column).toHaveLength(sorted.length);
        });
      }),
    );
  });
});

describe('mergeDeltas', () => {
  it('gives the same quads for any history', () => {
    fc.assert(
      fc.property(changes, (steps) => {
        const { present, deltas } = deltasOf(steps);
        const { inserted, deleted } = runAtOnce(mergeDeltas(deltas, isAlive));
        expectRows(inserted, present.values());
        expect(deleted.length).toBe(0);
      }),
      { numRuns: 200 },
    );
  });

  it('gives the same for any grouping of neighbours', () => {
    fc.assert(
      fc.property(changes, fc.infiniteStream(fc.nat()), (steps, picks) => {
        const { present, deltas } = deltasOf(steps);
        const left = [...deltas];
        while (left.length > 1) {
          const at = picks.next().value % (left.length - 1);
          // The order of the two does not matter; that nothing stands between them does.
          const pair = [left[at], left[at + 1]];
          if (picks.next().value % 2) pair.reverse();
          left.splice(at, 2, runAtOnce(mergeDeltas(pair, isAlive)));
          const count = left.reduce((sum, delta) => sum + delta.inserted.length - delta.deleted.length, 0);
          expect(count).toBe(present.size);
          const snapshot = new Snapshot(left);
          for (let context = 1; context <= 5; context++) {
            expect(snapshot.countContext(context)).toBe(
              [...present.values()].filter(([own]) => own === context).length,
            );
          }
        }
        if (left.length === 1) expectRows(left[0].inserted, present.values());
      }),
      { numRuns: 200 },
    );
  });

  it('leaves out dead contexts', () => {
    fc.assert(
      fc.property(changes, fc.integer({ min: 1, max: 5 }), (steps, dead) => {
        const { present, deltas } = deltasOf(steps);
        const { inserted, deleted } = runAtOnce(mergeDeltas(deltas, (context) => context === dead));
        expectRows(
          inserted,
          [...present.values()].filter(([context]) => context !== dead),
        );
        expect(deleted.length).toBe(0);
      }),
    );
  });

  it('of nothing is nothing', () => {
    expect(deltaSize(runAtOnce(mergeDeltas([], isAlive)))).toBe(0);
  });

  it('does not change its inputs', () => {
    fc.assert(
      fc.property(changes, (steps) => {
        const { deltas } = deltasOf(steps);
        const shown = () =>
          deltas.map(({ inserted, deleted }) =>
            [inserted, deleted].map((run) => PERMUTATIONS.map((_, i) => rowsOf(run, i))),
          );
        const before = JSON.stringify(shown());
        runAtOnce(mergeDeltas(deltas, isAlive));
        expect(JSON.stringify(shown())).toBe(before);
      }),
    );
  });

  it('works in steps where runs are long', () => {
    const long = (from: number) => ({
      inserted: runOf(Array.from({ length: 50_000 }, (_, i): Row => [1, from + 2 * i, 1, 1])),
      deleted: runOf([]),
    });
    const kernel = mergeDeltas([long(1), long(2)], isAlive);
    let steps = 0;
    let step = kernel.next();
    for (; !step.done; step = kernel.next()) steps++;
    expect(steps).toBeGreaterThanOrEqual(3 * 6);
    expect(step.value.inserted.length).toBe(100_000);
    expect([...step.value.inserted.columns[0][0].subarray(0, 5)]).toEqual([1, 2, 3, 4, 5]);
  });
});

describe('uniteRuns', () => {
  it('is the union of sets', () => {
    fc.assert(
      fc.property(fc.array(rows, { maxLength: 6 }), (all) => {
        const united = runAtOnce(uniteRuns(all.map(runOf)));
        expectRows(united, new Map(all.flat().map((one) => [keyOf(one), one])).values());
      }),
    );
  });
});

describe('filterByPresence', () => {
  it('splits a run into present and absent quads', () => {
    fc.assert(
      fc.property(changes, rows, (steps, asked) => {
        const { present, deltas } = deltasOf(steps);
        const snapshot = new Snapshot(deltas);
        const distinct = [...new Map(asked.map((one) => [keyOf(one), one])).values()];
        expectRows(
          runAtOnce(filterByPresence(runOf(asked), snapshot, 'present')),
          distinct.filter((one) => present.has(keyOf(one))),
        );
        expectRows(
          runAtOnce(filterByPresence(runOf(asked), snapshot, 'absent')),
          distinct.filter((one) => !present.has(keyOf(one))),
        );
      }),
      { numRuns: 200 },
    );
  });
});
