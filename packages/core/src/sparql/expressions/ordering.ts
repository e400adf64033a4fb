import { compareCodePoints } from '../../model/code-point-order.ts';
import { compareDateTimes } from './comparison.ts';
import { addDecimals, compareDecimals, Decimal, decimalOfNumber } from './decimal.ts';
import type { Duration } from './duration.ts';
import { decimalOfValue, type TripleParts, type Value } from './value.ts';
import { KIND, type ValueKind } from './value-kind.ts';

/**
 * The place of each kind in ORDER BY. Section 15.1 fixes unbound, blank nodes, IRIs, literals; the
 * order of the literal types among each other is ours, and triple terms come last. Numbers share
 * one rank and so do durations, since they compare by value across their types.
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
 * The order of ORDER BY, MIN and MAX (section 15.1): negative, zero or positive, and zero only for
 * the same term. It is total: values that `<` leaves equal or undecided are told apart by their
 * terms, so that an answer does not depend on how it was computed. Undefined (unbound, an error) is
 * lowest.
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

/** Same value, or no value at all: datatype, lexical form, language and direction decide. */
function compareTerms(left: Value, right: Value): number {
  return (
    compareCodePoints(left.datatype, right.datatype) ||
    compareCodePoints(left.lexical, right.lexical) ||
    compareCodePoints(left.language, right.language) ||
    compareCodePoints(left.direction, right.direction)
  );
}

/**
 * By exact value, which unlike the promotion of `<` is transitive: an integer above 2^53 is not
 * equal to every double near it. NaN comes first, as XQuery 3.1 section 3.12.8 has it.
 */
function compareNumbersExactly(left: Value, right: Value): number {
  const a = left.number;
  const b = right.number;
  if (a < b) return -1;
  if (a > b) return 1;
  if (a === b) {
    if (left.exact === undefined && right.exact === undefined) return 0;
    // The nearest doubles are equal, so an infinity here stands for a number too big for a double.
    if (!Number.isFinite(a)) return compareBeyondDoubles(left, right);
    return compareDecimals(exactNumber(left), exactNumber(right));
  }
  return Number(Number.isNaN(b)) - Number(Number.isNaN(a));
}

/** Of two numbers that are infinite as doubles, at least one is finite. */
function compareBeyondDoubles(left: Value, right: Value): number {
  if (left.exact !== undefined && right.exact !== undefined)
    return compareDecimals(decimalOfValue(left), decimalOfValue(right));
  const towardsInfinity = left.number > 0 ? 1 : -1;
  return left.exact === undefined ? towardsInfinity : -towardsInfinity;
}

function exactNumber(value: Value): Decimal {
  return value.kind <= KIND.decimal ? decimalOfValue(value) : decimalOfNumber(value.number);
}

/** A twelfth of the mean Gregorian year of 365.2425 days, in seconds. */
const SECONDS_A_MONTH = 2_629_746;

/**
 * XSD orders durations only partly (XSD 1.1 part 2, 3.3.6.1); a month of mean length makes that
 * total.
 */
function compareDurations(left: Duration, right: Duration): number {
  const a = durationSeconds(left);
  const b = durationSeconds(right);
  return compareDecimals(a, b) || left.months - right.months;
}

function durationSeconds({ months, seconds }: Duration): Decimal {
  // Neither part comes near the limit of digits, so the sum exists.
  return addDecimals(new Decimal(months * SECONDS_A_MONTH + 0, 0), seconds) ?? seconds;
}

function compareTriples(left: TripleParts, right: TripleParts): number {
  return (
    compareForOrder(left.subject, right.subject) ||
    compareForOrder(left.predicate, right.predicate) ||
    compareForOrder(left.object, right.object)
  );
}
