import { compareCodePoints } from '../../model/code-point-order.ts';
import { compareDateTimes } from './comparison.ts';
import { addDecimals, compareDecimals, Decimal, decimalOfNumber } from './decimal.ts';
import type { Duration } from './duration.ts';
import { decimalOfValue, type TripleParts, type Value } from './value.ts';
import { KIND, type ValueKind } from './value-kind.ts';

/**
 * Rank of each kind in ORDER BY. Section 15.1 fixes the order unbound, blank nodes, IRIs, literals;
 * the order among literal types is implementation-defined, and triple terms come last. Numeric
 * types share one rank, as do durations, because they compare by value across types.
 */
const RANKS = rankTable([
  [KIND.blank],
  [KIND.iri],
  [KIND.integer, KIND.decimal, KIND.float, KIND.double],
  [KIND.dateTime],
  [KIND.date],
  [KIND.time],
  [KIND.gYear],
  [KIND.gYearMonth],
  [KIND.gMonthDay],
  [KIND.gDay],
  [KIND.gMonth],
  [KIND.dayTimeDuration, KIND.yearMonthDuration, KIND.duration],
  [KIND.boolean],
  [KIND.string],
  [KIND.langString],
  [KIND.other],
  [KIND.triple],
]);

function rankTable(rows: readonly (readonly ValueKind[])[]): Uint8Array {
  const ranks = new Uint8Array(rows.flat().length);
  for (const [rank, kinds] of rows.entries()) for (const kind of kinds) ranks[kind] = rank;
  return ranks;
}

/**
 * Compares two values for ORDER BY, MIN and MAX (section 15.1). Returns a negative number, zero or
 * a positive number; zero only for the same term. The order is total: values that `<` leaves equal
 * or undecided are ordered by their terms, so results do not depend on the execution order.
 * Undefined (unbound or an error) is lowest.
 */
export function compareForOrder(left: Value | undefined, right: Value | undefined): number {
  if (left === right) return 0;
  if (left === undefined) return -1;
  if (right === undefined) return 1;
  const rank = RANKS[left.kind];
  if (rank !== RANKS[right.kind]) return rank - RANKS[right.kind];
  return compareWithinRank(left, right) || compareTerms(left, right);
}

function compareWithinRank(left: Value, right: Value): number {
  switch (left.kind) {
    case KIND.integer:
    case KIND.decimal:
    case KIND.float:
    case KIND.double:
      return compareNumbersExactly(left, right);
    case KIND.boolean:
      return left.number - right.number;
    case KIND.blank:
    case KIND.iri:
    case KIND.string:
    case KIND.langString:
      return compareCodePoints(left.lexical, right.lexical);
    case KIND.dayTimeDuration:
    case KIND.yearMonthDuration:
    case KIND.duration:
      return compareDurations(left.exact as Duration, right.exact as Duration);
    case KIND.triple:
      return compareTriples(left.exact as TripleParts, right.exact as TripleParts);
    case KIND.other:
      return compareCodePoints(left.datatype, right.datatype);
    default:
      return compareDateTimes(left, right);
  }
}

/**
 * Breaks ties between equal or incomparable values: by datatype, lexical form, language and
 * direction.
 */
function compareTerms(left: Value, right: Value): number {
  return (
    compareCodePoints(left.datatype, right.datatype) ||
    compareCodePoints(left.lexical, right.lexical) ||
    compareCodePoints(left.language, right.language) ||
    compareCodePoints(left.direction, right.direction)
  );
}

/**
 * Compares exact values. Unlike the promotion of `<`, this is transitive: an integer above 2^53
 * does not equal every double near it. NaN comes first, as in XQuery 3.1 section 3.12.8.
 */
function compareNumbersExactly(left: Value, right: Value): number {
  const a = left.number;
  const b = right.number;
  if (a < b) return -1;
  if (a > b) return 1;
  if (a === b) {
    if (left.exact === undefined && right.exact === undefined) return 0;
    // The nearest doubles are equal. An infinity here may stand for a number too large for a
    // double.
    if (!Number.isFinite(a)) return compareBeyondDoubles(left, right);
    return compareDecimals(exactNumber(left), exactNumber(right));
  }
  return Number(Number.isNaN(b)) - Number(Number.isNaN(a));
}

/** Compares two numbers that are infinite as doubles, at least one of which is finite. */
function compareBeyondDoubles(left: Value, right: Value): number {
  if (left.exact !== undefined && right.exact !== undefined)
    return compareDecimals(decimalOfValue(left), decimalOfValue(right));
  const towardsInfinity = left.number > 0 ? 1 : -1;
  return left.exact === undefined ? towardsInfinity : -towardsInfinity;
}

function exactNumber(value: Value): Decimal {
  return value.kind <= KIND.decimal ? decimalOfValue(value) : decimalOfNumber(value.number);
}

/** Seconds in a twelfth of the mean Gregorian year of 365.2425 days. */
const SECONDS_A_MONTH = 2_629_746;

/**
 * XSD defines only a partial order of durations (XSD 1.1 part 2, 3.3.6.1); months of mean length
 * make it total.
 */
function compareDurations(left: Duration, right: Duration): number {
  const a = durationSeconds(left);
  const b = durationSeconds(right);
  return compareDecimals(a, b) || left.months - right.months;
}

function durationSeconds({ months, seconds }: Duration): Decimal {
  // Both parts are far below the digit limit, so the sum is defined.
  return addDecimals(new Decimal(months * SECONDS_A_MONTH + 0, 0), seconds) ?? seconds;
}

function compareTriples(left: TripleParts, right: TripleParts): number {
  return (
    compareForOrder(left.subject, right.subject) ||
    compareForOrder(left.predicate, right.predicate) ||
    compareForOrder(left.object, right.object)
  );
}
