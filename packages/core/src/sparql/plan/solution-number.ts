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
 * BNODE(label) is one node a solution (section 17.4.2.9): the solution needs a number that stays
 * with it. Each operator that numbers has a slot of its own, so that a join of numbered rows does
 * not take their numbers for a variable that they share.
 */
export function numbered(input: Operator, expression: Expression, scope: Scope): Operator {
  if (!needsSolutionNumber(expression) || solutionSlot(input) !== undefined) return input;
  return new RowNumber(input, scope.counter.take());
}

/**
 * The slot with the number of a solution, if the rows have one: behind what leaves each solution
 * one row.
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
