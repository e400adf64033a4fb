import {
  compareDecimals,
  type Decimal,
  decimalOf,
  decimalOfNumber,
  multiplyDecimals,
  parseDecimal,
} from './decimal.ts';

/**
 * The float nearest to an exact number, of two the one whose last bit is 0 (XSD 1.1 part 2, 3.3.4).
 * Rounding to a double first and then to a float is the same, unless the double lies half way
 * between two floats: then the number itself decides.
 *
 * @param double the double nearest to the number
 * @param exact asked for half way only; undefined leaves the double to decide
 */
export function nearestFloat(double: number, exact: () => Decimal | undefined): number {
  const float = Math.fround(double);
  if (float === double || !Number.isFinite(float)) return float;
  // As far behind the double as the float is before it: a float too when the double is half way.
  const other = 2 * double - float;
  if (Math.fround(other) !== other) return float;
  const number = exact();
  const order = number === undefined ? 0 : compareDecimals(number, decimalOfNumber(double));
  if (order === 0) return float;
  return order < 0 ? Math.min(float, other) : Math.max(float, other);
}

/** The exact value of `[+-]?digits[.digits][e digits]`; undefined when that has too many digits. */
export function decimalOfScientific(lexical: string): Decimal | undefined {
  const [digits, exponent = '0'] = lexical.split(/e/i);
  const mantissa = parseDecimal(digits);
  const power = Number(exponent);
  return mantissa && multiplyDecimals(mantissa, power < 0 ? decimalOf(1, -power) : decimalOf(10n ** BigInt(power), 0));
}
