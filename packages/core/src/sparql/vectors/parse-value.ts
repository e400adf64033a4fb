import { Buffer } from '#platform';
import { inFloats, MAX_DECIMAL_DIGITS, MAX_SCALE, MAX_UNITS, VALUE, ZONED } from '../../contracts/value-column.ts';
import type { Expression } from '../algebra/algebra.ts';
import { DATATYPES, type Datatype, LexicalValue } from '../expressions/datatypes.ts';
import { type DateTime, dayNumber, daysInMonth, SECONDS_A_DAY } from '../expressions/date-time.ts';
import { Decimal } from '../expressions/decimal.ts';
import type { Duration } from '../expressions/duration.ts';
import type { Value } from '../expressions/value.ts';
import { KIND, type ValueKind } from '../expressions/value-kind.ts';
import { powerOfTen } from './number-vector.ts';

/** Maximum length of a lexical form; longer ones are opaque. */
const MAX_LENGTH = 64;
const SCRATCH = new LexicalValue();

/** The day of a time of day; see {@link VALUE}. */
const TIME_DAY = dayNumber(1972, 12, 31);

const DIGIT_0 = 0x30;
const PLUS = 0x2b;
const MINUS = 0x2d;
const POINT = 0x2e;
const COLON = 0x3a;
const UPPER_T = 0x54;
const UPPER_Z = 0x5a;

/**
 * Second result of {@link parseValue}: the number. A shared object, to allocate nothing per value.
 */
export const parsed: { number: number } = { number: 0 };

/**
 * Fast path for one datatype: parses `bytes[start .. end)`, leaves the number in {@link parsed} and
 * returns the kind. Returns 0 for all but the most common lexical forms.
 */
type Parse = (bytes: Uint8Array, start: number, end: number) => number;

interface Reader {
  readonly parse: Parse;
  readonly datatype: Datatype;
  readonly minimum: number;
  readonly maximum: number;
}

const PARSERS: ReadonlyMap<number, Parse> = new Map<number, Parse>([
  [KIND.integer, parseInteger],
  [KIND.decimal, parseDecimal],
  [KIND.double, parseDouble],
  [KIND.float, parseSingle],
  [KIND.boolean, () => 0],
  [KIND.dateTime, parseDateTime],
  [KIND.date, parseDate],
  [KIND.time, parseTime],
  [KIND.dayTimeDuration, () => 0],
]);

const READERS: readonly Reader[] = [...DATATYPES.values()]
  .filter(({ kind, iri }) => PARSERS.has(kind) && !iri.endsWith('#dateTimeStamp'))
  .map((datatype) => ({
    datatype,
    parse: PARSERS.get(datatype.kind)!,
    minimum: datatype.minimum?.toNumber() ?? Number.NEGATIVE_INFINITY,
    maximum: datatype.maximum?.toNumber() ?? Number.POSITIVE_INFINITY,
  }));

const READER_OF: ReadonlyMap<string, number> = new Map(READERS.map(({ datatype }, number) => [datatype.iri, number]));

/**
 * Returns the index of the parser for a datatype; -1 if its values are not represented by numbers.
 */
export function readerOf(datatype: string): number {
  return READER_OF.get(datatype) ?? -1;
}

/**
 * Returns the kind of a constant's value, and leaves its number in {@link parsed}. The number of an
 * `opaque` one means nothing.
 */
export function parseConstant({ term }: Expression & { readonly type: 'term' }): number {
  const reader = term.termType === 'Literal' ? readerOf(term.datatype.value) : -1;
  if (reader < 0) return VALUE.opaque;
  const bytes = Buffer.from(term.value);
  return parseValue(reader, bytes, 0, bytes.length);
}

/**
 * Parses a lexical form: returns the kind of the value, from {@link VALUE}, and leaves its number
 * in {@link parsed}. Common forms are parsed from the bytes; all others by {@link Datatype.read}.
 *
 * @param reader index from {@link readerOf}
 */
export function parseValue(reader: number, bytes: Buffer, start: number, end: number): number {
  const { parse, datatype, minimum, maximum } = READERS[reader];
  const kind = parse(bytes, start, end);
  if (kind !== 0) {
    // The bounds of the derived integer types as doubles: exact up to 15 digits, and beyond that
    // larger than every number that the fast path returns.
    return parsed.number >= minimum && parsed.number <= maximum ? kind : VALUE.opaque;
  }
  if (end - start > MAX_LENGTH || !datatype.read(bytes.toString('latin1', start, end), SCRATCH)) return VALUE.opaque;
  return kindOf(datatype, SCRATCH);
}

function kindOf({ kind }: Datatype, { number, exact }: LexicalValue): number {
  parsed.number = number;
  return numberKind(kind, number, exact);
}

/** Returns the kind of an evaluated value; the number for it is `value.number`. */
export function numberKindOf({ kind, number, exact }: Value): number {
  return numberKind(kind, number, exact);
}

function numberKind(kind: ValueKind, number: number, exact: Value['exact']): number {
  switch (kind) {
    case KIND.boolean:
      return VALUE.boolean;
    case KIND.integer:
      return exact === undefined ? VALUE.integer : VALUE.opaque;
    case KIND.decimal:
      return decimalKind(number, exact as Decimal | undefined);
    case KIND.double:
      return Number.isNaN(number) ? VALUE.opaque : VALUE.double;
    case KIND.float:
      return Number.isNaN(number) ? VALUE.opaque : VALUE.float;
    case KIND.date:
    case KIND.dateTime: {
      const { fraction, offset } = exact as DateTime;
      const whole = kind === KIND.date ? VALUE.date : VALUE.dateTime;
      return (fraction === '' ? whole : VALUE.dateTimeFraction) + (offset ? ZONED : 0);
    }
    case KIND.time: {
      const { fraction, offset } = exact as DateTime;
      return fraction === '' && !offset ? VALUE.time : VALUE.opaque;
    }
    case KIND.dayTimeDuration:
      return (exact as Duration).isWholeSeconds ? VALUE.duration : VALUE.opaque;
    default:
      return VALUE.opaque;
  }
}

/** Returns the kind of a decimal; `exact` is undefined if it is a safe integer. */
function decimalKind(number: number, exact: Decimal | undefined): number {
  const { units, scale } = exact ?? new Decimal(number, 0);
  if (typeof units !== 'number' || Math.abs(units) >= MAX_UNITS || scale > MAX_SCALE) return VALUE.opaque;
  return VALUE.decimal + scale;
}

/** `[+-]?[0-9]+` of at most 15 digits. */
function parseInteger(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  const sign = bytes[at];
  if (sign === MINUS || sign === PLUS) at++;
  // Identifiers are padded with zeros.
  while (end - at > MAX_DECIMAL_DIGITS && bytes[at] === DIGIT_0) at++;
  // Negative for an empty text before a sign.
  const digits = end - at;
  if (digits <= 0 || digits > MAX_DECIMAL_DIGITS) return 0;
  let number = 0;
  for (; at < end; at++) {
    const digit = bytes[at] - DIGIT_0;
    if (digit < 0 || digit > 9) return 0;
    number = number * 10 + digit;
  }
  // Subtracting from 0 never gives -0: integers have no negative zero.
  parsed.number = sign === MINUS ? 0 - number : number;
  return VALUE.integer;
}

/** `[+-]?[0-9]+(\.[0-9]*)?` or `[+-]?\.[0-9]+` of at most 15 digits. */
function parseDecimal(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  const sign = bytes[at];
  if (sign === MINUS || sign === PLUS) at++;
  // One more character for the point.
  if (end - at > MAX_DECIMAL_DIGITS + 1) return 0;
  let units = 0;
  let digits = 0;
  let scale = 0;
  let point = -1;
  for (; at < end; at++) {
    const digit = bytes[at] - DIGIT_0;
    if (digit >= 0 && digit <= 9) {
      units = units * 10 + digit;
      digits++;
      if (point >= 0) scale++;
    } else if (bytes[at] === POINT && point < 0) {
      point = at;
    } else {
      return 0;
    }
  }
  if (digits === 0 || digits > MAX_DECIMAL_DIGITS) return 0;
  while (scale > 0 && units % 10 === 0) {
    units /= 10;
    scale--;
  }
  parsed.number = (sign === MINUS ? 0 - units : units) / powerOfTen(scale);
  return VALUE.decimal + scale;
}

/**
 * A double without an exponent. The quotient of an integer and a power of ten that are both exact
 * is the nearest double. Zero is left to the general reader, since doubles have a negative one.
 */
function parseDouble(bytes: Uint8Array, start: number, end: number): number {
  return parseDecimal(bytes, start, end) !== 0 && parsed.number !== 0 ? VALUE.double : 0;
}

/** A float without an exponent, as {@link parseDouble}. */
function parseSingle(bytes: Uint8Array, start: number, end: number): number {
  const kind = parseDecimal(bytes, start, end);
  if (kind === 0 || parsed.number === 0) return 0;
  parsed.number = inFloats(kind, parsed.number);
  return Number.isNaN(parsed.number) ? 0 : VALUE.float;
}

/** `YYYY-MM-DDThh:mm:ss` with or without a fraction and a time zone. */
function parseDateTime(bytes: Uint8Array, start: number, end: number): number {
  const at = start + 19;
  if (end < at || bytes[start + 10] !== UPPER_T) return 0;
  const days = parseDays(bytes, start);
  const time = parseClock(bytes, start + 11);
  if (Number.isNaN(days) || Number.isNaN(time)) return 0;
  let zone = at;
  let kind: number = VALUE.dateTime;
  if (zone < end && bytes[zone] === POINT) {
    zone++;
    const first = zone;
    for (; zone < end; zone++) {
      const digit = bytes[zone] - DIGIT_0;
      if (digit < 0 || digit > 9) break;
      if (digit > 0) kind = VALUE.dateTimeFraction;
    }
    if (zone === first) return 0;
  }
  const offset = parseZone(bytes, zone, end);
  if (Number.isNaN(offset)) return 0;
  parsed.number = days * SECONDS_A_DAY + time - offset * 60;
  return offset === 0 ? kind : kind + ZONED;
}

/** `hh:mm:ss`, also with a `Z`. */
function parseTime(bytes: Uint8Array, start: number, end: number): number {
  const at = start + 8;
  if (end < at) return 0;
  const time = parseClock(bytes, start);
  if (Number.isNaN(time) || parseZone(bytes, at, end) !== 0) return 0;
  parsed.number = TIME_DAY * SECONDS_A_DAY + time;
  return VALUE.time;
}

/**
 * Returns the seconds of the day of `hh:mm:ss`; NaN if it is not a valid time of this form, and for
 * 24:00:00, which is left to the general reader.
 */
function parseClock(bytes: Uint8Array, start: number): number {
  if (bytes[start + 2] !== COLON || bytes[start + 5] !== COLON) return Number.NaN;
  const hour = twoDigits(bytes, start);
  const minute = twoDigits(bytes, start + 3);
  const second = twoDigits(bytes, start + 6);
  return hour < 24 && minute < 60 && second < 60 ? hour * 3600 + minute * 60 + second : Number.NaN;
}

/** `YYYY-MM-DD` with or without a time zone. */
function parseDate(bytes: Uint8Array, start: number, end: number): number {
  if (end < start + 10) return 0;
  const days = parseDays(bytes, start);
  const offset = parseZone(bytes, start + 10, end);
  if (Number.isNaN(days) || Number.isNaN(offset)) return 0;
  parsed.number = days * SECONDS_A_DAY - offset * 60;
  return offset === 0 ? VALUE.date : VALUE.zonedDate;
}

/** Returns the day number of `YYYY-MM-DD`; NaN if it is not a valid date of this form. */
function parseDays(bytes: Uint8Array, start: number): number {
  if (bytes[start + 4] !== MINUS || bytes[start + 7] !== MINUS) return Number.NaN;
  const year = twoDigits(bytes, start) * 100 + twoDigits(bytes, start + 2);
  const month = twoDigits(bytes, start + 5);
  const day = twoDigits(bytes, start + 8);
  if (Number.isNaN(year) || !(month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month)))
    return Number.NaN;
  return dayNumber(year, month, day);
}

/** Returns the offset of a time zone in minutes; 0 if there is none, NaN if it is malformed. */
function parseZone(bytes: Uint8Array, start: number, end: number): number {
  if (start === end) return 0;
  if (bytes[start] === UPPER_Z) return start + 1 === end ? 0 : Number.NaN;
  if ((bytes[start] !== PLUS && bytes[start] !== MINUS) || start + 6 !== end || bytes[start + 3] !== COLON)
    return Number.NaN;
  const minutes = twoDigits(bytes, start + 4);
  const offset = twoDigits(bytes, start + 1) * 60 + minutes;
  if (!(minutes < 60 && offset <= 14 * 60)) return Number.NaN;
  return bytes[start] === MINUS ? -offset : offset;
}

/** Returned by {@link zoneAtEnd} for a text without a time zone; beyond every offset. */
export const NO_ZONE = 1 << 12;

/**
 * Returns the offset of the time zone in minutes at the end of a date or dateTime, which is known
 * to be valid; {@link NO_ZONE} if it has none, NaN if the text does not tell, as with whitespace
 * behind it.
 */
export function zoneAtEnd(bytes: Uint8Array, start: number, end: number): number {
  const last = bytes[end - 1];
  if (last === UPPER_Z) return 0;
  if (!(last >= DIGIT_0 && last <= DIGIT_0 + 9)) return Number.NaN;
  const zone = end - 6;
  const isZone = zone > start && (bytes[zone] === PLUS || bytes[zone] === MINUS) && bytes[zone + 3] === COLON;
  return isZone ? parseZone(bytes, zone, end) : NO_ZONE;
}

/** Returns the value of two digits; NaN if either byte is not a digit. */
function twoDigits(bytes: Uint8Array, at: number): number {
  const tens = bytes[at] - DIGIT_0;
  const ones = bytes[at + 1] - DIGIT_0;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}
