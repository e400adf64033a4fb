import type { TermId } from '../../contracts/term-source.ts';
import type { Stream } from './batch.ts';
import type { Execution } from './execution.ts';
import type { SlotSet } from './slot-set.ts';

/**
 * An executable node of a query plan. Operators are immutable, so a plan can run repeatedly and
 * concurrently; the state of a run lives in the generator returned by `run`.
 */
export interface Operator {
  /** Operator name shown by explain. */
  readonly name: string;
  /** Slots that have a column in the output batches. */
  readonly slots: readonly number[];
  /** Slots that are bound in every output row. */
  readonly certain: SlotSet;
  /** Cardinality estimate: the expected number of output rows. */
  readonly estimate: number;
  readonly inputs: readonly Operator[];
  /**
   * Whether no two rows are equal in {@link slots}, as for a scan of which every variable has a
   * column. Absent if unknown.
   */
  readonly isDistinct?: boolean;
  /** Returns what explain shows after the name. Computed only for explain. */
  detail?(names: PlanNames): string;
  /**
   * Projection pruning: returns an operator with the same rows that has at least the needed slots
   * and omits others where that saves work, or undefined to keep the operator unchanged. Use
   * {@link pruned} to prune a whole tree.
   */
  withOnly?(needed: SlotSet): Operator | undefined;
  /**
   * Returns an operator with the same rows that reads them in ascending order of the terms of a
   * slot if the source can do that, or undefined if there is none. For consumers that look every
   * term of the slot up, which reads memory in order then.
   */
  ascending?(slot: number): Operator | undefined;
  /**
   * Whether rows that are equal in some slots always follow each other, as in a scan that is sorted
   * by these slots first. Absent if unknown.
   *
   * @param slots without duplicates
   */
  clusters?(slots: readonly number[]): boolean;
  run(execution: Execution): Stream;
}

/**
 * Returns a plan that produces the needed slots and carries no other slots than it needs to compute
 * them.
 */
export function pruned(operator: Operator, needed: SlotSet): Operator {
  return operator.withOnly?.(needed) ?? operator;
}

/** Returns the estimated rows of all operators of a plan together, as a measure of its cost. */
export function estimatedRows(operator: Operator): number {
  return operator.inputs.reduce((rows, input) => rows + estimatedRows(input), operator.estimate);
}

/** Translates slots and term ids to text for explain. */
export interface PlanNames {
  /** Returns `?name`. */
  variable(slot: number): string;
  /** Returns the term in SPARQL syntax. */
  term(id: TermId): string;
}
