import { KIND, type ValueKind } from './value-kind.ts';

/**
 * The seven-property model of XSD 1.1 part 2, D.2.1, for xsd:dateTime and the types with a subset
 * of its parts. Absent parts take the values of the reference date 1972-12-31T00:00:00 (XPath F&O
 * 9.4.7, op:time-equal), so that all types share one time line.
 */
export class DateTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** Fraction digits of the second, without trailing zeros; usually empty. */
  readonly fraction: string;
  /** Time zone offset in minutes; undefined without a time zone. */
  readonly offset: number | undefined;

  constructor(
    year: number,
    month: number,
    day: number,
    hour: number,
    minute: number,
    second: number,
    fraction: string,
    offset: number | undefined,
  ) {
    this.year = year;
    this.month = month;
    this.day = day;
    this.hour = hour;
    this.minute = minute;
    this.second = second;
    this.fraction = fraction;
    this.offset = offset;
  }
}

export const SECONDS_A_DAY = 86_400;

/**
 * Largest supported year. Beyond it, seconds exceed the safe integers. XSD 1.1 part 2, 5.4 requires
 * four digits.
 */
const MAX_YEAR = 200_000_000;

/** Returns days since 1970-01-01 in the proleptic Gregorian calendar. */
export function dayNumber(year: number, month: number, day: number): number {
  // Years start in March here, so that the leap day comes last; an era is 400 years.
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  return (
    era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468
  );
}

/** Inverse of {@link dayNumber}. */
export function dateOfDay(days: number): [year: number, month: number, day: number] {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return [yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day];
}

export function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Returns whole seconds on the local time line; ignores time zone and fraction. */
export function localSeconds(value: DateTime): number {
  return (
    dayNumber(value.year, value.month, value.day) * SECONDS_A_DAY + value.hour * 3600 + value.minute * 60 + value.second
  );
}

/**
 * Returns whole seconds since 1970-01-01T00:00:00Z. The implicit time zone (XPath F&O 9.4) is UTC,
 * so that results do not depend on where the process runs.
 */
export function epochSeconds(value: DateTime): number {
  return localSeconds(value) - (value.offset ?? 0) * 60;
}

/** Inverse of {@link localSeconds}. Returns undefined if out of range. */
export function dateTimeAt(localTime: number, fraction: string, offset: number | undefined): DateTime | undefined {
  const days = Math.floor(localTime / SECONDS_A_DAY);
  const rest = localTime - days * SECONDS_A_DAY;
  const [year, month, day] = dateOfDay(days);
  if (Math.abs(year) > MAX_YEAR) return undefined;
  const minutes = Math.floor(rest / 60);
  return new DateTime(year, month, day, Math.floor(minutes / 60), minutes % 60, rest % 60, fraction, offset);
}

/** Converts a JavaScript Date to a UTC value. */
export function dateTimeOfDate(date: Date): DateTime {
  const milliseconds = date.getTime();
  const seconds = Math.floor(milliseconds / 1000);
  const fraction = String(milliseconds - seconds * 1000).padStart(3, '0');
  return dateTimeAt(seconds, fraction.replace(/0+$/, ''), 0)!;
}

/** With at most as many digits as {@link MAX_YEAR}. */
const YEAR = '(-?(?:[1-9]\\d{4,8}|\\d{4}))';
const TIME = '(\\d\\d):(\\d\\d):(\\d\\d)(?:\\.(\\d+))?';
const ZONE = '(Z|[+-]\\d\\d:\\d\\d)?$';

/** Capture groups of a pattern by part; 0 means absent. */
interface Shape {
  readonly pattern: RegExp;
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly zone: number;
}

/** XSD 1.1 part 2, 3.3.7 to 3.3.14. */
const SHAPES: ReadonlyMap<ValueKind, Shape> = new Map([
  [
    KIND.dateTime,
    { pattern: RegExp(`^${YEAR}-(\\d\\d)-(\\d\\d)T${TIME}${ZONE}`), year: 1, month: 2, day: 3, hour: 4, zone: 8 },
  ],
  [KIND.date, { pattern: RegExp(`^${YEAR}-(\\d\\d)-(\\d\\d)${ZONE}`), year: 1, month: 2, day: 3, hour: 0, zone: 4 }],
  [KIND.time, { pattern: RegExp(`^${TIME}${ZONE}`), year: 0, month: 0, day: 0, hour: 1, zone: 5 }],
  [KIND.gYear, { pattern: RegExp(`^${YEAR}${ZONE}`), year: 1, month: 0, day: 0, hour: 0, zone: 2 }],
  [KIND.gYearMonth, { pattern: RegExp(`^${YEAR}-(\\d\\d)${ZONE}`), year: 1, month: 2, day: 0, hour: 0, zone: 3 }],
  [KIND.gMonthDay, { pattern: RegExp(`^--(\\d\\d)-(\\d\\d)${ZONE}`), year: 0, month: 1, day: 2, hour: 0, zone: 3 }],
  [KIND.gDay, { pattern: RegExp(`^---(\\d\\d)${ZONE}`), year: 0, month: 0, day: 1, hour: 0, zone: 2 }],
  [KIND.gMonth, { pattern: RegExp(`^--(\\d\\d)${ZONE}`), year: 0, month: 1, day: 0, hour: 0, zone: 2 }],
]);

function zoneOffset(zone: string | undefined): number | undefined {
  if (zone === undefined) return undefined;
  if (zone === 'Z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4));
  return zone.charCodeAt(0) === 0x2d ? -minutes : minutes;
}

/**
 * Parses a lexical form of a kind from `dateTime` to `gMonth`. Returns undefined if it is invalid
 * or beyond the supported years.
 */
export function parseDateTime(kind: ValueKind, lexical: string): DateTime | undefined {
  const shape = SHAPES.get(kind)!;
  const match = shape.pattern.exec(lexical);
  if (match === null) return undefined;
  const zone = match[shape.zone];
  const offset = zoneOffset(zone);
  if (offset !== undefined && (Math.abs(offset) > 14 * 60 || (zone!.length > 1 && Number(zone!.slice(4)) > 59)))
    return undefined;

  const year = shape.year > 0 ? Number(match[shape.year]) : 1972;
  if (Math.abs(year) > MAX_YEAR) return undefined;
  const month = shape.month > 0 ? Number(match[shape.month]) : kind === KIND.gYear ? 1 : 12;
  if (month < 1 || month > 12) return undefined;
  const day = shape.day > 0 ? Number(match[shape.day]) : kind === KIND.time ? 31 : 1;
  if (day < 1 || day > daysInMonth(year, month)) return undefined;
  if (shape.hour === 0) return new DateTime(year, month, day, 0, 0, 0, '', offset);

  const hour = Number(match[shape.hour]);
  const minute = Number(match[shape.hour + 1]);
  const second = Number(match[shape.hour + 2]);
  const fraction = match[shape.hour + 3]?.replace(/0+$/, '') ?? '';
  if (hour < 24)
    return minute > 59 || second > 59
      ? undefined
      : new DateTime(year, month, day, hour, minute, second, fraction, offset);
  // 24:00:00 is the first instant of the next day (XSD 1.1 part 2, 3.3.7.2); as a time of day it is
  // 00:00:00 (3.3.8.2).
  if (hour > 24 || minute > 0 || second > 0 || fraction !== '') return undefined;
  if (kind === KIND.time) return new DateTime(year, month, day, 0, 0, 0, '', offset);
  return dateTimeAt((dayNumber(year, month, day) + 1) * SECONDS_A_DAY, '', offset);
}

function two(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}

function yearText(year: number): string {
  return year < 0 ? `-${String(-year).padStart(4, '0')}` : String(year).padStart(4, '0');
}

/** Formats a time zone for lexical forms: `Z`, `-08:00`, or empty. */
export function zoneText(offset: number | undefined): string {
  if (offset === undefined) return '';
  if (offset === 0) return 'Z';
  const minutes = Math.abs(offset);
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** Returns the canonical lexical form, which keeps the time zone (XSD 1.1 part 2, E.3.6). */
export function dateTimeText(kind: ValueKind, value: DateTime): string {
  const zone = zoneText(value.offset);
  const month = two(value.month);
  const day = two(value.day);
  switch (kind) {
    case KIND.date:
      return `${yearText(value.year)}-${month}-${day}${zone}`;
    case KIND.time:
      return timeText(value) + zone;
    case KIND.gYear:
      return yearText(value.year) + zone;
    case KIND.gYearMonth:
      return `${yearText(value.year)}-${month}${zone}`;
    case KIND.gMonthDay:
      return `--${month}-${day}${zone}`;
    case KIND.gDay:
      return `---${day}${zone}`;
    case KIND.gMonth:
      return `--${month}${zone}`;
    default:
      return `${yearText(value.year)}-${month}-${day}T${timeText(value)}${zone}`;
  }
}

function timeText(value: DateTime): string {
  const fraction = value.fraction === '' ? '' : `.${value.fraction}`;
  return `${two(value.hour)}:${two(value.minute)}:${two(value.second)}${fraction}`;
}
