import { addDecimals, Decimal, decimalOf, multiplyDecimals, negateDecimal, parseDecimal } from './decimal.ts';
import { KIND, type ValueKind } from './value-kind.ts';

/** A duration as months and seconds of the same sign (XSD 1.1 part 2, D.2). */
export class Duration {
  readonly months: number;
  readonly seconds: Decimal;

  constructor(months: number, seconds: Decimal) {
    this.months = months;
    this.seconds = seconds;
  }

  /** Whether it has no months and a safe integer of seconds. */
  get isWholeSeconds(): boolean {
    return this.months === 0 && this.seconds.scale === 0 && Number.isSafeInteger(this.seconds.units);
  }

  /** The seconds if there is nothing else, otherwise 0. */
  get wholeSeconds(): number {
    return this.isWholeSeconds ? Number(this.seconds.units) : 0;
  }
}

const PATTERN =
  /^(-)?P(?=[\dT])(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;
/**
 * Maximum number of months; a longer duration leads to no supported date. XSD 1.1 part 2, 5.4
 * requires less.
 */
const MAX_MONTHS = 2_400_000_000;

/** Whether a number of months is supported, so that its lexical form can be parsed again. */
export function hasMonths(months: number): boolean {
  return Math.abs(months) <= MAX_MONTHS;
}

const SECONDS_A_DAY = new Decimal(86_400, 0);
const SECONDS_AN_HOUR = new Decimal(3600, 0);
const SECONDS_A_MINUTE = new Decimal(60, 0);
const ONE = new Decimal(1, 0);
const ZERO = new Decimal(0, 0);

/**
 * Parses a lexical form of a kind from `dayTimeDuration` to `duration`. Returns undefined if it is
 * invalid or out of the supported range.
 */
export function parseDuration(kind: ValueKind, lexical: string): Duration | undefined {
  const match = PATTERN.exec(lexical);
  if (match === null) return undefined;
  const [, sign, years, months, days, hours, minutes, seconds] = match;
  if (kind === KIND.dayTimeDuration && (years ?? months) !== undefined) return undefined;
  if (kind === KIND.yearMonthDuration && lexical.search(/[DT]/) >= 0) return undefined;

  const allMonths = Number(years ?? 0) * 12 + Number(months ?? 0);
  if (!hasMonths(allMonths)) return undefined;
  let allSeconds: Decimal | undefined = ZERO;
  for (const [digits, unit] of [
    [days, SECONDS_A_DAY],
    [hours, SECONDS_AN_HOUR],
    [minutes, SECONDS_A_MINUTE],
    [seconds, ONE],
  ] as const) {
    if (digits === undefined) continue;
    const count = parseDecimal(digits);
    const product: Decimal | undefined = count && multiplyDecimals(count, unit);
    allSeconds = product && addDecimals(allSeconds, product);
    if (allSeconds === undefined) return undefined;
  }
  return sign ? new Duration(0 - allMonths, negateDecimal(allSeconds)) : new Duration(allMonths, allSeconds);
}

/** Returns the canonical lexical form for a kind (XSD 1.1 part 2, E.2). */
export function durationText(kind: ValueKind, { months, seconds }: Duration): string {
  const negative = months < 0 || seconds.units < 0;
  const dateText = monthsText(Math.abs(months));
  const timeText = secondsText(negative ? negateDecimal(seconds) : seconds);
  if (kind === KIND.yearMonthDuration) return `${negative ? '-' : ''}P${dateText || '0M'}`;
  return `${negative ? '-' : ''}P${dateText + timeText || 'T0S'}`;
}

function monthsText(months: number): string {
  const years = Math.floor(months / 12);
  const rest = months % 12;
  return `${years > 0 ? `${years}Y` : ''}${rest > 0 ? `${rest}M` : ''}`;
}

function secondsText(seconds: Decimal): string {
  if (seconds.scale === 0 && typeof seconds.units === 'number') return wholeSecondsText(seconds.units);
  const unit = 10n ** BigInt(seconds.scale);
  const units = BigInt(seconds.units);
  const whole = units / unit;
  const days = whole / 86_400n;
  const hours = (whole / 3600n) % 24n;
  const minutes = (whole / 60n) % 60n;
  const rest = decimalOf((whole % 60n) * unit + (units % unit), seconds.scale);
  return partsText(days, hours, minutes, rest.units > 0 ? `${rest}S` : '');
}

function wholeSecondsText(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const rest = seconds % 60;
  return partsText(Math.floor(hours / 24), hours % 24, minutes % 60, rest > 0 ? `${rest}S` : '');
}

function partsText(days: number | bigint, hours: number | bigint, minutes: number | bigint, seconds: string): string {
  const time = `${hours > 0 ? `${hours}H` : ''}${minutes > 0 ? `${minutes}M` : ''}${seconds}`;
  return `${days > 0 ? `${days}D` : ''}${time === '' ? '' : `T${time}`}`;
}
