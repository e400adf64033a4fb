import {
  COMPARABLE,
  inFloats,
  isFloatPair,
  MAX_SCALE,
  MAX_UNITS,
  NUMERIC,
  VALUE,
} from '../../contracts/value-column.ts';
import type { MemoryBudget } from '../../model/memory-budget.ts';
import type { NumberFunction } from './number-functions.ts';
import { type NumberProgram, NumberVector, powerOfTen, scaleOf, unitsOf } from './number-vector.ts';
import { moved, movedTime } from './time-arithmetic.ts';

/** The operators whose results are exact; division has rules of its own. */
const OPERATOR = { add: 0, subtract: 1, multiply: 2 } as const;
export type Operator = (typeof OPERATOR)[keyof typeof OPERATOR];

export const ARITHMETIC: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['+', OPERATOR.add],
  ['-', OPERATOR.subtract],
  ['*', OPERATOR.multiply],
]);

/**
 * Applies an operator to doubles, or to the units of decimals. A function for each operator would
 * be called for each row, since the loops are shared; this is inlined.
 */
function applied(operator: Operator, a: number, b: number): number {
  return operator === OPERATOR.add ? a + b : operator === OPERATOR.subtract ? a - b : a * b;
}

/**
 * Compiles a numeric operator. Type promotion follows XPath 2.0 appendix B.1: if either operand is
 * a double, the result is a double; otherwise it is exact. A result that would not be exact here is
 * `opaque`, so the row is evaluated by the general interpreter.
 */
export function ofArithmetic(
  operator: Operator,
  left: NumberProgram,
  right: NumberProgram,
  memory: MemoryBudget,
): NumberProgram {
  const vector = new NumberVector(memory);
  // The scale of an exact product is the sum of the scales of its factors.
  const addsScales = operator === OPERATOR.multiply;
  return (batch) => {
    vector.reserve(batch.length);
    const a = left(batch);
    const b = right(batch);
    if (ofDoubles(operator, a, b, batch.length, vector)) return vector;
    const { kinds, numbers } = vector;
    let lowest = MAX_SCALE + VALUE.decimal;
    let highest = 0;
    for (let row = 0; row < batch.length; row++) {
      const leftKind = a.kinds[row];
      const rightKind = b.kinds[row];
      let kind: number = VALUE.opaque;
      if (COMPARABLE[leftKind] === NUMERIC && COMPARABLE[rightKind] === NUMERIC) {
        const x = a.numbers[row];
        const y = b.numbers[row];
        if (leftKind === VALUE.integer && rightKind === VALUE.integer) {
          const result = applied(operator, x, y);
          if (Number.isSafeInteger(result)) kind = VALUE.integer;
          // Adding 0 turns -0 into 0: integers have no negative zero.
          numbers[row] = result + 0;
        } else if (leftKind === VALUE.double || rightKind === VALUE.double) {
          const result = applied(operator, x, y);
          if (!Number.isNaN(result)) kind = VALUE.double;
          numbers[row] = result;
        } else {
          const leftScale = scaleOf(leftKind);
          const rightScale = scaleOf(rightKind);
          const scale = addsScales ? leftScale + rightScale : Math.max(leftScale, rightScale);
          if (scale <= MAX_SCALE) {
            let leftUnits = unitsOf(x, leftScale);
            let rightUnits = unitsOf(y, rightScale);
            if (!addsScales) {
              leftUnits *= powerOfTen(scale - leftScale);
              rightUnits *= powerOfTen(scale - rightScale);
            }
            const units = applied(operator, leftUnits, rightUnits);
            const isExact = addsScales || (Math.abs(leftUnits) < MAX_UNITS && Math.abs(rightUnits) < MAX_UNITS);
            if (isExact && Math.abs(units) < MAX_UNITS) {
              kind = VALUE.decimal + scale;
              numbers[row] = (units + 0) / powerOfTen(scale);
            }
          }
        }
      } else if (leftKind === VALUE.float || rightKind === VALUE.float) {
        kind = floatResult(operator, leftKind, a.numbers[row], rightKind, b.numbers[row]);
        numbers[row] = computed.number;
      } else if (!addsScales && leftKind !== VALUE.opaque) {
        kind = movedTime(operator === OPERATOR.add, leftKind, a.numbers[row], rightKind, b.numbers[row]);
        numbers[row] = moved.number;
      }
      kinds[row] = kind;
      if (kind < lowest) lowest = kind;
      if (kind > highest) highest = kind;
    }
    vector.lowest = lowest;
    vector.highest = highest;
    return vector;
  };
}

/**
 * Second result of {@link floatResult}: the number. A shared object, to allocate nothing per row.
 */
const computed = { number: 0 };

/**
 * Computes with a float on one side at least: returns the kind of the result, and leaves its number
 * in {@link computed}. Rounding the sum, difference or product of two floats to a double and then
 * to a float rounds once: a double has more than twice the digits.
 */
function floatResult(operator: Operator, leftKind: number, left: number, rightKind: number, right: number): number {
  if (!isFloatPair(leftKind, rightKind)) return VALUE.opaque;
  const isDouble = leftKind === VALUE.double || rightKind === VALUE.double;
  const result = applied(operator, inFloats(leftKind, left), inFloats(rightKind, right));
  computed.number = isDouble ? result : Math.fround(result);
  return Number.isNaN(result) ? VALUE.opaque : isDouble ? VALUE.double : VALUE.float;
}

/**
 * Computes rows that are all numbers, with a double on one side of each. Returns false if they are
 * not known to be.
 */
function ofDoubles(operator: Operator, a: NumberVector, b: NumberVector, length: number, into: NumberVector): boolean {
  if (a.lowest < VALUE.double || b.lowest < VALUE.double) return false;
  if (a.highest !== VALUE.double && b.highest !== VALUE.double) return false;
  const { kinds, numbers } = into;
  const left = a.numbers;
  const right = b.numbers;
  let isNumber = true;
  for (let row = 0; row < length; row++) {
    const result = applied(operator, left[row], right[row]);
    numbers[row] = result;
    if (Number.isNaN(result)) isNumber = false;
  }
  kinds.fill(VALUE.double, 0, length);
  if (isNumber) into.setKind(VALUE.double);
  else for (let row = 0; row < length; row++) if (Number.isNaN(numbers[row])) kinds[row] = VALUE.opaque;
  return true;
}

/**
 * Whether one integer of at most 15 digits is a multiple of another. The remainder of doubles is a
 * call of a function; a quotient and a product are exact here if it is 0, and differ if it is not.
 */
function isMultiple(units: number, divisor: number): boolean {
  return Math.round(units / divisor) * divisor === units;
}

export function ofFunction(apply: NumberFunction, argument: NumberProgram, memory: MemoryBudget): NumberProgram {
  const vector = new NumberVector(memory);
  return (batch) => {
    vector.reserve(batch.length);
    apply(argument(batch), batch.length, vector);
    return vector;
  };
}

/** Rounds the quotient of two integers, of which the second one is positive. */
export type ToWhole = (dividend: number, divisor: number) => number;

/** XPath F&O 4.4.2 to 4.4.4. The quotients of integers below 10^15 are rounded to the same side. */
export const ROUNDED_QUOTIENTS: ReadonlyMap<string, ToWhole> = new Map<string, ToWhole>([
  ['FLOOR', (dividend, divisor) => Math.floor(dividend / divisor)],
  ['CEIL', (dividend, divisor) => Math.ceil(dividend / divisor)],
  ['ROUND', (dividend, divisor) => Math.floor((dividend * 2 + divisor) / (divisor * 2))],
]);

/**
 * Compiles a rounded quotient, such as the number of a week in `FLOOR(?days / 7)`: it is exact even
 * if the digits of the quotient do not end.
 */
export function ofRoundedQuotient(
  apply: NumberFunction,
  toWhole: ToWhole,
  left: NumberProgram,
  right: NumberProgram,
  memory: MemoryBudget,
): NumberProgram {
  const program = ofFunction(apply, ofDivision(left, right, memory), memory);
  return (batch) => {
    const vector = program(batch);
    const a = left(batch);
    const b = right(batch);
    const { kinds, numbers } = vector;
    for (let row = 0; row < batch.length; row++) {
      if (kinds[row] !== VALUE.opaque || a.kinds[row] < VALUE.integer || b.kinds[row] < VALUE.integer) continue;
      const shift = scaleOf(b.kinds[row]) - scaleOf(a.kinds[row]);
      const sign = Math.sign(b.numbers[row]);
      const dividend = sign * unitsOf(a.numbers[row], scaleOf(a.kinds[row])) * powerOfTen(Math.max(0, shift));
      const divisor = sign * unitsOf(b.numbers[row], scaleOf(b.kinds[row])) * powerOfTen(Math.max(0, -shift));
      if (!(divisor > 0) || (Math.abs(dividend) + divisor) * 2 >= MAX_UNITS) continue;
      numbers[row] = toWhole(dividend, divisor) + 0;
      kinds[row] = VALUE.decimal;
    }
    vector.lowest = 0;
    return vector;
  };
}

/**
 * Returns the least exponent of a power of ten that a divisor divides, so that every quotient ends
 * after that many digits; -1 if there is none below {@link MAX_ZEROS}.
 */
function zerosFor(divisor: number): number {
  for (let zeros = 0; zeros <= MAX_ZEROS; zeros++) if (powerOfTen(zeros) % divisor === 0) return zeros;
  return -1;
}

const MAX_ZEROS = 6;

/**
 * Compiles division: "xsd:decimal if both operands are xsd:integer" (SPARQL 1.1 section 17.3). A
 * decimal quotient that does not terminate or has more than 15 digits is `opaque`, because the
 * general interpreter rounds it; so is a division by zero.
 */
export function ofDivision(left: NumberProgram, right: NumberProgram, memory: MemoryBudget): NumberProgram {
  const vector = new NumberVector(memory);
  return (batch) => {
    vector.reserve(batch.length);
    const a = left(batch);
    const b = right(batch);
    const { kinds, numbers } = vector;
    let lastDivisor = Number.NaN;
    let lastKind = 0;
    let divisor = 0;
    let zeros = 0;
    let factor = 0;
    for (let row = 0; row < batch.length; row++) {
      const leftKind = a.kinds[row];
      const rightKind = b.kinds[row];
      kinds[row] = VALUE.opaque;
      if (COMPARABLE[leftKind] !== NUMERIC || COMPARABLE[rightKind] !== NUMERIC) continue;
      if (leftKind === VALUE.double || rightKind === VALUE.double) {
        const quotient = a.numbers[row] / b.numbers[row];
        if (Number.isNaN(quotient)) continue;
        kinds[row] = VALUE.double;
        numbers[row] = quotient;
        continue;
      }
      if (b.numbers[row] !== lastDivisor || rightKind !== lastKind) {
        lastDivisor = b.numbers[row];
        lastKind = rightKind;
        divisor = unitsOf(lastDivisor, scaleOf(rightKind));
        zeros = zerosFor(divisor);
        factor = zeros < 0 ? 0 : powerOfTen(zeros) / divisor;
      }
      if (divisor === 0) continue;
      if (zeros >= 0) {
        // Division by a constant such as 50 is a multiplication, here by 2, and a shift.
        const units = unitsOf(a.numbers[row], scaleOf(leftKind)) * factor;
        const scale = scaleOf(leftKind) - scaleOf(rightKind) + zeros;
        if (Math.abs(units) < MAX_UNITS && scale >= 0 && scale <= MAX_SCALE) {
          kinds[row] = VALUE.decimal + scale;
          numbers[row] = (units + 0) / powerOfTen(scale);
          continue;
        }
      }
      let scale = scaleOf(leftKind) - scaleOf(rightKind);
      let units = unitsOf(a.numbers[row], scaleOf(leftKind));
      while (Math.abs(units) < MAX_UNITS && !isMultiple(units, divisor)) {
        units *= 10;
        scale++;
      }
      if (Math.abs(units) >= MAX_UNITS) continue;
      units /= divisor;
      for (; scale < 0; scale++) units *= 10;
      if (Math.abs(units) >= MAX_UNITS || scale > MAX_SCALE) continue;
      kinds[row] = VALUE.decimal + scale;
      numbers[row] = (units + 0) / powerOfTen(scale);
    }
    return vector;
  };
}
