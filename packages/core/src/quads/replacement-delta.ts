import { type Delta, mergeDeltas } from './merge-runs.ts';
import { EMPTY_RUN, type Run } from './run.ts';
import { runOfContexts } from './run-of-contexts.ts';
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
    const part = {
      inserted: yield* runOfContexts(deleted, contexts),
      deleted: yield* runOfContexts(inserted, contexts),
    };
    if (part.inserted.length + part.deleted.length > 0) taken.push(part);
  }
  const brought = { inserted: run, deleted: EMPTY_RUN };
  return taken.length === 0 ? brought : yield* mergeDeltas([...taken, brought], () => false);
}
