import type { TermId } from '../../storage/term-source.ts';
import type { Stream } from './batch.ts';
import type { Execution } from './execution.ts';
import type { SlotSet } from './slot-set.ts';

/**
 * A node of a plan, which is also what runs it: immutable, so that a plan can run many times and in
 * many places at once; the state of a run is in the generator that `run` makes.
 */
export interface Operator {
  /** The operator's name in an explanation. */
  readonly name: string;
  /** The slots that its rows have a column for. */
  readonly slots: readonly number[];
  /** The slots that are bound in every row. */
  readonly certain: SlotSet;
  /** About how many rows it gives. */
  readonly estimate: number;
  readonly inputs: readonly Operator[];
  /** What an explanation says besides the name; made only when one is asked for. */
  detail?(names: PlanNames): string;
  /**
   * The same rows with at least the slots that are needed, where leaving others out saves work
   * (projection pruning); undefined: as it is. A tree in which every operator does that is made by
   * {@link pruned}.
   */
  withOnly?(needed: SlotSet): Operator | undefined;
  run(execution: Execution): Stream;
}

/** A plan that gives the needed slots and, below, carries no more than it takes to compute them. */
export function pruned(operator: Operator, needed: SlotSet): Operator {
  return operator.withOnly?.(needed) ?? operator;
}

/** How an explanation calls what operators know by number. */
export interface PlanNames {
  /** `?name` */
  variable(slot: number): string;
  /** In the syntax of SPARQL. */
  term(id: TermId): string;
}
