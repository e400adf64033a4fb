import { runAtOnce } from '../../src/contracts/slicer.ts';
import type { Delta } from '../../src/quads/merge-runs.ts';
import { PERMUTATIONS } from '../../src/quads/permutation.ts';
import { buildRun, type Run } from '../../src/quads/run.ts';

/** A quad of the store as numbers: its context first. */
export type Row = readonly [context: number, subject: number, predicate: number, object: number];

export const keyOf = (row: Row) => row.join(' ');

export function runOf(rows: readonly Row[]): Run {
  const column = (i: number) => Uint32Array.from(rows, (row) => row[i]);
  return runAtOnce(
    buildRun({ length: rows.length, context: column(0), subject: column(1), predicate: column(2), object: column(3) }),
  );
}

/** The rows of a run in the order of one of its permutations. */
export function rowsOf(run: Run, permutation: number): Row[] {
  const rows: Row[] = [];
  const { order } = PERMUTATIONS[permutation];
  for (let entry = 0; entry < run.contexts.length; entry++) {
    for (let at = run.starts[entry]; at < run.starts[entry + 1]; at++) {
      const triple = [0, 0, 0];
      for (let i = 0; i < 3; i++) triple[order[i]] = run.columns[permutation][i][at];
      rows.push([run.contexts[entry], triple[0], triple[1], triple[2]]);
    }
  }
  return rows;
}

/**
 * The exact delta that brings a set of rows, changed in place, from what it is to what the change
 * makes of it.
 */
export function deltaFor(
  present: Map<string, Row>,
  { remove, insert }: { readonly remove: readonly Row[]; readonly insert: readonly Row[] },
): Delta {
  // Of what the change names only: the set may be a thousand times as large.
  const before = new Map<string, Row | undefined>();
  for (const row of [...remove, ...insert]) {
    const key = keyOf(row);
    if (!before.has(key)) before.set(key, present.get(key));
  }
  for (const row of remove) present.delete(keyOf(row));
  for (const row of insert) present.set(keyOf(row), row);
  const inserted: Row[] = [];
  const deleted: Row[] = [];
  for (const [key, row] of before) {
    const now = present.get(key);
    if (!row && now) inserted.push(now);
    if (row && !now) deleted.push(row);
  }
  return { inserted: runOf(inserted), deleted: runOf(deleted) };
}
