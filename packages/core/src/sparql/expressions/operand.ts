import type { CompiledExpression, RowReader } from './compiled-expression.ts';
import { effectiveBooleanValue } from './effective-boolean-value.ts';
import { countedRead, isFoldable, type LongCalls } from './long-calls.ts';
import { booleanValue, type Value } from './value.ts';

export type Evaluate = (row: RowReader) => Value | undefined;
export type Test = (row: RowReader) => boolean | undefined;

/** Source of an operand's variables: its only variable, a set of names, or its parts. */
export type VariableSource = string | ReadonlySet<string> | readonly Operand[];

/**
 * A compiled expression as seen by functions. Boolean operations implement `test` and derive
 * `evaluate` from it; others do the reverse. This keeps FILTER from creating values for
 * connectives.
 */
export class Operand implements CompiledExpression {
  readonly evaluate: Evaluate;
  readonly test: Test;
  readonly deterministic: boolean;
  readonly constant: { readonly value: Value | undefined } | undefined;
  /**
   * Column of a plain variable, otherwise -1. Lets functions read the row without an intermediate
   * call.
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

  /** Computed on demand: a set per level of a large expression would dominate compilation time. */
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

/** Row for constant folding, with nothing bound. */
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

/**
 * Returns an operand for a variable. A variable that is not in scope (`column` undefined) is always
 * unbound (section 17.2).
 */
export function variableOperand(name: string, column: number | undefined, calls?: LongCalls): Operand {
  if (column === undefined) return constantOperand(undefined, name);
  const evaluate = countedRead((row: RowReader) => row.value(column), calls);
  return new Operand(evaluate, (row) => effectiveBooleanValue(evaluate(row)), name, true, undefined, column);
}

interface Purity {
  /** False for functions that may return different results for the same arguments. */
  readonly deterministic: boolean;
}

const PURE: Purity = { deterministic: true };

/** Whether a call can be evaluated now: its arguments are constants, and not long. */
export function isFolded(parts: readonly Operand[]): boolean {
  return parts.every((part) => part.constant !== undefined) && isFoldable(parts);
}

/** Creates an operand that returns values; folds it if all parts are short constants. */
export function valueOperand(evaluate: Evaluate, parts: readonly Operand[], purity: Purity = PURE): Operand {
  const deterministic = purity.deterministic && parts.every((part) => part.deterministic);
  if (deterministic && isFolded(parts)) return constantOperand(evaluate(EMPTY_ROW), parts);
  return new Operand(evaluate, (row) => effectiveBooleanValue(evaluate(row)), parts, deterministic);
}

/**
 * Creates an operand that returns true, false or an error; folds it if all parts are short
 * constants.
 */
export function testOperand(test: Test, parts: readonly Operand[], purity: Purity = PURE): Operand {
  const deterministic = purity.deterministic && parts.every((part) => part.deterministic);
  const evaluate: Evaluate = (row) => {
    const truth = test(row);
    return truth === undefined ? undefined : booleanValue(truth);
  };
  if (deterministic && isFolded(parts)) return constantOperand(evaluate(EMPTY_ROW), parts);
  return new Operand(evaluate, test, parts, deterministic);
}
