import { NO_TERM } from '../contracts/term-source.ts';
import { renamed, STORED, type TermRenaming } from './commit-terms.ts';
import { SPO } from './permutation.ts';
import { buildRun, type Run } from './run.ts';
import { LOCAL_BIT } from './term-meta.ts';

const STEP = 1 << 16;

/**
 * Replaces an overlay's ids in a run by shared ids. Local terms are appended in their own order, so
 * the rows usually stay sorted; the run is sorted again only if another commit added one of the
 * terms first. Overwrites the given run's columns. A kernel: yields every 65,536 rows.
 *
 * @param sharedBefore the size of the dictionary before the terms were appended; 'unsorted' for a
 *   run that must be sorted in any case
 */
export function* renameRun(
  run: Run,
  renaming: TermRenaming,
  sharedBefore: number | 'unsorted',
): Generator<void, Run, void> {
  const sorted = sharedBefore !== 'unsorted' && (yield* allNew(renaming, sharedBefore));
  for (const columns of run.columns) for (const column of columns) yield* renameColumn(column, renaming);
  if (sorted) return run;
  const [subject, predicate, object] = run.columnsOf(SPO);
  const context = new Uint32Array(run.length);
  for (let i = 0; i < run.contexts.length; i++) context.fill(run.contexts[i], run.starts[i], run.starts[i + 1]);
  return yield* buildRun({ length: run.length, context, subject, predicate, object });
}

/**
 * Returns whether every id is new. New ids are greater than all shared ids in the run and in the
 * order of the local ones.
 */
function* allNew(renaming: TermRenaming, sharedBefore: number): Generator<void, boolean, void> {
  for (let number = 1; number < renaming.length; number++) {
    if (number % STEP === 0) yield;
    if (renaming[number] !== 0 && renaming[number] <= sharedBefore) return false;
  }
  return true;
}

function* renameColumn(column: Uint32Array, renaming: TermRenaming): Generator<void, void, void> {
  for (let start = 0; start < column.length; start += STEP) {
    const end = Math.min(start + STEP, column.length);
    for (let i = start; i < end; i++) column[i] = renamed(column[i], renaming);
    if (end - start === STEP) yield;
  }
}

/**
 * Marks the local terms that a run mentions: see `commitTerms`. A kernel, like {@link renameRun}.
 */
export function* markUsedTerms(run: Run, used: Uint8Array, as = STORED): Generator<void, void, void> {
  for (const column of run.columnsOf(SPO)) {
    for (let start = 0; start < column.length; start += STEP) {
      const end = Math.min(start + STEP, column.length);
      for (let i = start; i < end; i++) if (column[i] >= LOCAL_BIT) used[column[i] - LOCAL_BIT] = as;
      if (end - start === STEP) yield;
    }
  }
}

/**
 * Returns the rows of a run whose terms all have shared ids, with those ids. A kernel, like
 * {@link renameRun}.
 */
export function* renameKnown(run: Run, renaming: TermRenaming): Generator<void, Run, void> {
  const { length } = run;
  const [subject, predicate, object] = run.columnsOf(SPO);
  const rows = [0, 1, 2, 3].map(() => new Uint32Array(length));
  let kept = 0;
  for (let entry = 0; entry < run.contexts.length; entry++) {
    for (let row = run.starts[entry]; row < run.starts[entry + 1]; row++) {
      if (row % STEP === STEP - 1) yield;
      const s = renamed(subject[row], renaming);
      const p = renamed(predicate[row], renaming);
      const o = renamed(object[row], renaming);
      if (s === NO_TERM || p === NO_TERM || o === NO_TERM) continue;
      rows[0][kept] = run.contexts[entry];
      rows[1][kept] = s;
      rows[2][kept] = p;
      rows[3][kept++] = o;
    }
  }
  return yield* buildRun({ length: kept, context: rows[0], subject: rows[1], predicate: rows[2], object: rows[3] });
}

/** Moves the rows of a run to other contexts and sorts them again. A kernel. */
export function* moveContexts(run: Run, contexts: ReadonlyMap<number, number>): Generator<void, Run, void> {
  const [subject, predicate, object] = run.columnsOf(SPO);
  const context = new Uint32Array(run.length);
  for (let i = 0; i < run.contexts.length; i++) {
    const moved = contexts.get(run.contexts[i]) ?? run.contexts[i];
    context.fill(moved, run.starts[i], run.starts[i + 1]);
  }
  return yield* buildRun({ length: run.length, context, subject, predicate, object });
}
