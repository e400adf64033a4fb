import { XSD_INTEGER } from '../../model/vocabulary.ts';
import { addTemporal, multiplyTemporal, subtractTemporal } from './date-arithmetic.ts';
import {
  addDecimals,
  ceilDecimal,
  type Decimal,
  divideDecimals,
  floorDecimal,
  multiplyDecimals,
  negateDecimal,
  roundDecimal,
  subtractDecimals,
} from './decimal.ts';
import {
  decimalOfValue,
  doubleValue,
  exactValue,
  floatOfValue,
  floatValue,
  integerValue,
  isNumeric,
  type Value,
} from './value.ts';
import { KIND } from './value-kind.ts';

/**
 * Arithmetic operators (section 17.3; XPath F&O 4.2). Types are promoted integer -> decimal ->
 * float -> double (XPath 2.0 appendix B.1); types derived from xsd:integer yield xsd:integer. All
 * return undefined for an error: a non-numeric operand, a division by zero or an overflow.
 */
export function add(left: Value, right: Value): Value | undefined {
  if (isPlainInteger(left) && isPlainInteger(right)) {
    const sum = left.number + right.number;
    if (Number.isSafeInteger(sum)) return integerValue(sum);
  }
  if (!isNumeric(left) || !isNumeric(right)) return addTemporal(left, right);
  return isExact(left, right)
    ? exactResult(addDecimals(decimalOfValue(left), decimalOfValue(right)), left, right)
    : floatingResult(operand(left, right) + operand(right, left), left, right);
}

export function subtract(left: Value, right: Value): Value | undefined {
  if (isPlainInteger(left) && isPlainInteger(right)) {
    const difference = left.number - right.number;
    if (Number.isSafeInteger(difference)) return integerValue(difference);
  }
  if (!isNumeric(left) || !isNumeric(right)) return subtractTemporal(left, right);
  return isExact(left, right)
    ? exactResult(subtractDecimals(decimalOfValue(left), decimalOfValue(right)), left, right)
    : floatingResult(operand(left, right) - operand(right, left), left, right);
}

export function multiply(left: Value, right: Value): Value | undefined {
  if (isPlainInteger(left) && isPlainInteger(right)) {
    const product = left.number * right.number;
    if (Number.isSafeInteger(product)) return integerValue(product);
  }
  if (!isNumeric(left) || !isNumeric(right)) return multiplyTemporal(left, right);
  return isExact(left, right)
    ? exactResult(multiplyDecimals(decimalOfValue(left), decimalOfValue(right)), left, right)
    : floatingResult(operand(left, right) * operand(right, left), left, right);
}

/** "xsd:decimal if both operands are xsd:integer" (section 17.3). */
export function divide(left: Value, right: Value): Value | undefined {
  if (!isNumeric(left) || !isNumeric(right)) return undefined;
  if (!isExact(left, right)) return floatingResult(operand(left, right) / operand(right, left), left, right);
  const quotient = divideDecimals(decimalOfValue(left), decimalOfValue(right));
  return quotient && exactValue(quotient);
}

export function negate(value: Value): Value | undefined {
  switch (value.kind) {
    case KIND.integer:
    case KIND.decimal:
      return exactLike(negateDecimal(decimalOfValue(value)), value);
    case KIND.float:
      return floatValue(-value.number);
    case KIND.double:
      return doubleValue(-value.number);
    default:
      return undefined;
  }
}

/**
 * Unary plus: `+?x` is `?x` for any number (XPath F&O 4.2.7). Like the other operators, it turns a
 * derived integer into an xsd:integer.
 */
export function plus(value: Value): Value | undefined {
  if (!isNumeric(value)) return undefined;
  return value.kind === KIND.integer && value.datatype !== XSD_INTEGER
    ? exactLike(decimalOfValue(value), value)
    : value;
}

export function absolute(value: Value): Value | undefined {
  if (!isNumeric(value)) return undefined;
  // Twice, so that the result has the canonical form, whatever the argument had.
  const negated = negate(value);
  return value.number < 0 || Object.is(value.number, -0) ? negated : negated && negate(negated);
}

/** Section 17.4.4.3. Any integer type yields xsd:integer. */
export function ceil(value: Value): Value | undefined {
  return roundWith(value, ceilDecimal, Math.ceil);
}

export function floor(value: Value): Value | undefined {
  return roundWith(value, floorDecimal, Math.floor);
}

/**
 * Section 17.4.4.2: rounds halves up. `Math.round` does so for every double, and preserves the sign
 * of zero as XPath F&O 4.4.4 requires.
 */
export function round(value: Value): Value | undefined {
  return roundWith(value, roundDecimal, Math.round);
}

function roundWith(
  value: Value,
  exact: (value: Decimal) => Decimal,
  floating: (value: number) => number,
): Value | undefined {
  switch (value.kind) {
    case KIND.integer:
      return exactLike(decimalOfValue(value), value);
    case KIND.decimal:
      return exactValue(exact(decimalOfValue(value)));
    case KIND.float:
      return floatValue(floating(value.number));
    case KIND.double:
      return doubleValue(floating(value.number));
    default:
      return undefined;
  }
}

function isPlainInteger(value: Value): boolean {
  return value.kind === KIND.integer && value.exact === undefined;
}

function isExact(left: Value, right: Value): boolean {
  return left.kind <= KIND.decimal && right.kind <= KIND.decimal;
}

/**
 * Returns a number promoted for the other operand: exact numbers become floats if neither operand
 * is a double.
 */
function operand(value: Value, partner: Value): number {
  return value.kind !== KIND.double && partner.kind !== KIND.double ? floatOfValue(value) : value.number;
}

function exactResult(result: Decimal | undefined, left: Value, right: Value): Value | undefined {
  if (result === undefined) return undefined;
  return left.kind === KIND.integer && right.kind === KIND.integer ? integerOf(result) : exactValue(result);
}

function exactLike(result: Decimal, like: Value): Value {
  return like.kind === KIND.integer ? integerOf(result) : exactValue(result);
}

function integerOf(value: Decimal): Value {
  return exactValue(value, KIND.integer, XSD_INTEGER);
}

function floatingResult(result: number, left: Value, right: Value): Value {
  return left.kind === KIND.double || right.kind === KIND.double ? doubleValue(result) : floatValue(result);
}
