import { compareCodePoints } from '../../model/code-point-order.ts';
import type { DateTime } from './date-time.ts';
import { compareDecimals } from './decimal.ts';
import type { Duration } from './duration.ts';
import { decimalOfValue, floatOfValue, isSameTerm, type TripleParts, type Value } from './value.ts';
import { KIND } from './value-kind.ts';

/**
 * Equality, the operator `=` (section 17.3). Returns undefined for a type error.
 *
 * Extends the table of 17.3, as section 17.3.1 permits: language strings, dates, times, durations
 * and triple terms compare by value, and literals of different known value spaces are unequal. A
 * literal with an unknown datatype or an ill-formed lexical form equals only the same term;
 * comparing it with any other literal without a language is an error (17.4.1.7).
 */
export function equal(left: Value, right: Value): boolean | undefined {
  const { kind } = left;
  if (kind >= KIND.integer && kind <= KIND.double && right.kind >= KIND.integer && right.kind <= KIND.double)
    return numbersEqual(left, right);
  if (kind === KIND.other || right.kind === KIND.other) return otherEqual(left, right);
  if (kind !== right.kind) return durationsEqualOfKinds(left, right);
  switch (kind) {
    case KIND.boolean:
      return left.number === right.number;
    case KIND.langString:
      return (
        left.lexical === right.lexical &&
        left.direction === right.direction &&
        (left.language === right.language || left.language.toLowerCase() === right.language.toLowerCase())
      );
    case KIND.triple:
      return triplesEqual(left.exact as TripleParts, right.exact as TripleParts);
    case KIND.dayTimeDuration:
    case KIND.yearMonthDuration:
    case KIND.duration:
      return durationsEqual(left.exact as Duration, right.exact as Duration);
    case KIND.iri:
    case KIND.blank:
    case KIND.string:
      return left.lexical === right.lexical;
    default:
      return left.number === right.number && (left.exact as DateTime).fraction === (right.exact as DateTime).fraction;
  }
}

/** Like {@link equal}, but also treats undefined operands as errors. */
export function equalOrError(left: Value | undefined, right: Value | undefined): boolean | undefined {
  return left === undefined || right === undefined ? undefined : equal(left, right);
}

function otherEqual(left: Value, right: Value): boolean | undefined {
  // An IRI, blank node or triple term never equals a literal.
  if (left.kind <= KIND.triple || right.kind <= KIND.triple) return false;
  // A string with a language never equals a literal without one (SPARQL 1.0 test suite, open-eq-08
  // and 10 to 12).
  if (left.kind === KIND.langString || right.kind === KIND.langString) return false;
  return isSameTerm(left, right) ? true : undefined;
}

/** XPath F&O 10.4.5: op:duration-equal compares durations across all three types. */
function durationsEqualOfKinds(left: Value, right: Value): boolean {
  return (
    left.kind >= KIND.dayTimeDuration &&
    right.kind >= KIND.dayTimeDuration &&
    durationsEqual(left.exact as Duration, right.exact as Duration)
  );
}

function durationsEqual(left: Duration, right: Duration): boolean {
  return left.months === right.months && compareDecimals(left.seconds, right.seconds) === 0;
}

/**
 * Any unequal part makes the result false; otherwise, a part that cannot be compared makes it an
 * error.
 */
function triplesEqual(left: TripleParts, right: TripleParts): boolean | undefined {
  const subject = equal(left.subject, right.subject);
  if (subject === false) return false;
  const predicate = equal(left.predicate, right.predicate);
  if (predicate === false) return false;
  const object = equal(left.object, right.object);
  if (object === false) return false;
  return subject && predicate && object;
}

/**
 * Numeric type promotion (XPath 2.0 appendix B.1): to double if either side is a double, else to
 * float if either is a float, else exact.
 */
function numbersEqual(left: Value, right: Value): boolean {
  if (left.exact === undefined && right.exact === undefined) {
    if (left.number === right.number) return true;
    // A value that is not exactly a float may equal one after rounding.
    return isFloatComparison(left, right) && Math.fround(left.number) === Math.fround(right.number);
  }
  return compareNumbers(left, right) === 0;
}

function isFloatComparison(left: Value, right: Value): boolean {
  return (
    left.kind !== KIND.double && right.kind !== KIND.double && (left.kind === KIND.float || right.kind === KIND.float)
  );
}

/**
 * Compares two numeric values. Returns a negative number, zero, a positive number, or NaN if either
 * value is NaN.
 */
export function compareNumbers(left: Value, right: Value): number {
  let a = left.number;
  let b = right.number;
  if (left.exact !== undefined || right.exact !== undefined || left.kind === KIND.float || right.kind === KIND.float) {
    if (left.kind <= KIND.decimal && right.kind <= KIND.decimal) {
      // Rounding is monotonic: numbers that differ as doubles have the same order exactly.
      if (a === b) return compareDecimals(decimalOfValue(left), decimalOfValue(right));
    } else if (left.kind !== KIND.double && right.kind !== KIND.double) {
      a = floatOfValue(left);
      b = floatOfValue(right);
    }
  }
  return a < b ? -1 : a > b ? 1 : a === b ? 0 : Number.NaN;
}

/** Compares two values of the same kind from `dateTime` to `gMonth`. */
export function compareDateTimes(left: Value, right: Value): number {
  if (left.number !== right.number) return left.number < right.number ? -1 : 1;
  const a = (left.exact as DateTime).fraction;
  const b = (right.exact as DateTime).fraction;
  // Fraction digits have no trailing zeros, so string order equals numeric order.
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Compares two values as `<` and `>` do. Returns a negative number, zero or a positive number; NaN
 * if the values are unordered; undefined for a type error.
 */
export function compareValues(left: Value, right: Value): number | undefined {
  const { kind } = left;
  if (kind >= KIND.integer && kind <= KIND.double)
    return right.kind >= KIND.integer && right.kind <= KIND.double ? compareNumbers(left, right) : undefined;
  if (kind !== right.kind) return undefined;
  switch (kind) {
    case KIND.string:
      return compareCodePoints(left.lexical, right.lexical);
    case KIND.boolean:
      return left.number - right.number;
    case KIND.dateTime:
    case KIND.date:
    case KIND.time:
      return compareDateTimes(left, right);
    case KIND.yearMonthDuration:
      return (left.exact as Duration).months - (right.exact as Duration).months;
    case KIND.dayTimeDuration:
      return compareDecimals((left.exact as Duration).seconds, (right.exact as Duration).seconds);
    default:
      // XPath defines no order for other durations and for parts of dates; SPARQL defines none for
      // IRIs and language strings.
      return undefined;
  }
}

/** The operator `<`. */
export function less(left: Value, right: Value): boolean | undefined {
  const order = compareValues(left, right);
  return order === undefined ? undefined : order < 0;
}
