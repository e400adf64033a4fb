import type { Expression } from '../algebra/algebra.ts';
import { Apply } from '../exec/apply.ts';
import { ExistsMark } from '../exec/exists-mark.ts';
import { Extend } from '../exec/extend.ts';
import { Filter } from '../exec/filter.ts';
import type { Operator } from '../exec/operator.ts';
import { Order } from '../exec/order.ts';
import { RowNumber } from '../exec/row-number.ts';
import { needsSolutionNumber } from './conditions.ts';
import type { Scope } from './scope.ts';

/**
 * Adds row numbers if an expression calls BNODE(label), which yields one node per solution (section
 * 17.4.2.9) and therefore needs an identity for each solution. Every numbering operator has its own
 * slot, so that a join does not mistake the numbers of both sides for a shared variable.
 */
export function numbered(input: Operator, expression: Expression, scope: Scope): Operator {
  if (!needsSolutionNumber(expression) || solutionSlot(input) !== undefined) return input;
  return new RowNumber(input, scope.counter.take());
}

/**
 * Returns the slot of the solution number if the rows have one. Looks through operators that keep
 * one row per solution.
 */
export function solutionSlot(operator: Operator): number | undefined {
  let one = operator;
  while (
    one instanceof Extend ||
    one instanceof Filter ||
    one instanceof Order ||
    one instanceof ExistsMark ||
    (one instanceof Apply && one.kind === 'mark')
  ) {
    [one] = one.inputs;
  }
  return one instanceof RowNumber ? one.slot : undefined;
}
