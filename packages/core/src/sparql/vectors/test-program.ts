import { COMPARABLE, hasFraction, inFloats, isFloatPair, NUMERIC, VALUE } from '../../contracts/value-column.ts';
import type { Batch } from '../exec/batch.ts';
import type { NumberProgram } from './number-vector.ts';

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

export function compared(left: NumberProgram, right: NumberProgram, comparison: Comparison): TestProgram {
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

/** IN and NOT IN (section 17.4.1.9) with numbers: a number is one of them, or equal to none. */
export function membership(numbers: NumberProgram, members: readonly number[], whenMember: boolean): TestProgram {
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
 * The effective boolean value (SPARQL 1.2 section 17.2.2) of booleans and numbers: an `opaque`
 * value may be NaN or a string, which have one too.
 */
export function effectiveBoolean(numbers: NumberProgram): TestProgram {
  const truths = new OwnTruths();
  return (batch) => {
    const values = truths.reserve(batch.length);
    const { kinds, numbers: tested } = numbers(batch);
    for (let row = 0; row < batch.length; row++) {
      const kind = kinds[row];
      if (kind === VALUE.boolean || kind === VALUE.float || COMPARABLE[kind] === NUMERIC) {
        values[row] = Number(tested[row] !== 0);
      } else {
        values[row] = TRUTH.undecided;
        truths.areDecided = false;
      }
    }
    return truths;
  };
}

/**
 * Section 17.2: one false operand makes `&&` false, and one true operand makes `||` true, even if
 * the other operand is an error.
 */
export function connective(first: TestProgram, second: TestProgram, isOr: boolean): TestProgram {
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

export function negation(part: TestProgram): TestProgram {
  return (batch) => {
    const truths = part(batch);
    const { values } = truths;
    for (let row = 0; row < batch.length; row++) if (values[row] !== TRUTH.undecided) values[row] = 1 - values[row];
    return truths;
  };
}

export class OwnTruths implements Truths {
  values = new Uint8Array(0);
  areDecided = true;

  /** Returns the values, with room for this many rows, as those of another batch. */
  reserve(length: number): Uint8Array {
    this.areDecided = true;
    if (this.values.length < length) this.values = new Uint8Array(length);
    return this.values;
  }
}
