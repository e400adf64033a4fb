import { type DateTime, dateTimeAt, dayNumber, daysInMonth, epochSeconds, localSeconds } from './date-time.ts';
import {
  addDecimals,
  compareDecimals,
  Decimal,
  decimalOf,
  decimalOfNumber,
  floorDecimal,
  multiplyDecimals,
  negateDecimal,
  subtractDecimals,
} from './decimal.ts';
import { Duration, hasMonths } from './duration.ts';
import { dateTimeValue, decimalOfValue, durationValue, isNumeric, type Value } from './value.ts';
import { KIND } from './value-kind.ts';

/**
 * Arithmetic on dates and durations: XPath F&O 10.6 to 10.8, which SPARQL 1.1 section 17.3.1
 * permits in place of type errors. All return undefined for an error.
 */
export function addTemporal(left: Value, right: Value): Value | undefined {
  if (isDate(left)) return shiftDate(left, right);
  if (isDate(right)) return shiftDate(right, left);
  return addDurations(left, right);
}

export function subtractTemporal(left: Value, right: Value): Value | undefined {
  if (isDuration(right)) {
    const opposite = negated(right);
    return isDate(left) ? shiftDate(left, opposite) : addDurations(left, opposite);
  }
  return isDate(left) && left.kind === right.kind ? betweenDates(left, right) : undefined;
}

/** Multiplies a duration by a number (XPath F&O 10.6.3, 10.6.8). */
export function multiplyTemporal(left: Value, right: Value): Value | undefined {
  if (isNumeric(left)) return isNumeric(right) ? undefined : multiplyTemporal(right, left);
  if (!isDuration(left) || !isNumeric(right) || !Number.isFinite(right.number)) return undefined;
  const factor = right.kind <= KIND.decimal ? decimalOfValue(right) : decimalOfNumber(right.number);
  const { months, seconds } = left.exact as Duration;
  if (left.kind === KIND.dayTimeDuration) {
    const product = multiplyDecimals(seconds, factor);
    return product && durationValue(new Duration(0, product), left.kind);
  }
  // Multiplies as xs:double, "rounded to the nearest integer", halves up like fn:round (10.6.3).
  // Too many months are an overflow (err:FODT0002).
  const product = Math.round(months * factor.toNumber());
  return hasMonths(product) ? durationValue(new Duration(product + 0, ZERO), left.kind) : undefined;
}

const ZERO = new Decimal(0, 0);
const SECONDS_A_DAY = 86_400;

function isDate(value: Value): boolean {
  return value.kind === KIND.dateTime || value.kind === KIND.date || value.kind === KIND.time;
}

/** XPath arithmetic supports only the two totally ordered duration types. */
function isDuration(value: Value): boolean {
  return value.kind === KIND.dayTimeDuration || value.kind === KIND.yearMonthDuration;
}

function negated(duration: Value): Value {
  const { months, seconds } = duration.exact as Duration;
  return durationValue(new Duration(0 - months, negateDecimal(seconds)), duration.kind);
}

function addDurations(left: Value, right: Value): Value | undefined {
  if (!isDuration(left) || left.kind !== right.kind) return undefined;
  const a = left.exact as Duration;
  const b = right.exact as Duration;
  const seconds = addDecimals(a.seconds, b.seconds);
  const months = a.months + b.months;
  return seconds && hasMonths(months) ? durationValue(new Duration(months, seconds), left.kind) : undefined;
}

/**
 * Adds a duration to a date (XPath F&O 10.8): first the months, then the seconds (XSD 1.1 part 2,
 * E.3.3: the day is capped at the length of the new month).
 */
function shiftDate(date: Value, duration: Value): Value | undefined {
  if (!isDuration(duration)) return undefined;
  const { months, seconds } = duration.exact as Duration;
  if (months !== 0 && date.kind === KIND.time) return undefined;
  const parts = date.exact as DateTime;
  const monthNumber = parts.year * 12 + parts.month - 1 + months;
  const year = Math.floor(monthNumber / 12);
  const month = monthNumber - year * 12 + 1;
  const day = Math.min(parts.day, daysInMonth(year, month));
  const start =
    localSeconds(parts) + (dayNumber(year, month, day) - dayNumber(parts.year, parts.month, parts.day)) * SECONDS_A_DAY;

  const moved = addDecimals(addFraction(start, parts.fraction), seconds);
  if (moved === undefined || Math.abs(moved.toNumber()) > Number.MAX_SAFE_INTEGER) return undefined;
  const whole = floorDecimal(moved);
  let at = Number(whole.units);
  // A date is truncated to whole days, and a time of day wraps around.
  if (date.kind === KIND.date) at = Math.floor(at / SECONDS_A_DAY) * SECONDS_A_DAY;
  if (date.kind === KIND.time) {
    const reference = dayNumber(parts.year, parts.month, parts.day) * SECONDS_A_DAY;
    at = reference + ((((at - reference) % SECONDS_A_DAY) + SECONDS_A_DAY) % SECONDS_A_DAY);
  }
  const fraction = date.kind === KIND.date ? '' : fractionDigits(moved, whole);
  const result = dateTimeAt(at, fraction, parts.offset);
  return result && dateTimeValue(result, date.kind);
}

function betweenDates(left: Value, right: Value): Value | undefined {
  const a = left.exact as DateTime;
  const b = right.exact as DateTime;
  const seconds = subtractDecimals(addFraction(epochSeconds(a), a.fraction), addFraction(epochSeconds(b), b.fraction));
  return seconds && durationValue(new Duration(0, seconds), KIND.dayTimeDuration);
}

/** Combines whole seconds, possibly negative, with a fraction of a second. */
function addFraction(seconds: number, fraction: string): Decimal {
  if (fraction === '') return new Decimal(seconds, 0);
  const scale = fraction.length;
  return decimalOf(BigInt(seconds) * 10n ** BigInt(scale) + BigInt(fraction), scale);
}

function fractionDigits(moved: Decimal, whole: Decimal): string {
  if (compareDecimals(moved, whole) === 0) return '';
  const rest = subtractDecimals(moved, whole)!;
  return rest.toString().slice('0.'.length);
}
