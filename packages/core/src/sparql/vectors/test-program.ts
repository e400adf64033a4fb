import { COMPARABLE, hasFraction, inFloats, isFloatPair, NUMERIC } from '../../contracts/value-column.ts';
import type { Expression } from '../algebra/algebra.ts';
import type { Batch } from '../exec/batch.ts';
import { callsLeft, MAX_CALLS, startNumbers } from './number-program.ts';
import type { NumberProgram } from './number-vector.ts';
import { parseConstant, parsed } from './parse-value.ts';
import type { SlotNumbers } from './slot-numbers.ts';

/** Results of a {@link TestProgram} for one row. */
export const TRUTH = {
  isFalse: 0,
  isTrue: 1,
  /** The values do not decide it: evaluate the condition for that row on its own. */
  undecided: 2,
} as const;

/** The results of a condition for the rows of a batch. */
export interface Truths {
  /** One of {@link TRUTH} for each row. */
  values: Uint8Array;
  /** Whether no row is known to be undecided, so that the values are 0 and 1. */
  areDecided: boolean;
}

/**
 * A condition compiled for whole batches: decides all rows in one call. The result is valid until
 * the next call; the caller may change it.
 */
export type TestProgram = (batch: Batch) => Truths;

const COMPARISON = { equal: 0, unequal: 1, less: 2, greater: 3, lessOrEqual: 4, greaterOrEqual: 5 } as const;
export type Comparison = (typeof COMPARISON)[keyof typeof COMPARISON];

export const COMPARISONS: ReadonlyMap<string, Comparison> = new Map<string, Comparison>([
  ['=', COMPARISON.equal],
  ['!=', COMPARISON.unequal],
  ['<', COMPARISON.less],
  ['>', COMPARISON.greater],
  ['<=', COMPARISON.lessOrEqual],
  ['>=', COMPARISON.greaterOrEqual],
]);

/** Results by {@link COMPARISON} if left is less than, equal to or greater than right. */
export const ANSWERS: readonly (readonly [whenLess: number, whenEqual: number, whenGreater: number])[] = [
  [0, 1, 0],
  [1, 0, 1],
  [1, 0, 0],
  [0, 0, 1],
  [1, 1, 0],
  [0, 1, 1],
];

/** Members that are parsed at once, without a pause. */
const MAX_MEMBERS = 4096;
const MEMBERSHIPS: ReadonlySet<string> = new Set(['IN', 'NOT IN']);
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
  if (MEMBERSHIPS.has(name)) {
    const [value, ...members] = parts;
    return members.length <= MAX_MEMBERS && members.every(isNumber) ? callsLeft(value, slotOf, left - 1) : -1;
  }
  const isConnective = CONNECTIVES.has(name);
  if (!isConnective && !COMPARISONS.has(name)) return -1;
  const ofPart = isConnective ? testCallsLeft : callsLeft;
  let rest = left - 1;
  for (const part of parts) if (rest >= 0) rest = ofPart(part, slotOf, rest);
  return rest;
}

/**
 * Compiles a condition that {@link isNumberTest} accepts, for one run of a plan. Returns undefined
 * if the term source has no value column.
 */
export function startTest(expression: Expression, slotOf: SlotOf, slots: SlotNumbers): TestProgram | undefined {
  if (expression.type !== 'call') return undefined;
  if (CONNECTIVES.has(expression.function)) {
    const parts = expression.arguments.map((part) => startTest(part, slotOf, slots));
    const [first, second] = parts;
    if (!first || parts.includes(undefined)) return undefined;
    return second ? connective(first, second, expression.function === '||') : negation(first);
  }
  if (MEMBERSHIPS.has(expression.function)) {
    const [value, ...members] = expression.arguments;
    const numbers = startNumbers(value, slotOf, slots);
    return numbers && membership(numbers, members.map(numberOf), expression.function === 'IN');
  }
  const comparison = COMPARISONS.get(expression.function);
  const [left, right] = expression.arguments.map((part) => startNumbers(part, slotOf, slots));
  return comparison !== undefined && left && right ? compared(left, right, comparison) : undefined;
}

function compared(left: NumberProgram, right: NumberProgram, comparison: Comparison): TestProgram {
  const truths = new OwnTruths();
  const [whenLess, whenEqual, whenGreater] = ANSWERS[comparison];
  return (batch) => {
    const values = truths.reserve(batch.length);
    const a = left(batch);
    const b = right(batch);
    const shared = a.comparable;
    if (shared !== 0 && shared === b.comparable) {
      compareNumbers(a.numbers, b.numbers, batch.length, comparison, values);
      return truths;
    }
    truths.areDecided = false;
    for (let row = 0; row < batch.length; row++) {
      const kind = a.kinds[row];
      const otherKind = b.kinds[row];
      let x = a.numbers[row];
      let y = b.numbers[row];
      if (COMPARABLE[kind] === 0 || COMPARABLE[kind] !== COMPARABLE[otherKind]) {
        x = isFloatPair(kind, otherKind) ? inFloats(kind, x) : Number.NaN;
        y = inFloats(otherKind, y);
        if (Number.isNaN(x) || Number.isNaN(y)) {
          values[row] = TRUTH.undecided;
          continue;
        }
      }
      if (x < y) values[row] = whenLess;
      else if (x > y) values[row] = whenGreater;
      // The fractions of the seconds, which the numbers omit, decide.
      else if (hasFraction(kind) || hasFraction(otherKind)) values[row] = TRUTH.undecided;
      else values[row] = whenEqual;
    }
    return truths;
  };
}

/** A constant that is a number; equal constants of this kind have equal numbers. */
function isNumber(member: Expression): boolean {
  return member.type === 'term' && COMPARABLE[parseConstant(member)] === NUMERIC;
}

function numberOf(member: Expression): number {
  if (member.type === 'term') parseConstant(member);
  return parsed.number;
}

/** IN and NOT IN (section 17.4.1.9) with numbers: a number is one of them, or equal to none. */
function membership(numbers: NumberProgram, members: readonly number[], whenMember: boolean): TestProgram {
  const truths = new OwnTruths();
  // A set has one zero: 0 and -0 are equal, as they are here.
  const set = new Set(members);
  return (batch) => {
    const values = truths.reserve(batch.length);
    const { kinds, numbers: tested } = numbers(batch);
    for (let row = 0; row < batch.length; row++) {
      if (COMPARABLE[kinds[row]] === NUMERIC) {
        values[row] = Number(set.has(tested[row]) === whenMember);
      } else {
        values[row] = TRUTH.undecided;
        truths.areDecided = false;
      }
    }
    return truths;
  };
}

/**
 * Compares rows that the numbers alone decide. A loop for each operator, without branches: half of
 * the rows of a range would mispredict one.
 */
function compareNumbers(
  a: Float64Array,
  b: Float64Array,
  length: number,
  comparison: Comparison,
  truths: Uint8Array,
): void {
  switch (comparison) {
    case COMPARISON.equal:
      for (let row = 0; row < length; row++) truths[row] = Number(a[row] === b[row]);
      return;
    case COMPARISON.unequal:
      for (let row = 0; row < length; row++) truths[row] = Number(a[row] !== b[row]);
      return;
    case COMPARISON.less:
      for (let row = 0; row < length; row++) truths[row] = Number(a[row] < b[row]);
      return;
    case COMPARISON.greater:
      for (let row = 0; row < length; row++) truths[row] = Number(a[row] > b[row]);
      return;
    case COMPARISON.lessOrEqual:
      for (let row = 0; row < length; row++) truths[row] = Number(a[row] <= b[row]);
      return;
    case COMPARISON.greaterOrEqual:
      for (let row = 0; row < length; row++) truths[row] = Number(a[row] >= b[row]);
  }
}

/**
 * Section 17.2: one false operand makes `&&` false, and one true operand makes `||` true, even if
 * the other operand is an error.
 */
function connective(first: TestProgram, second: TestProgram, isOr: boolean): TestProgram {
  return (batch) => {
    const truths = first(batch);
    combine(truths, second(batch), isOr, batch.length);
    return truths;
  };
}

/** Writes the conjunction of two results, or the disjunction, to the first of them. */
export function combine(truths: Truths, others: Truths, isOr: boolean, length: number): void {
  const a = truths.values;
  const b = others.values;
  if (truths.areDecided && others.areDecided) {
    if (isOr) for (let row = 0; row < length; row++) a[row] |= b[row];
    else for (let row = 0; row < length; row++) a[row] &= b[row];
    return;
  }
  truths.areDecided = false;
  const decisive = isOr ? TRUTH.isTrue : TRUTH.isFalse;
  const other = isOr ? TRUTH.isFalse : TRUTH.isTrue;
  for (let row = 0; row < length; row++) {
    if (a[row] === decisive || b[row] === decisive) a[row] = decisive;
    else a[row] = a[row] === other && b[row] === other ? other : TRUTH.undecided;
  }
}

function negation(part: TestProgram): TestProgram {
  return (batch) => {
    const truths = part(batch);
    const { values } = truths;
    for (let row = 0; row < batch.length; row++) if (values[row] !== TRUTH.undecided) values[row] = 1 - values[row];
    return truths;
  };
}

class OwnTruths implements Truths {
  values = new Uint8Array(0);
  areDecided = true;

  /** Returns the values, with room for this many rows, as those of another batch. */
  reserve(length: number): Uint8Array {
    this.areDecided = true;
    if (this.values.length < length) this.values = new Uint8Array(length);
    return this.values;
  }
}
