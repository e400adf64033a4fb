import { type FunctionRow, form } from './function-row.ts';
import { Operand, type Test, testOperand, valueOperand } from './operand.ts';

/**
 * `||` and `&&` with the error rules of section 17.2. Both are associative, so a chain compiles to
 * one call.
 */
function connective(decisive: boolean): FunctionRow {
  return form(2, Number.POSITIVE_INFINITY, (parts) => {
    const tests = parts.map((part) => part.test);
    if (tests.length > 2) return testOperand(chain(tests, decisive), parts);
    const [first, second] = tests;
    return testOperand((row) => {
      const a = first(row);
      if (a === decisive) return decisive;
      const b = second(row);
      if (b === decisive) return decisive;
      return a === undefined || b === undefined ? undefined : !decisive;
    }, parts);
  });
}

function chain(tests: readonly Test[], decisive: boolean): Test {
  return (row) => {
    let failed = false;
    for (const test of tests) {
      const truth = test(row);
      if (truth === decisive) return decisive;
      if (truth === undefined) failed = true;
    }
    return failed ? undefined : !decisive;
  };
}

const not = form(1, 1, (parts) => {
  const { test } = parts[0];
  return testOperand((row) => {
    const truth = test(row);
    return truth === undefined ? undefined : !truth;
  }, parts);
});

/**
 * Section 17.4.1.1. The grammar allows only a variable; any other argument is bound if it has a
 * value.
 */
const bound = form(1, 1, (parts) => {
  const [{ column, evaluate }] = parts;
  if (column >= 0) return testOperand((row) => row.bound(column), parts);
  return testOperand((row) => evaluate(row) !== undefined, parts);
});

/** Section 17.4.1.2: only the chosen branch is evaluated. */
const conditional = form(3, 3, (parts) => {
  const [{ test }, yes, no] = parts;
  const evaluate = valueOperand((row) => {
    const truth = test(row);
    if (truth === undefined) return undefined;
    return truth ? yes.evaluate(row) : no.evaluate(row);
  }, parts);
  // Tests the branch directly: a branch that is boolean by nature need not create a value.
  return new Operand(
    evaluate.evaluate,
    evaluate.constant
      ? evaluate.test
      : (row) => {
          const truth = test(row);
          if (truth === undefined) return undefined;
          return truth ? yes.test(row) : no.test(row);
        },
    parts,
    evaluate.deterministic,
    evaluate.constant,
  );
});

/** Section 17.4.1.3: the first value without an error; `COALESCE()` is an error. */
const coalesce = form(0, Number.POSITIVE_INFINITY, (parts) => {
  const evaluates = parts.map((part) => part.evaluate);
  return valueOperand((row) => {
    for (const evaluate of evaluates) {
      const value = evaluate(row);
      if (value !== undefined) return value;
    }
    return undefined;
  }, parts);
});

export const LOGICAL_FUNCTIONS: readonly (readonly [name: string, row: FunctionRow])[] = [
  ['||', connective(true)],
  ['&&', connective(false)],
  ['!', not],
  ['BOUND', bound],
  ['IF', conditional],
  ['COALESCE', coalesce],
];
