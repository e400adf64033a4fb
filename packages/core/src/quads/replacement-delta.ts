import { copyRows } from './copy-rows.ts';
import { type Delta, mergeDeltas } from './merge-runs.ts';
import { EMPTY_RUN, Run, type TripleColumns } from './run.ts';
import type { Snapshot } from './snapshot.ts';

/**
 * Returns the exact delta that makes some contexts hold the rows of a run and no others. Rows
 * present both before and after are in neither half. Merges the run with the negated existing rows
 * in one pass, so unchanged rows are never materialised. A kernel.
 *
 * @param contexts ascending; each context of the run's rows is new or among them
 */
export function* replacementDelta(run: Run, snapshot: Snapshot, contexts: Uint32Array): Generator<void, Delta, void> {
  const taken: Delta[] = [];
  for (const { inserted, deleted } of snapshot.deltas) {
    const part = { inserted: yield* partOf(deleted, contexts), deleted: yield* partOf(inserted, contexts) };
    if (part.inserted.length + part.deleted.length > 0) taken.push(part);
  }
  const brought = { inserted: run, deleted: EMPTY_RUN };
  return taken.length === 0 ? brought : yield* mergeDeltas([...taken, brought], () => false);
}

/** Returns the rows of some contexts as a run; copies nothing for a single context. A kernel. */
function* partOf(run: Run, contexts: Uint32Array): Generator<void, Run, void> {
  const found = contexts.filter((context) => run.indexOfContext(context) >= 0);
  if (found.length === 0) return EMPTY_RUN;
  if (found.length === 1) return run.sliceOf(found[0]);
  const entries = Array.from(found, (context) => run.indexOfContext(context));
  const starts = new Uint32Array(found.length + 1);
  entries.forEach((entry, i) => {
    starts[i + 1] = starts[i] + run.starts[entry + 1] - run.starts[entry];
  });
  const columns: TripleColumns[] = [];
  for (const [a, b, c] of run.columns) {
    const gathered: Uint32Array[] = [];
    for (const column of [a, b, c]) {
      const rows = new Uint32Array(starts[found.length]);
      for (const [i, entry] of entries.entries()) {
        copyRows(column, run.starts[entry], rows, starts[i], starts[i + 1] - starts[i]);
      }
      gathered.push(rows);
      yield;
    }
    columns.push(gathered as unknown as TripleColumns);
  }
  return new Run(found, starts, columns);
}
