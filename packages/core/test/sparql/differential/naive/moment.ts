import { Fraction, ZERO } from './fraction.ts';

/** The date and time types; each has some of the parts of a dateTime. */
export const MOMENT_TYPES = ['dateTime', 'date', 'time', 'gYear', 'gYearMonth', 'gMonthDay', 'gDay', 'gMonth'] as const;
export type MomentType = (typeof MOMENT_TYPES)[number];

/**
 * The seven-property model (XSD 1.1 part 2, D.2.1); parts that a type lacks are those of
 * 1972-12-31T00:00:00 (XPath F&O 9.4).
 */
export interface Moment {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: Fraction;
  /** In minutes. */
  readonly zone: number | undefined;
}

const DATE = '(?<year>-?(?:[1-9][0-9]{3,}|0[0-9]{3}))-(?<month>[0-9]{2})-(?<day>[0-9]{2})';
const TIME = '(?<hour>[0-9]{2}):(?<minute>[0-9]{2}):(?<second>[0-9]{2}(?:\\.[0-9]+)?)';
const FORMS: Readonly<Record<MomentType, string>> = {
  dateTime: `${DATE}T${TIME}`,
  date: DATE,
  time: TIME,
  gYear: DATE.split('-(?<month>')[0],
  gYearMonth: DATE.split('-(?<day>')[0],
  gMonthDay: '--(?<month>[0-9]{2})-(?<day>[0-9]{2})',
  gDay: '---(?<day>[0-9]{2})',
  gMonth: '--(?<month>[0-9]{2})',
};

const SECONDS_A_DAY = 86_400n;

const isLeapYear = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
const MONTHS = Array.from({ length: 12 }, (_, month) => month + 1);

export function daysOfMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/**
 * Days from 0001-01-01 to the beginning of a year, in the Gregorian calendar, before its beginning
 * too.
 */
function daysBefore(year: number): number {
  const years = year - 1;
  return years * 365 + Math.floor(years / 4) - Math.floor(years / 100) + Math.floor(years / 400);
}

/** Days since 1970. */
function dayNumber(year: number, month: number, day: number): number {
  const months = MONTHS.slice(0, month - 1).reduce((days, one) => days + daysOfMonth(year, one), 0);
  return daysBefore(year) - daysBefore(1970) + months + day - 1;
}

function dateOfDay(days: number): Pick<Moment, 'year' | 'month' | 'day'> {
  let year = 1970 + Math.floor(days / 365.2425);
  while (dayNumber(year, 1, 1) > days) year--;
  while (dayNumber(year + 1, 1, 1) <= days) year++;
  const month = MONTHS.findLast((one) => dayNumber(year, one, 1) <= days)!;
  return { year, month, day: days - dayNumber(year, month, 1) + 1 };
}

/** The engine's limit, which XSD 1.1 part 2, 5.4 leaves to it. */
const MAX_YEAR = 200_000_000;

/** XSD 1.1 part 2, 3.3.7 to 3.3.14. */
export function parseMoment(type: MomentType, text: string): Moment | undefined {
  const match = new RegExp(`^${FORMS[type]}(?<zone>Z|[+-][0-9]{2}:[0-9]{2})?$`).exec(text);
  if (!match) return undefined;
  const { year = '1972', month, day, hour = '00', minute = '00', second = '00', zone } = match.groups!;
  const parts = {
    year: Number(year),
    month: Number(month ?? (type === 'gYear' ? 1 : 12)),
    day: Number(day ?? (type === 'time' ? 31 : 1)),
    hour: Number(hour),
    minute: Number(minute),
    second: Fraction.parse(second),
    zone: zone === undefined ? undefined : zone === 'Z' ? 0 : Number(`${zone[0]}1`) * minutesOf(zone.slice(1)),
  };
  if (Math.abs(parts.year) > MAX_YEAR) return undefined;
  if (parts.month < 1 || parts.month > 12 || parts.day < 1 || parts.day > daysOfMonth(parts.year, parts.month))
    return undefined;
  if (parts.minute > 59 || parts.second.compare(new Fraction(60n)) >= 0) return undefined;
  if (zone && zone !== 'Z' && (Number(zone.slice(4)) > 59 || Math.abs(parts.zone!) > 840)) return undefined;
  if (parts.hour < 24) return parts;
  if (parts.hour > 24 || parts.minute > 0 || parts.second.compare(ZERO) !== 0) return undefined;
  // 24:00:00 is the beginning of the next day; the time of day has none.
  if (type === 'time') return { ...parts, hour: 0 };
  return momentAt(localSeconds({ ...parts, hour: 0 }).plus(new Fraction(SECONDS_A_DAY)), parts.zone);
}

const minutesOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));

export function localSeconds({ year, month, day, hour, minute, second }: Moment): Fraction {
  return new Fraction(BigInt(dayNumber(year, month, day)) * SECONDS_A_DAY + BigInt(hour * 3600 + minute * 60)).plus(
    second,
  );
}

/** Seconds since 1970 in UTC, which is also our implicit time zone (XPath F&O 9.4). */
export function instantOf(moment: Moment): Fraction {
  return localSeconds(moment).minus(new Fraction(BigInt((moment.zone ?? 0) * 60)));
}

/** The other way round. */
export function momentAt(local: Fraction, zone: number | undefined): Moment {
  const day = new Fraction(local.floor(), SECONDS_A_DAY).floor();
  const time = local.minus(new Fraction(day * SECONDS_A_DAY));
  const seconds = Number(time.floor());
  return {
    ...dateOfDay(Number(day)),
    hour: Math.floor(seconds / 3600),
    minute: Math.floor(seconds / 60) % 60,
    second: time.minus(new Fraction(BigInt(seconds - (seconds % 60)))),
    zone,
  };
}

const padded = (value: number, digits: number) => String(value).padStart(digits, '0');

export function zoneText(zone: number | undefined): string {
  if (zone === undefined) return '';
  if (zone === 0) return 'Z';
  const size = Math.abs(zone);
  return `${zone < 0 ? '-' : '+'}${padded(Math.floor(size / 60), 2)}:${padded(size % 60, 2)}`;
}

/** The canonical form, with the time zone that it has. */
export function momentText(type: MomentType, moment: Moment): string {
  const second = moment.second.toString();
  const year = `${moment.year < 0 ? '-' : ''}${padded(Math.abs(moment.year), 4)}`;
  const month = padded(moment.month, 2);
  const day = padded(moment.day, 2);
  const time = `${padded(moment.hour, 2)}:${padded(moment.minute, 2)}:${/^\d(?:\.|$)/.test(second) ? '0' : ''}${second}`;
  const texts: Readonly<Record<MomentType, string>> = {
    dateTime: `${year}-${month}-${day}T${time}`,
    date: `${year}-${month}-${day}`,
    time,
    gYear: year,
    gYearMonth: `${year}-${month}`,
    gMonthDay: `--${month}-${day}`,
    gDay: `---${day}`,
    gMonth: `--${month}`,
  };
  return texts[type] + zoneText(moment.zone);
}
