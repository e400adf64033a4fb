import type { TermId } from '../../contracts/term-source.ts';
import type { Expression } from '../algebra/algebra.ts';
import type { Value } from '../expressions/value.ts';
import type { NumberProgram } from '../vectors/number-vector.ts';
import type { SlotNumbers } from '../vectors/slot-numbers.ts';
import type { TestProgram } from '../vectors/test-program.ts';
import type { Batch } from './batch.ts';
import type { Execution } from './execution.ts';
import type { SlotSet } from './slot-set.ts';

/** An expression compiled for operators: a function of a row. */
export interface RowFunction<Result> {
  readonly expression: Expression;
  /** Slots that it reads; undefined means any slot, as for EXISTS. */
  readonly reads: readonly number[] | undefined;
  /** Creates the function for one run of the plan. */
  start(execution: Execution, options?: RowOptions): (batch: Batch, row: number) => Result;
}

/** What an operator offers to an expression. */
export interface RowOptions {
  /** The values of each batch, for conditions inside; they must be advanced with it. */
  readonly slots?: SlotNumbers;
  /** Whether the operator catches `Suspended` and evaluates the row again after a pause. */
  readonly maySuspend?: boolean;
}

/** For operators that catch `Suspended`. */
export const MAY_SUSPEND: RowOptions = { maySuspend: true };

/** Tests a condition; false and error are not distinguished (SPARQL 1.1 section 17.2). */
export interface RowTest extends RowFunction<boolean> {
  /**
   * Creates a program for one run of the plan that decides the condition for whole batches, at
   * least for most rows. Undefined if there is none.
   */
  readonly startBatches?: ((slots: SlotNumbers) => TestProgram | undefined) | undefined;
}
/** Computes a value; undefined stands for an error. */
export interface RowValue extends RowFunction<Value | undefined> {
  /** As `startBatches` of {@link RowTest}, for values that are numbers. */
  readonly startNumbers?: ((slots: SlotNumbers) => NumberProgram | undefined) | undefined;
}
/**
 * Computes a term id; 0 stands for an error, which leaves the variable unbound (SPARQL 1.1 section
 * 18.5).
 */
export interface RowTerm extends RowFunction<TermId> {
  /** As `startNumbers` of {@link RowValue}. */
  readonly startNumbers?: RowValue['startNumbers'];
}

/**
 * Returns the slots that the input of an operator must have: `needed` plus the slots that its
 * functions read. Undefined means all slots.
 */
export function neededWith(needed: SlotSet, functions: readonly RowFunction<unknown>[]): SlotSet | undefined {
  if (functions.length === 1) {
    const [{ reads }] = functions;
    return reads && needed.with(reads);
  }
  // Collected first: there may be thousands of functions, and each union would allocate a set.
  const slots: number[] = [];
  for (const { reads } of functions) {
    if (reads === undefined) return undefined;
    for (const slot of reads) slots.push(slot);
  }
  return needed.with(slots);
}
