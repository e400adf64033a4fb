import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runAtOnce } from '../../src/contracts/slicer.ts';
import { PERMUTATIONS } from '../../src/quads/permutation.ts';
import { replacementDelta } from '../../src/quads/replacement-delta.ts';
import type { Run } from '../../src/quads/run.ts';
import { Snapshot } from '../../src/quads/snapshot.ts';
import { deltaFor, keyOf, type Row, rowsOf, runOf } from './quad-rows.ts';

const id = fc.integer({ min: 1, max: 4 });
const row: fc.Arbitrary<Row> = fc.tuple(fc.integer({ min: 1, max: 6 }), id, id, id);
const rows = fc.array(row, { maxLength: 25 });
const steps = fc.array(fc.record({ remove: rows, insert: rows }), { maxLength: 6 });
const contexts = fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { maxLength: 5 });

/** The rows of a run as keys; the same in every permutation. */
function keysOf(run: Run): string[] {
  const [first, ...others] = PERMUTATIONS.map((_, permutation) => rowsOf(run, permutation).map(keyOf).sort());
  for (const other of others) expect(other).toEqual(first);
  return first;
}

it('is exactly the difference between some contexts and a run', () => {
  fc.assert(
    fc.property(steps, rows, contexts, (history, brought, replaced) => {
      const present = new Map<string, Row>();
      const snapshot = new Snapshot(history.map((step) => deltaFor(present, step)));
      // New contexts are none of the snapshot's: 7 never is.
      const wanted = brought.map(([context, ...triple]): Row => [replaced.includes(context) ? context : 7, ...triple]);
      const after = new Map(wanted.map((one) => [keyOf(one), one]));
      const before = new Map([...present].filter(([, [context]]) => replaced.includes(context)));
      const ascending = Uint32Array.from(replaced).sort();
      const { inserted, deleted } = runAtOnce(replacementDelta(runOf(wanted), snapshot, ascending));
      expect(keysOf(inserted)).toEqual([...after.keys()].filter((key) => !before.has(key)).sort());
      expect(keysOf(deleted)).toEqual([...before.keys()].filter((key) => !after.has(key)).sort());
    }),
    { numRuns: 500 },
  );
});

it('of contexts that hold nothing is the run itself', () => {
  const run = runOf([[3, 1, 1, 1]]);
  const snapshot = new Snapshot([deltaFor(new Map(), { remove: [], insert: [[4, 1, 1, 1]] })]);
  expect(runAtOnce(replacementDelta(run, snapshot, Uint32Array.of(3, 5))).inserted).toBe(run);
});
