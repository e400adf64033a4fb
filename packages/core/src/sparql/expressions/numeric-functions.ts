import { absolute, add, ceil, divide, floor, multiply, negate, plus, round, subtract } from './arithmetic.ts';
import { binary, type FunctionRow, form, unary } from './function-row.ts';
import { valueOperand } from './operand.ts';
import { doubleValue } from './value.ts';

/** Section 17.4.4.5: returns a new number for each call. */
const rand = form(0, 0, (parts, context) =>
  valueOperand(() => doubleValue(context.random()), parts, { deterministic: false }),
);

/** Sections 17.3 and 17.4.4. */
export const NUMERIC_FUNCTIONS: readonly (readonly [name: string, row: FunctionRow])[] = [
  ['+', binary(add)],
  ['-', binary(subtract)],
  ['*', binary(multiply)],
  ['/', binary(divide)],
  ['unary-', unary(negate)],
  ['unary+', unary(plus)],
  ['ABS', unary(absolute)],
  ['ROUND', unary(round)],
  ['CEIL', unary(ceil)],
  ['FLOOR', unary(floor)],
  ['RAND', rand],
];
