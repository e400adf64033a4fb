import type { TermId } from '../../contracts/term-source.ts';
import type { Aggregate } from '../algebra/algebra.ts';
import type { Batch } from './batch.ts';
import type { DistinctRows } from './distinct-rows.ts';
import type { RowValue } from './row-function.ts';

/** One aggregate of a group operator. */
export interface GroupAggregate {
  readonly slot: number;
  readonly aggregate: Aggregate;
  /** Slots that identify a solution, for COUNT(DISTINCT *); none for COUNT(*). */
  readonly solutionSlots?: readonly number[];
  /** Slot of the argument, if it is a plain variable. */
  readonly argumentSlot?: number;
  /** Computes the argument if it is not a plain variable. */
  readonly argument?: RowValue;
}

/** What aggregates of all groups need: several aggregates may share one, as SUM and AVG do. */
export interface AggregateState {
  /**
   * Adds the rows `from .. to - 1` of a batch, whose rows are added in order; `groups` holds the
   * group of each row, and all are below `size`.
   */
  add(groups: Uint32Array, size: number, batch: Batch, from: number, to: number): void;
  /**
   * As `add`, if the evaluation of a row may be suspended: returns the row to continue with after a
   * pause, or `to`.
   */
  addSome?(groups: Uint32Array, batch: Batch, from: number, to: number): number;
  /** Whether a row may take long, so that the clock must be checked between rows. */
  readonly isCostly: boolean;
  /** Rows seen so far, for DISTINCT counts. */
  readonly seen?: DistinctRows;
}

/** The results of one aggregate. */
export interface AggregateColumn {
  /** Everything that it needs. */
  readonly states: readonly AggregateState[];
  result(group: number): TermId;
}
