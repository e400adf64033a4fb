import type { TermId } from '../contracts/term-source.ts';
import { lowerBound, upperBound } from './bounds.ts';
import { POS } from './permutation.ts';
import type { Run } from './run.ts';

/** Rows `start .. end - 1` of some columns. */
export interface RowRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the range of a predicate among rows of one context, or of all, in the permutation that
 * sorts by predicate first.
 */
export function predicateRows(predicates: Uint32Array, { start, end }: RowRange, predicate: TermId): RowRange {
  const first = lowerBound(predicates, start, end, predicate);
  return { start: first, end: upperBound(predicates, first, end, predicate) };
}

/** Returns the range of a predicate in the order POS, for an entry of the directory of a run. */
export function predicateRowsOf(run: Run, entry: number, predicate: TermId): RowRange {
  const rows = { start: run.starts[entry], end: run.starts[entry + 1] };
  return predicateRows(run.columnsOf(POS)[0], rows, predicate);
}

/**
 * Returns the subjects of a predicate's quads, as often as they occur, for an entry of the
 * directory of a run.
 */
export function subjectsOf(run: Run, entry: number, predicate: TermId): Uint32Array {
  const { start, end } = predicateRowsOf(run, entry, predicate);
  return run.columnsOf(POS)[2].subarray(start, end);
}
