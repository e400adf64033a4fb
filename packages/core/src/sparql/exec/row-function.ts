import type { TermId } from '../../storage/term-source.ts';
import type { Expression } from '../algebra/algebra.ts';
import type { Value } from '../expressions/value.ts';
import type { Batch } from './batch.ts';
import type { Execution } from './execution.ts';
import type { SlotSet } from './slot-set.ts';

/** An expression as operators use it: something that it gives for each row. */
export interface RowFunction<Result> {
  readonly expression: Expression;
  /** The slots that it looks at; undefined: any of them, as EXISTS does. */
  readonly reads: readonly number[] | undefined;
  /** Makes the function for one run of the plan. */
  start(execution: Execution): (batch: Batch, row: number) => Result;
}

/** Whether a condition is true; false and error are one (SPARQL 1.1 section 17.2). */
export type RowTest = RowFunction<boolean>;
/** A value; undefined where the expression has an error. */
export type RowValue = RowFunction<Value | undefined>;
/**
 * A term; 0 where the expression has an error, which leaves a variable unbound (SPARQL 1.1 section
 * 18.5).
 */
export type RowTerm = RowFunction<TermId>;

/** What is needed below an operator that reads more; undefined: everything. */
export function neededWith(needed: SlotSet, functions: readonly RowFunction<unknown>[]): SlotSet | undefined {
  if (functions.length === 1) {
    const [{ reads }] = functions;
    return reads && needed.with(reads);
  }
  // Of thousands each would make a set.
  const slots: number[] = [];
  for (const { reads } of functions) {
    if (reads === undefined) return undefined;
    for (const slot of reads) slots.push(slot);
  }
  return needed.with(slots);
}
