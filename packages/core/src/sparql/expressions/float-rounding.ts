import {
  compareDecimals,
  type Decimal,
  decimalOf,
  decimalOfNumber,
  multiplyDecimals,
  parseDecimal,
} from './decimal.ts';

/**
 * Rounds an exact number to the nearest float, ties to even (XSD 1.1 part 2, 3.3.4). Rounding to a
 * double first gives the same result unless the double lies halfway between two floats; then the
 * exact number decides.
 *
 * @param double the double nearest to the number
 * @param exact called only for halfway cases; undefined means that the double decides
 */
export function nearestFloat(double: number, exact: () => Decimal | undefined): number {
  const float = Math.fround(double);
  if (float === double || !Number.isFinite(float)) return float;
  // Mirrors the float at the double: the result is itself a float exactly if the double is halfway.
  const other = 2 * double - float;
  if (Math.fround(other) !== other) return float;
  const number = exact();
  const order = number === undefined ? 0 : compareDecimals(number, decimalOfNumber(double));
  if (order === 0) return float;
  return order < 0 ? Math.min(float, other) : Math.max(float, other);
}

/**
 * Returns the exact value of `[+-]?digits[.digits][e digits]`, or undefined if it has too many
 * digits.
 */
export function decimalOfScientific(lexical: string): Decimal | undefined {
  const [digits, exponent = '0'] = lexical.split(/e/i);
  const mantissa = parseDecimal(digits);
  const power = Number(exponent);
  return mantissa && multiplyDecimals(mantissa, power < 0 ? decimalOf(1, -power) : decimalOf(10n ** BigInt(power), 0));
}
