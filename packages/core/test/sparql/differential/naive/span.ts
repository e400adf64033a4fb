import { Fraction, ZERO } from './fraction.ts';

export const SPAN_TYPES = ['dayTimeDuration', 'yearMonthDuration', 'duration'] as const;
export type SpanType = (typeof SPAN_TYPES)[number];

/** A duration: a number of months and a number of seconds (XSD 1.1 part 2, D.2). */
export interface Span {
  readonly months: bigint;
  readonly seconds: Fraction;
}

const FORM =
  /^(?<sign>-?)P(?=.)(?:(?<years>\d+)Y)?(?:(?<months>\d+)M)?(?:(?<days>\d+)D)?(?<time>T(?=.)(?:(?<hours>\d+)H)?(?:(?<minutes>\d+)M)?(?:(?<seconds>\d+(?:\.\d+)?)S)?)?$/;

/** The engine's limit, which XSD 1.1 part 2, 5.4 leaves to it. */
export function hasMonths(months: bigint): boolean {
  return months <= 2_400_000_000n && months >= -2_400_000_000n;
}

export function parseSpan(type: SpanType, text: string): Span | undefined {
  const match = FORM.exec(text);
  if (!match) return undefined;
  const { sign, years, months, days, time, hours = '0', minutes = '0', seconds = '0' } = match.groups!;
  if (type === 'dayTimeDuration' && (years !== undefined || months !== undefined)) return undefined;
  if (type === 'yearMonthDuration' && (days !== undefined || time !== undefined)) return undefined;
  const allMonths = BigInt(years ?? 0) * 12n + BigInt(months ?? 0);
  if (!hasMonths(allMonths)) return undefined;
  const allSeconds = Fraction.parse(seconds).plus(
    new Fraction(BigInt(days ?? 0) * 86_400n + BigInt(hours) * 3600n + BigInt(minutes) * 60n),
  );
  return sign ? { months: -allMonths, seconds: allSeconds.negated() } : { months: allMonths, seconds: allSeconds };
}

/** The canonical form (XSD 1.1 part 2, E.2). */
export function spanText(type: SpanType, { months, seconds }: Span): string {
  const isNegative = months < 0n || seconds.compare(ZERO) < 0;
  const [m, s] = isNegative ? [-months, seconds.negated()] : [months, seconds];
  const whole = s.floor();
  const part = (value: bigint | Fraction, unit: string) => (String(value) === '0' ? '' : `${value}${unit}`);
  const date = part(m / 12n, 'Y') + part(m % 12n, 'M');
  const rest = s.minus(new Fraction(whole - (whole % 60n)));
  const time = part((whole / 3600n) % 24n, 'H') + part((whole / 60n) % 60n, 'M') + part(rest, 'S');
  const text = date + part(whole / 86_400n, 'D') + (time && `T${time}`);
  return `${isNegative ? '-' : ''}P${text || (type === 'yearMonthDuration' ? '0M' : 'T0S')}`;
}

/** For the order of ORDER BY, which is total: a month is a twelfth of the mean Gregorian year. */
export function spanSeconds({ months, seconds }: Span): Fraction {
  return seconds.plus(new Fraction(months * 2_629_746n));
}
