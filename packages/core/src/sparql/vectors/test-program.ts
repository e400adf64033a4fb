import { COMPARABLE, hasFraction } from '../../contracts/value-column.ts';
import type { Expression } from '../algebra/algebra.ts';
import type { Batch } from '../exec/batch.ts';
import type { Execution } from '../exec/execution.ts';
import { callsLeft, MAX_CALLS, type NumberProgram, startNumbers } from './number-program.ts';

/** Results of a {@link TestProgram} for one row. */
export const TRUTH = {
  isFalse: 0,
  isTrue: 1,
  /** The values do not decide it: evaluate the condition for that row on its own. */
  undecided: 2,
} as const;

/**
 * A condition compiled for whole batches: decides all rows in one call. Returns one of
 * {@link TRUTH} for each row; the array is valid until the next call.
 */
export type TestProgram = (batch: Batch) => Uint8Array;

/** Results of each comparison operator if left is less than, equal to or greater than right. */
const COMPARISONS: ReadonlyMap<string, readonly [whenLess: number, whenEqual: number, whenGreater: number]> = new Map([
  ['=', [0, 1, 0]],
  ['!=', [1, 0, 1]],
  ['<', [1, 0, 0]],
  ['>', [0, 0, 1]],
  ['<=', [1, 1, 0]],
  ['>=', [0, 1, 1]],
]);

const CONNECTIVES: ReadonlySet<string> = new Set(['&&', '||', '!']);

type SlotOf = (variable: string) => number | undefined;

/** Whether {@link startTest} can compile a condition. */
export function isNumberTest(expression: Expression, slotOf: SlotOf): boolean {
  return testCallsLeft(expression, slotOf, MAX_CALLS) >= 0;
}

/** As {@link callsLeft}, for a condition. */
function testCallsLeft(expression: Expression, slotOf: SlotOf, left: number): number {
  if (expression.type !== 'call') return -1;
  const { function: name, arguments: parts } = expression;
  const isConnective = CONNECTIVES.has(name);
  if (!isConnective && !COMPARISONS.has(name)) return -1;
  // Two variables compared for equality rarely hold numbers.
  if ((name === '=' || name === '!=') && parts.every(({ type }) => type === 'variable')) return -1;
  const ofPart = isConnective ? testCallsLeft : callsLeft;
  let rest = left - 1;
  for (const part of parts) if (rest >= 0) rest = ofPart(part, slotOf, rest);
  return rest;
}

/**
 * Compiles a condition that {@link isNumberTest} accepts, for one run of a plan. Returns undefined
 * if the term source has no value column.
 */
export function startTest(expression: Expression, slotOf: SlotOf, execution: Execution): TestProgram | undefined {
  if (expression.type !== 'call') return undefined;
  if (CONNECTIVES.has(expression.function)) {
    const parts = expression.arguments.map((part) => startTest(part, slotOf, execution));
    const [first, second] = parts;
    if (!first || parts.includes(undefined)) return undefined;
    return second ? connective(first, second, expression.function === '||') : negation(first);
  }
  const answers = COMPARISONS.get(expression.function);
  const [left, right] = expression.arguments.map((part) => startNumbers(part, slotOf, execution));
  return answers && left && right && comparison(left, right, answers);
}

function comparison(
  left: NumberProgram,
  right: NumberProgram,
  [whenLess, whenEqual, whenGreater]: readonly [number, number, number],
): TestProgram {
  let truths = new Uint8Array(0);
  return (batch) => {
    if (truths.length < batch.length) truths = new Uint8Array(batch.length);
    const a = left(batch);
    const b = right(batch);
    for (let row = 0; row < batch.length; row++) {
      const kind = a.kinds[row];
      const comparable = COMPARABLE[kind];
      if (comparable === 0 || comparable !== COMPARABLE[b.kinds[row]]) {
        truths[row] = TRUTH.undecided;
        continue;
      }
      const x = a.numbers[row];
      const y = b.numbers[row];
      if (x < y) truths[row] = whenLess;
      else if (x > y) truths[row] = whenGreater;
      // The fractions of the seconds, which the numbers omit, decide.
      else if (hasFraction(kind) || hasFraction(b.kinds[row])) truths[row] = TRUTH.undecided;
      else truths[row] = whenEqual;
    }
    return truths;
  };
}

/**
 * Section 17.2: one false operand makes `&&` false, and one true operand makes `||` true, even if
 * the other operand is an error.
 */
function connective(first: TestProgram, second: TestProgram, isOr: boolean): TestProgram {
  let truths = new Uint8Array(0);
  const decisive = isOr ? TRUTH.isTrue : TRUTH.isFalse;
  const other = isOr ? TRUTH.isFalse : TRUTH.isTrue;
  return (batch) => {
    if (truths.length < batch.length) truths = new Uint8Array(batch.length);
    const a = first(batch);
    const b = second(batch);
    for (let row = 0; row < batch.length; row++) {
      if (a[row] === decisive || b[row] === decisive) truths[row] = decisive;
      else truths[row] = a[row] === other && b[row] === other ? other : TRUTH.undecided;
    }
    return truths;
  };
}

function negation(part: TestProgram): TestProgram {
  let truths = new Uint8Array(0);
  return (batch) => {
    if (truths.length < batch.length) truths = new Uint8Array(batch.length);
    const a = part(batch);
    for (let row = 0; row < batch.length; row++)
      truths[row] = a[row] === TRUTH.undecided ? TRUTH.undecided : 1 - a[row];
    return truths;
  };
}
