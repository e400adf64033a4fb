import { LARGE_TEXT } from '../../model/memory-budget.ts';
import { DEFAULT_REQUEST_LIMITS, type RequestLimits } from '../../model/request-limits.ts';
import type { EvaluationContext } from './compiled-expression.ts';
import { effectiveBooleanValue } from './effective-boolean-value.ts';
import { counted1, counted2, countedAll, type LongCalls } from './long-calls.ts';
import { isFolded, Operand, testOperand, valueOperand } from './operand.ts';
import type { Value } from './value.ts';

/**
 * Returns what counts the calls of a function, if it is called for rows: a call that is folded
 * cannot be suspended.
 */
export function callsOf(parts: readonly Operand[], { calls }: EvaluationContext): LongCalls | undefined {
  return isFolded(parts) ? undefined : calls;
}

/** A row of the function table: its argument count, and how to compile a call. */
export interface FunctionRow {
  readonly minArguments: number;
  readonly maxArguments: number;
  compile(parts: readonly Operand[], context: EvaluationContext): Operand;
}

/**
 * Compiles a special case of a call more efficiently, such as one with a constant argument; returns
 * undefined if it does not apply.
 */
export type Specialize = (parts: readonly Operand[], context: EvaluationContext) => Operand | undefined;

/** Whether the same row gives the same values again. */
export function mayRepeat(parts: readonly Operand[]): boolean {
  return parts.every(({ deterministic }) => deterministic);
}

/**
 * Creates a row for a strict function in the sense of section 17.2: each argument is evaluated
 * once, and any error among them is the error of the call. `apply` receives values and returns
 * undefined for an error. The same holds for the builders below.
 */
export function unary(apply: (a: Value) => Value | undefined): FunctionRow {
  return {
    minArguments: 1,
    maxArguments: 1,
    compile: (parts, context) => {
      const [{ evaluate }] = parts;
      const call = counted1(apply, callsOf(parts, context), mayRepeat(parts));
      return valueOperand((row) => {
        const a = evaluate(row);
        return a === undefined ? undefined : call(a);
      }, parts);
    },
  };
}

export function unaryTest(apply: (a: Value) => boolean | undefined): FunctionRow {
  return {
    minArguments: 1,
    maxArguments: 1,
    compile: (parts, context) => {
      const [{ evaluate }] = parts;
      const call = counted1(apply, callsOf(parts, context), mayRepeat(parts));
      return testOperand((row) => {
        const a = evaluate(row);
        return a === undefined ? undefined : call(a);
      }, parts);
    },
  };
}

export function binary(apply: (a: Value, b: Value) => Value | undefined): FunctionRow {
  return {
    minArguments: 2,
    maxArguments: 2,
    compile: (parts, context) => {
      const [{ evaluate: first }, { evaluate: second }] = parts;
      const call = counted2(apply, callsOf(parts, context), mayRepeat(parts));
      return valueOperand((row) => {
        const a = first(row);
        if (a === undefined) return undefined;
        const b = second(row);
        return b === undefined ? undefined : call(a, b);
      }, parts);
    },
  };
}

export function binaryTest(apply: (a: Value, b: Value) => boolean | undefined, specialize?: Specialize): FunctionRow {
  return {
    minArguments: 2,
    maxArguments: 2,
    compile: (parts, context) => {
      const [{ evaluate: first }, { evaluate: second }] = parts;
      const special = specialize?.(parts, context);
      if (special !== undefined) return special;
      const call = counted2(apply, callsOf(parts, context), mayRepeat(parts));
      return testOperand((row) => {
        const a = first(row);
        if (a === undefined) return undefined;
        const b = second(row);
        return b === undefined ? undefined : call(a, b);
      }, parts);
    },
  };
}

/** For functions with many or optional arguments; `apply` receives all arguments of the call. */
export function variadic(
  minArguments: number,
  maxArguments: number,
  apply: (values: readonly Value[]) => Value | undefined,
  specialize?: Specialize,
): FunctionRow {
  return {
    minArguments,
    maxArguments,
    compile: (parts, context) => {
      const special = specialize?.(parts, context);
      if (special !== undefined) return special;
      const evaluates = parts.map((part) => part.evaluate);
      const call = countedAll(apply, callsOf(parts, context), mayRepeat(parts));
      return valueOperand((row) => {
        const values: Value[] = [];
        for (const evaluate of evaluates) {
          const value = evaluate(row);
          if (value === undefined) return undefined;
          values.push(value);
        }
        return call(values);
      }, parts);
    },
  };
}

/**
 * For functional forms, which decide which arguments to evaluate, and for functions that read the
 * context.
 */
export function form(minArguments: number, maxArguments: number, compile: FunctionRow['compile']): FunctionRow {
  return { minArguments, maxArguments, compile };
}

/** A {@link textMaker} that checks the lengths of its strings by the limits of the request. */
export function limitedText(rowWith: (limits: RequestLimits) => FunctionRow): FunctionRow {
  const usual = textMaker(rowWith(DEFAULT_REQUEST_LIMITS));
  const compile: FunctionRow['compile'] = (parts, context) => {
    const { limits = DEFAULT_REQUEST_LIMITS } = context;
    const row = limits.maxStringLength === DEFAULT_REQUEST_LIMITS.maxStringLength ? usual : textMaker(rowWith(limits));
    return row.compile(parts, context);
  };
  return { ...usual, compile };
}

/** Wraps a function that may create long strings: reports each one to the context. */
export function textMaker(row: FunctionRow): FunctionRow {
  const compile: FunctionRow['compile'] = (parts, context) => {
    const call = row.compile(parts, context);
    const { madeText, keptText } = context;
    const { evaluate, constant, deterministic } = call;
    if (constant) {
      const length = constant.value?.textLength ?? 0;
      if (length >= LARGE_TEXT) keptText?.(length);
      return call;
    }
    if (madeText === undefined) return call;
    const watched: Operand['evaluate'] = (row) => {
      const value = evaluate(row);
      if (value !== undefined && value.textLength >= LARGE_TEXT) madeText(value.textLength);
      return value;
    };
    return new Operand(watched, (row) => effectiveBooleanValue(watched(row)), parts, deterministic);
  };
  return { ...row, compile };
}
