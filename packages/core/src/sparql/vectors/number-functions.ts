import { COMPARABLE, NUMERIC, VALUE } from '../../contracts/value-column.ts';
import { dateOfDay, SECONDS_A_DAY } from '../expressions/date-time.ts';

/** Second result of a {@link NumberFunction}: the number. */
export const computed: { number: number } = { number: 0 };

/**
 * A function of one value, which is given as in a `ValueColumn`. Returns the kind of the result and
 * leaves its number in {@link computed}. The kind is `opaque` if the result is an error or cannot
 * be represented by a number.
 */
export type NumberFunction = (kind: number, number: number) => number;

function result(kind: number, number: number): number {
  computed.number = number;
  return kind;
}

/**
 * Unary minus and ABS, which keep the type (XPath F&O 4.2.8 and 4.4.1). Adding 0 turns -0 into 0:
 * only doubles have a negative zero.
 */
function signed(apply: (number: number) => number): NumberFunction {
  return (kind, number) => {
    if (COMPARABLE[kind] !== NUMERIC) return VALUE.opaque;
    return result(kind, kind === VALUE.double ? apply(number) : apply(number) + 0);
  };
}

/**
 * Rounds to a whole number of the same type (XPath F&O 4.4.2 to 4.4.4). Rounding the nearest double
 * of a decimal is exact: halves are doubles, so both are on the same side of every half.
 */
function rounded(round: (number: number) => number): NumberFunction {
  return (kind, number) => {
    if (kind === VALUE.integer) return result(kind, number);
    if (kind === VALUE.double) return result(kind, round(number));
    return kind >= VALUE.decimal ? result(VALUE.decimal, round(number) + 0) : VALUE.opaque;
  };
}

/**
 * Part of the time of a dateTime in UTC or without a time zone. With another time zone, the
 * functions return local time, which the number does not contain.
 */
function ofTime(part: (second: number) => number): NumberFunction {
  return (kind, number) => {
    if (kind !== VALUE.dateTime && kind !== VALUE.dateTimeFraction) return VALUE.opaque;
    return result(VALUE.integer, part(number - Math.floor(number / SECONDS_A_DAY) * SECONDS_A_DAY));
  };
}

/** Part of the day of such a dateTime, or of a date. */
function ofDay(part: 0 | 1 | 2): NumberFunction {
  return (kind, number) => {
    if (kind !== VALUE.dateTime && kind !== VALUE.dateTimeFraction && kind !== VALUE.date) return VALUE.opaque;
    return result(VALUE.integer, dateOfDay(Math.floor(number / SECONDS_A_DAY))[part]);
  };
}

/** SECONDS returns an xsd:decimal with the fraction, so only whole seconds are computed here. */
function seconds(kind: number, number: number): number {
  if (kind !== VALUE.dateTime) return VALUE.opaque;
  return result(VALUE.decimal, number - Math.floor(number / 60) * 60);
}

/** The functions of one argument that are computed on vectors (sections 17.4.4 and 17.4.5). */
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
