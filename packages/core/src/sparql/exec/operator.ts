import type { Stream } from './batch.ts';
import type { Execution } from './execution.ts';

/**
 * A node of a plan, which is also what runs it: immutable, so that a plan can run many times and in many places at once; the state of
 * a run is in the generator that `run` makes.
 */
export interface Operator {
  /** The operator's name in an explanation. */
  readonly name: string;
  /** The slots that its rows have a column for. */
  readonly slots: readonly number[];
  /** The slots that are bound in every row. */
  readonly certain: ReadonlySet<number>;
  /** About how many rows it gives. */
  readonly estimate: number;
  readonly inputs: readonly Operator[];
  /** What an explanation says besides the name. */
  readonly detail?: string;
  run(execution: Execution): Stream;
}

export function unionOf(one: Iterable<number>, other: Iterable<number>): number[] {
  return [...new Set([...one, ...other])];
}
