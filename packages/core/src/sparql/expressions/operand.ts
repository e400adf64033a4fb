import type { CompiledExpression, RowReader } from './compiled-expression.ts';
import { effectiveBooleanValue } from './effective-boolean-value.ts';
import { booleanValue, type Value } from './value.ts';

export type Evaluate = (row: RowReader) => Value | undefined;
export type Test = (row: RowReader) => boolean | undefined;

/**
 * A compiled expression as functions see their arguments. Whatever is boolean by nature has its `test` made first and `evaluate` on top of it, other
 * things the other way round, so that a FILTER makes no values for its connectives.
 */
export class Operand implements CompiledExpression {
  readonly evaluate: Evaluate;
  readonly test: Test;
  readonly variables: ReadonlySet<string>;
  readonly deterministic: boolean;
  readonly constant: { readonly value: Value | undefined } | undefined;
  /** The column when this is a plain variable, else -1: lets a function read the row without a call in between. */
  readonly column: number;

  constructor(
    evaluate: Evaluate,
    test: Test,
    variables: ReadonlySet<string>,
    deterministic: boolean,
    constant?: { readonly value: Value | undefined },
    column = -1,
  ) {
    this.evaluate = evaluate;
    this.test = test;
    this.variables = variables;
    this.deterministic = deterministic;
    this.constant = constant;
    this.column = column;
  }
}

const NO_VARIABLES: ReadonlySet<string> = new Set();

/** The row that constants are folded with: nothing is bound. */
const EMPTY_ROW: RowReader = { value: () => undefined, bound: () => false };

export function constantOperand(
  value: Value | undefined,
  variables: ReadonlySet<string> = NO_VARIABLES,
  deterministic = true,
): Operand {
  const truth = effectiveBooleanValue(value);
  return new Operand(
    () => value,
    () => truth,
    variables,
    deterministic,
    { value },
  );
}

/** A variable that is not in scope is always unbound (section 17.2): `column` undefined. */
export function variableOperand(name: string, column: number | undefined): Operand {
  const variables = new Set([name]);
  if (column === undefined) return constantOperand(undefined, variables);
  return new Operand(
    (row) => row.value(column),
    (row) => effectiveBooleanValue(row.value(column)),
    variables,
    true,
    undefined,
    column,
  );
}

interface Purity {
  /** False for functions whose calls differ though their arguments do not. */
  readonly deterministic: boolean;
}

const PURE: Purity = { deterministic: true };

function variablesOf(parts: readonly Operand[]): ReadonlySet<string> {
  const withVariables = parts.filter((part) => part.variables.size > 0);
  if (withVariables.length === 0) return NO_VARIABLES;
  if (withVariables.length === 1) return withVariables[0].variables;
  const all = new Set<string>();
  for (const part of withVariables) for (const name of part.variables) all.add(name);
  return all;
}

/** An operand of `parts` that gives values; folded when all parts are constant. */
export function valueOperand(evaluate: Evaluate, parts: readonly Operand[], purity: Purity = PURE): Operand {
  const variables = variablesOf(parts);
  const deterministic = purity.deterministic && parts.every((part) => part.deterministic);
  if (deterministic && parts.every((part) => part.constant !== undefined))
    return constantOperand(evaluate(EMPTY_ROW), variables);
  return new Operand(evaluate, (row) => effectiveBooleanValue(evaluate(row)), variables, deterministic);
}

/** An operand of `parts` that is true, false or an error; folded when all parts are constant. */
export function testOperand(test: Test, parts: readonly Operand[], purity: Purity = PURE): Operand {
  const variables = variablesOf(parts);
  const deterministic = purity.deterministic && parts.every((part) => part.deterministic);
  const evaluate: Evaluate = (row) => {
    const truth = test(row);
    return truth === undefined ? undefined : booleanValue(truth);
  };
  if (deterministic && parts.every((part) => part.constant !== undefined))
    return constantOperand(evaluate(EMPTY_ROW), variables);
  return new Operand(evaluate, test, variables, deterministic);
}
