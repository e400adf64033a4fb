import type { CompiledExpression, RowReader } from './compiled-expression.ts';
import { effectiveBooleanValue } from './effective-boolean-value.ts';
import { booleanValue, type Value } from './value.ts';

export type Evaluate = (row: RowReader) => Value | undefined;
export type Test = (row: RowReader) => boolean | undefined;

/** Where the variables of an operand come from: its one variable, a set of them, or its parts. */
export type VariableSource = string | ReadonlySet<string> | readonly Operand[];

/**
 * A compiled expression as functions see their arguments. Whatever is boolean by nature has its
 * `test` made first and `evaluate` on top of it, other things the other way round, so that a FILTER
 * makes no values for its connectives.
 */
export class Operand implements CompiledExpression {
  readonly evaluate: Evaluate;
  readonly test: Test;
  readonly deterministic: boolean;
  readonly constant: { readonly value: Value | undefined } | undefined;
  /**
   * The column when this is a plain variable, else -1: lets a function read the row without a call
   * in between.
   */
  readonly column: number;
  private readonly source: VariableSource;

  constructor(
    evaluate: Evaluate,
    test: Test,
    variables: VariableSource,
    deterministic: boolean,
    constant?: { readonly value: Value | undefined },
    column = -1,
  ) {
    this.evaluate = evaluate;
    this.test = test;
    this.source = variables;
    this.deterministic = deterministic;
    this.constant = constant;
    this.column = column;
  }

  /**
   * Collected on demand: a set for each level of a large expression would take longer than
   * everything else.
   */
  get variables(): ReadonlySet<string> {
    const names = new Set<string>();
    const sources: VariableSource[] = [this.source];
    for (let source = sources.pop(); source !== undefined; source = sources.pop()) {
      if (typeof source === 'string') names.add(source);
      else if (source instanceof Set) for (const name of source) names.add(name);
      else for (const part of source as readonly Operand[]) sources.push(part.source);
    }
    return names;
  }
}

const NO_PARTS: readonly Operand[] = [];

/** The row that constants are folded with: nothing is bound. */
const EMPTY_ROW: RowReader = { value: () => undefined, bound: () => false };

export function constantOperand(
  value: Value | undefined,
  variables: VariableSource = NO_PARTS,
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
  if (column === undefined) return constantOperand(undefined, name);
  return new Operand(
    (row) => row.value(column),
    (row) => effectiveBooleanValue(row.value(column)),
    name,
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

/** An operand of `parts` that gives values; folded when all parts are constant. */
export function valueOperand(evaluate: Evaluate, parts: readonly Operand[], purity: Purity = PURE): Operand {
  const deterministic = purity.deterministic && parts.every((part) => part.deterministic);
  if (deterministic && parts.every((part) => part.constant !== undefined))
    return constantOperand(evaluate(EMPTY_ROW), parts);
  return new Operand(evaluate, (row) => effectiveBooleanValue(evaluate(row)), parts, deterministic);
}

/** An operand of `parts` that is true, false or an error; folded when all parts are constant. */
export function testOperand(test: Test, parts: readonly Operand[], purity: Purity = PURE): Operand {
  const deterministic = purity.deterministic && parts.every((part) => part.deterministic);
  const evaluate: Evaluate = (row) => {
    const truth = test(row);
    return truth === undefined ? undefined : booleanValue(truth);
  };
  if (deterministic && parts.every((part) => part.constant !== undefined))
    return constantOperand(evaluate(EMPTY_ROW), parts);
  return new Operand(evaluate, test, parts, deterministic);
}
