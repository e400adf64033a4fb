import { COMPARABLE, NUMERIC, VALUE } from '../../contracts/value-column.ts';
import { dateOfDay, SECONDS_A_DAY } from '../expressions/date-time.ts';

/** The number of the last result of a {@link NumberFunction}. */
export const computed: { number: number } = { number: 0 };

/**
 * Applies a function to a value, given as in a `ValueColumn`: returns the kind of the result, and
 * leaves its number in {@link computed}. The kind is `opaque` if the result is an error or has no
 * number.
 */
export type NumberFunction = (kind: number, number: number) => number;

function result(kind: number, number: number): number {
  computed.number = number;
  return kind;
}

/**
 * Numbers keep their type (XPath F&O 4.2.8 and 4.4.1). There is no negative zero but of doubles.
 */
function signed(apply: (number: number) => number): NumberFunction {
  return (kind, number) => {
    if (COMPARABLE[kind] !== NUMERIC) return VALUE.opaque;
    return result(kind, kind === VALUE.double ? apply(number) : apply(number) + 0);
  };
}

/**
 * Rounds to a whole number of the same type (XPath F&O 4.4.2 to 4.4.4). The nearest double of a
 * decimal is on the same side of each half as the decimal, as those are doubles themselves.
 */
function rounded(round: (number: number) => number): NumberFunction {
  return (kind, number) => {
    if (kind === VALUE.integer) return result(kind, number);
    if (kind === VALUE.double) return result(kind, round(number));
    return kind >= VALUE.decimal ? result(VALUE.decimal, round(number) + 0) : VALUE.opaque;
  };
}

/** A part of the time of a dateTime in UTC or without a time zone; others tell their local time. */
function ofTime(part: (second: number) => number): NumberFunction {
  return (kind, number) => {
    if (kind !== VALUE.dateTime && kind !== VALUE.dateTimeFraction) return VALUE.opaque;
    return result(VALUE.integer, part(number - Math.floor(number / SECONDS_A_DAY) * SECONDS_A_DAY));
  };
}

/** A part of the day of such a dateTime, or of a date. */
function ofDay(part: 0 | 1 | 2): NumberFunction {
  return (kind, number) => {
    if (kind !== VALUE.dateTime && kind !== VALUE.dateTimeFraction && kind !== VALUE.date) return VALUE.opaque;
    return result(VALUE.integer, dateOfDay(Math.floor(number / SECONDS_A_DAY))[part]);
  };
}

/** An xsd:decimal, with the fraction, which is not known here. */
function seconds(kind: number, number: number): number {
  if (kind !== VALUE.dateTime) return VALUE.opaque;
  return result(VALUE.decimal, number - Math.floor(number / 60) * 60);
}

/** The functions of one argument that work on vectors; see sections 17.4.4 and 17.4.5. */
export const NUMBER_FUNCTIONS: ReadonlyMap<string, NumberFunction> = new Map<string, NumberFunction>([
  ['unary-', signed((number) => -number)],
  ['ABS', signed(Math.abs)],
  ['CEIL', rounded(Math.ceil)],
  ['FLOOR', rounded(Math.floor)],
  ['ROUND', rounded(Math.round)],
  ['YEAR', ofDay(0)],
  ['MONTH', ofDay(1)],
  ['DAY', ofDay(2)],
  ['HOURS', ofTime((second) => Math.floor(second / 3600))],
  ['MINUTES', ofTime((second) => Math.floor(second / 60) % 60)],
  ['SECONDS', seconds],
]);
