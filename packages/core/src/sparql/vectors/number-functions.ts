import { COMPARABLE, MAX_UNITS, NUMERIC, VALUE } from '../../contracts/value-column.ts';
import { XSD_DATE, XSD_DECIMAL, XSD_DOUBLE, XSD_INTEGER } from '../../model/vocabulary.ts';
import { SECONDS_A_DAY } from '../expressions/date-time.ts';
import { DatesOfDays } from './dates-of-days.ts';
import type { NumberVector } from './number-vector.ts';

/**
 * A function of one value, for the rows `0 .. length - 1` of a vector: writes kinds and numbers to
 * `into`, which has room for them, and may set the bounds of its kinds. The kind is `opaque` if the
 * result is an error or cannot be represented by a number.
 */
export type NumberFunction = (values: NumberVector, length: number, into: NumberVector) => void;

/**
 * Unary minus and ABS, which keep the type (XPath F&O 4.2.8 and 4.4.1). Adding 0 turns -0 into 0:
 * only doubles have a negative zero.
 */
function signed(isAbsolute: boolean): NumberFunction {
  return (values, length, into) => {
    const { kinds, numbers } = into;
    if (values.lowest >= VALUE.double) {
      into.lowest = values.lowest;
      into.highest = values.highest;
    }
    for (let row = 0; row < length; row++) {
      const kind = values.kinds[row];
      const number = values.numbers[row];
      const result = isAbsolute ? Math.abs(number) : -number;
      numbers[row] = kind === VALUE.double ? result : result + 0;
      kinds[row] = COMPARABLE[kind] === NUMERIC ? kind : VALUE.opaque;
    }
  };
}

const ROUNDING = { ceiling: 0, floor: 1, round: 2 } as const;

/**
 * Rounds to a whole number of the same type (XPath F&O 4.4.2 to 4.4.4). Rounding the nearest double
 * of a decimal is exact: halves are doubles, so both are on the same side of every half.
 */
function rounded(rounding: (typeof ROUNDING)[keyof typeof ROUNDING]): NumberFunction {
  return (values, length, into) => {
    const { kinds, numbers } = into;
    let lowest = VALUE.decimal as number;
    for (let row = 0; row < length; row++) {
      const kind = values.kinds[row];
      const number = values.numbers[row];
      const whole =
        rounding === ROUNDING.floor
          ? Math.floor(number)
          : rounding === ROUNDING.ceiling
            ? Math.ceil(number)
            : Math.round(number);
      numbers[row] = kind === VALUE.double ? whole : whole + 0;
      const result = kind >= VALUE.decimal ? VALUE.decimal : COMPARABLE[kind] === NUMERIC ? kind : VALUE.opaque;
      kinds[row] = result;
      if (result < lowest) lowest = result;
    }
    into.lowest = lowest;
    into.highest = VALUE.decimal;
  };
}

/**
 * Part of a time, or of the time of a dateTime, in UTC or without a time zone: its units of this
 * many seconds, modulo their number in the next larger unit. With another time zone, the functions
 * return local time, which the number does not contain.
 */
function ofTime(seconds: number, modulus: number): NumberFunction {
  return (values, length, into) => {
    const { kinds, numbers } = into;
    let lowest: number = VALUE.integer;
    for (let row = 0; row < length; row++) {
      const kind = values.kinds[row];
      const isTime = kind === VALUE.dateTime || kind === VALUE.dateTimeFraction || kind === VALUE.time;
      const units = Math.floor(values.numbers[row] / seconds);
      numbers[row] = units - Math.floor(units / modulus) * modulus;
      kinds[row] = isTime ? VALUE.integer : VALUE.opaque;
      if (!isTime) lowest = VALUE.opaque;
    }
    into.lowest = lowest;
    into.highest = VALUE.integer;
  };
}

/** Part of the day of such a dateTime, or of a date. */
function ofDay(part: 'years' | 'months' | 'days'): NumberFunction {
  return (values, length, into) => {
    const { kinds, numbers } = into;
    const parts = DATES[part];
    let lowest: number = VALUE.integer;
    for (let row = 0; row < length; row++) {
      const kind = values.kinds[row];
      if (kind === VALUE.dateTime || kind === VALUE.dateTimeFraction || kind === VALUE.date) {
        numbers[row] = parts[DATES.place(Math.floor(values.numbers[row] / SECONDS_A_DAY))];
        kinds[row] = VALUE.integer;
      } else {
        kinds[row] = lowest = VALUE.opaque;
      }
    }
    into.lowest = lowest;
    into.highest = VALUE.integer;
  };
}

const DATES = new DatesOfDays();

/** SECONDS returns an xsd:decimal with the fraction, so only whole seconds are computed here. */
function seconds(values: NumberVector, length: number, { kinds, numbers }: NumberVector): void {
  for (let row = 0; row < length; row++) {
    const number = values.numbers[row];
    const kind = values.kinds[row];
    kinds[row] = kind === VALUE.dateTime || kind === VALUE.time ? VALUE.decimal : VALUE.opaque;
    numbers[row] = number - Math.floor(number / 60) * 60;
  }
}

/** xsd:double of a number (XPath F&O 17.1.3.2): the number of a decimal is its nearest double. */
function toDouble(values: NumberVector, length: number, { kinds, numbers }: NumberVector): void {
  for (let row = 0; row < length; row++) {
    kinds[row] = COMPARABLE[values.kinds[row]] === NUMERIC ? VALUE.double : VALUE.opaque;
    numbers[row] = values.numbers[row];
  }
}

/** xsd:decimal of an exact number (XPath F&O 17.1.3.3); of a double, it may have more digits. */
function toDecimal(values: NumberVector, length: number, { kinds, numbers }: NumberVector): void {
  for (let row = 0; row < length; row++) {
    const kind = values.kinds[row];
    const number = values.numbers[row];
    const isShort = kind === VALUE.integer && Math.abs(number) < MAX_UNITS;
    kinds[row] = kind >= VALUE.decimal ? kind : isShort ? VALUE.decimal : VALUE.opaque;
    numbers[row] = number;
  }
}

/** xsd:integer of a number (XPath F&O 17.1.3.4): without the fraction. */
function toInteger(values: NumberVector, length: number, { kinds, numbers }: NumberVector): void {
  for (let row = 0; row < length; row++) {
    // Adding 0 turns -0 into 0: integers have no negative zero.
    const whole = Math.trunc(values.numbers[row]) + 0;
    const isNumber = COMPARABLE[values.kinds[row]] === NUMERIC && Number.isSafeInteger(whole);
    kinds[row] = isNumber ? VALUE.integer : VALUE.opaque;
    numbers[row] = whole;
  }
}

/** xsd:date of a date or dateTime (XPath F&O 17.1.5), in UTC or without a time zone. */
function toDate(values: NumberVector, length: number, { kinds, numbers }: NumberVector): void {
  for (let row = 0; row < length; row++) {
    const kind = values.kinds[row];
    const isDay = kind === VALUE.date || kind === VALUE.dateTime || kind === VALUE.dateTimeFraction;
    kinds[row] = isDay ? VALUE.date : VALUE.opaque;
    numbers[row] = Math.floor(values.numbers[row] / SECONDS_A_DAY) * SECONDS_A_DAY;
  }
}

/** The casts that are computed on vectors, by IRI (section 17.5). */
export const NUMBER_CASTS: ReadonlyMap<string, NumberFunction> = new Map<string, NumberFunction>([
  [XSD_DOUBLE, toDouble],
  [XSD_DECIMAL, toDecimal],
  [XSD_INTEGER, toInteger],
  [XSD_DATE, toDate],
]);

/** The functions whose result depends on the time zone. */
export const TIME_PARTS: ReadonlySet<string> = new Set(['YEAR', 'MONTH', 'DAY', 'HOURS', 'MINUTES', 'SECONDS']);

/** The functions of one argument that are computed on vectors (sections 17.4.4 and 17.4.5). */
export const NUMBER_FUNCTIONS: ReadonlyMap<string, NumberFunction> = new Map<string, NumberFunction>([
  ['unary-', signed(false)],
  ['ABS', signed(true)],
  ['CEIL', rounded(ROUNDING.ceiling)],
  ['FLOOR', rounded(ROUNDING.floor)],
  ['ROUND', rounded(ROUNDING.round)],
  ['YEAR', ofDay('years')],
  ['MONTH', ofDay('months')],
  ['DAY', ofDay('days')],
  ['HOURS', ofTime(3600, 24)],
  ['MINUTES', ofTime(60, 60)],
  ['SECONDS', seconds],
]);
