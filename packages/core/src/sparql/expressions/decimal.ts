/**
 * An exact decimal number: `units / 10 ** scale`, in lowest terms (no trailing zero in `units`
 * while `scale > 0`), so equal values have equal fields. `units` is a JavaScript number while it is
 * a safe integer, which is the fast path for sums of prices and the like.
 *
 * Operations that would need more than {@link MAX_DIGITS} digits return undefined (XPath F&O 4.2,
 * err:FOAR0002, overflow).
 */
export class Decimal {
  readonly units: number | bigint;
  readonly scale: number;

  /** Requires parts in lowest terms; use {@link decimalOf} to normalize others. */
  constructor(units: number | bigint, scale: number) {
    this.units = units;
    this.scale = scale;
  }

  /**
   * Returns the canonical form (XSD 1.1 part 2, 3.3.3), which has no decimal point for integers.
   */
  toString(): string {
    const { units, scale } = this;
    if (scale === 0) return String(units);
    const negative = units < 0;
    const digits = String(negative ? -units : units).padStart(scale + 1, '0');
    const point = digits.length - scale;
    return `${negative ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point)}`;
  }

  /** Returns the nearest double. */
  toNumber(): number {
    if (this.scale === 0) return Number(this.units);
    return typeof this.units === 'number' && this.scale <= 22
      ? // Both are exact doubles, and a division rounds once.
        this.units / 10 ** this.scale
      : Number(this.toString());
  }
}

/**
 * Maximum number of digits before and after the decimal point together. XSD 1.1 part 2, 5.4
 * requires 16.
 */
export const MAX_DIGITS = 10_000;

/** Minimum number of fraction digits of a quotient that does not terminate earlier. */
const QUOTIENT_DIGITS = 18;

const ZERO = new Decimal(0, 0);
const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

const POWERS: bigint[] = [];

function powerOfTen(exponent: number): bigint {
  return (POWERS[exponent] ??= 10n ** BigInt(exponent));
}

export function decimalOf(units: number | bigint, scale: number): Decimal {
  if (typeof units === 'bigint') {
    if (units <= MAX_SAFE && units >= -MAX_SAFE) return decimalOf(Number(units), scale);
    while (scale > 0 && units % 10n === 0n) {
      units /= 10n;
      scale -= 1;
    }
    return units <= MAX_SAFE && units >= -MAX_SAFE ? new Decimal(Number(units), scale) : new Decimal(units, scale);
  }
  if (units === 0) return ZERO;
  while (scale > 0 && units % 10 === 0) {
    units /= 10;
    scale -= 1;
  }
  return new Decimal(units, scale);
}

/**
 * Parses `[+-]?digits[.digits]`; the caller must have validated the syntax. Returns undefined for
 * more than {@link MAX_DIGITS} digits.
 */
export function parseDecimal(lexical: string): Decimal | undefined {
  const negative = lexical.charCodeAt(0) === 0x2d;
  const start = negative || lexical.charCodeAt(0) === 0x2b ? 1 : 0;
  const point = lexical.indexOf('.', start);
  const digits =
    point < 0 ? lexical.slice(start) : lexical.slice(start, point) + lexical.slice(point + 1).replace(/0+$/, '');
  const scale = point < 0 ? 0 : digits.length - (point - start);
  if (digits.length <= 15) return decimalOf(negative ? -Number(digits) : Number(digits), scale);
  const significant = digits.replace(/^0+/, '');
  if (significant.length > MAX_DIGITS || scale > MAX_DIGITS) return undefined;
  const units = BigInt(significant || '0');
  return decimalOf(negative ? -units : units, scale);
}

/** Returns the exact value of a finite double, which always has a finite decimal expansion. */
export function decimalOfNumber(value: number): Decimal {
  if (Number.isSafeInteger(value)) return value === 0 ? ZERO : new Decimal(value, 0);
  if (Number.isInteger(value)) return new Decimal(BigInt(value), 0);
  let scale = 0;
  while (!Number.isInteger(value)) {
    value *= 2;
    scale += 1;
  }
  return decimalOf(BigInt(value) * 5n ** BigInt(scale), scale);
}

function unitsAt(value: Decimal, scale: number): bigint {
  return BigInt(value.units) * powerOfTen(scale - value.scale);
}

function bounded(units: bigint, scale: number): Decimal | undefined {
  const result = decimalOf(units, scale);
  if (typeof result.units === 'number') return result.scale > MAX_DIGITS ? undefined : result;
  // Two hexadecimal digits hold fewer than 2.5 decimal digits: cheap to compute, and accurate
  // enough for a limit.
  const digits = result.units.toString(16).length * 1.2;
  return digits > MAX_DIGITS || result.scale > MAX_DIGITS ? undefined : result;
}

export function negateDecimal(value: Decimal): Decimal {
  return value.units === 0 ? value : new Decimal(-value.units, value.scale);
}

export function addDecimals(left: Decimal, right: Decimal): Decimal | undefined {
  if (typeof left.units === 'number' && typeof right.units === 'number') {
    const distance = left.scale - right.scale;
    if (distance <= 15 && distance >= -15) {
      const a = distance < 0 ? left.units * 10 ** -distance : left.units;
      const b = distance > 0 ? right.units * 10 ** distance : right.units;
      const sum = a + b;
      if (Number.isSafeInteger(a) && Number.isSafeInteger(b) && Number.isSafeInteger(sum))
        return decimalOf(sum, distance > 0 ? left.scale : right.scale);
    }
  }
  const scale = Math.max(left.scale, right.scale);
  return bounded(unitsAt(left, scale) + unitsAt(right, scale), scale);
}

export function subtractDecimals(left: Decimal, right: Decimal): Decimal | undefined {
  return addDecimals(left, negateDecimal(right));
}

export function multiplyDecimals(left: Decimal, right: Decimal): Decimal | undefined {
  const scale = left.scale + right.scale;
  if (typeof left.units === 'number' && typeof right.units === 'number') {
    const product = left.units * right.units;
    if (Number.isSafeInteger(product)) return decimalOf(product, scale);
  }
  return bounded(BigInt(left.units) * BigInt(right.units), scale);
}

function digitCount(units: bigint): number {
  return (units < 0n ? -units : units).toString().length;
}

/**
 * Divides, rounding half to even after 18 fraction digits or 18 significant digits, whichever is
 * more precise (XPath F&O 4.2.4 leaves the precision to the implementation). Returns undefined for
 * a division by zero.
 */
export function divideDecimals(left: Decimal, right: Decimal): Decimal | undefined {
  if (right.units === 0) return undefined;
  if (left.scale === 0 && right.scale === 0 && typeof left.units === 'number' && typeof right.units === 'number') {
    if (left.units % right.units === 0) return decimalOf(left.units / right.units + 0, 0);
  }
  if (typeof left.units === 'number' && typeof right.units === 'number' && Math.abs(right.units) <= MAX_DIVISOR) {
    const quotient = divideNumbers(left as ShortDecimal, right as ShortDecimal);
    if (quotient) return quotient;
  }
  let numerator = BigInt(left.units);
  let denominator = BigInt(right.units);
  const smallness = digitCount(denominator) - digitCount(numerator) + left.scale - right.scale;
  const scale = Math.max(QUOTIENT_DIGITS, QUOTIENT_DIGITS + smallness);
  if (scale > MAX_DIGITS) return ZERO;
  const shift = scale + right.scale - left.scale;
  if (shift >= 0) numerator *= powerOfTen(shift);
  else denominator *= powerOfTen(-shift);
  return bounded(divideHalfEven(numerator, denominator), scale);
}

/** A decimal whose units are a safe integer. */
type ShortDecimal = Decimal & { readonly units: number };

/** Integers with this many digits are safe. */
const SAFE_DIGITS = 15;
const ZERO_DIGIT = 0x30;
/** Number of digits of a quotient that are computed at once. */
const DIGITS_AT_ONCE = 9;
/** Remainders of such a divisor, with that many zeros appended, are safe integers. */
const MAX_DIVISOR = Math.floor(Number.MAX_SAFE_INTEGER / 10 ** DIGITS_AT_ONCE);

/**
 * Long division on safe integers, with the result of {@link divideDecimals}: several times as fast
 * as on big integers, which matters for the means of many groups. Returns undefined if the dividend
 * would have to be shortened.
 */
function divideNumbers(left: ShortDecimal, right: ShortDecimal): Decimal | undefined {
  const numerator = Math.abs(left.units);
  const denominator = Math.abs(right.units);
  const smallness = String(denominator).length - String(numerator).length + left.scale - right.scale;
  let scale = Math.max(QUOTIENT_DIGITS, QUOTIENT_DIGITS + smallness);
  let missing = scale + right.scale - left.scale;
  if (missing < 0 || scale > MAX_DIGITS) return undefined;
  let remainder = numerator % denominator;
  let digits = String((numerator - remainder) / denominator);
  while (remainder > 0 && missing > 0) {
    const count = Math.min(DIGITS_AT_ONCE, missing);
    const dividend = remainder * 10 ** count;
    remainder = dividend % denominator;
    digits += String((dividend - remainder) / denominator).padStart(count, '0');
    missing -= count;
  }
  scale -= missing;
  // A quotient that ends early may have fewer fraction digits than the divisor has.
  if (scale < 0) {
    digits += '0'.repeat(-scale);
    scale = 0;
  }
  let end = digits.length;
  const isOdd = (digits.charCodeAt(end - 1) & 1) === 1;
  const isUp = remainder * 2 > denominator || (remainder * 2 === denominator && isOdd);
  if (!isUp) {
    for (; scale > 0 && end > 1 && digits.charCodeAt(end - 1) === ZERO_DIGIT; scale--) end--;
  }
  const text = digits.slice(0, end);
  const isNegative = left.units < 0 !== right.units < 0;
  if (!isUp && end <= SAFE_DIGITS) return decimalOf(isNegative ? 0 - Number(text) : Number(text), scale);
  const units = BigInt(text) + (isUp ? 1n : 0n);
  return decimalOf(isNegative ? -units : units, scale);
}

function divideHalfEven(numerator: bigint, denominator: bigint): bigint {
  if (denominator < 0n) {
    numerator = -numerator;
    denominator = -denominator;
  }
  const quotient = numerator / denominator;
  const remainder = numerator - quotient * denominator;
  const twice = (remainder < 0n ? -remainder : remainder) * 2n;
  const away = numerator < 0n ? -1n : 1n;
  if (twice > denominator || (twice === denominator && (quotient & 1n) === 1n)) return quotient + away;
  return quotient;
}

/** Returns a negative number, zero or a positive number. */
export function compareDecimals(left: Decimal, right: Decimal): number {
  if (left.scale === right.scale) return left.units < right.units ? -1 : left.units > right.units ? 1 : 0;
  if (left.units < 0 !== right.units < 0) return left.units < 0 ? -1 : 1;
  const scale = Math.max(left.scale, right.scale);
  const a = unitsAt(left, scale);
  const b = unitsAt(right, scale);
  return a < b ? -1 : a > b ? 1 : 0;
}

export function floorDecimal(value: Decimal): Decimal {
  if (value.scale === 0) return value;
  const units = BigInt(value.units);
  const unit = powerOfTen(value.scale);
  const truncated = units / unit;
  return decimalOf(units < 0n && truncated * unit !== units ? truncated - 1n : truncated, 0);
}

export function ceilDecimal(value: Decimal): Decimal {
  return negateDecimal(floorDecimal(negateDecimal(value)));
}

export function truncateDecimal(value: Decimal): Decimal {
  return value.units < 0 ? ceilDecimal(value) : floorDecimal(value);
}

/** XPath F&O 4.4.4 fn:round: halves round towards positive infinity. */
export function roundDecimal(value: Decimal): Decimal {
  if (value.scale === 0) return value;
  const doubled = BigInt(value.units) * 2n + powerOfTen(value.scale);
  return floorDecimal(decimalOf(doubled * 5n, value.scale + 1));
}
