import { LANGUAGE } from '../texts.ts';

const WHOLE = new Intl.NumberFormat(LANGUAGE);
const SHORT = new Intl.NumberFormat(LANGUAGE, { notation: 'compact', maximumFractionDigits: 1 });
const TIME = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: 'medium', timeStyle: 'short' });
const TIME_OF_YEAR = new Intl.DateTimeFormat(LANGUAGE, {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});
const CLOCK = new Intl.DateTimeFormat(LANGUAGE, { timeStyle: 'medium' });

export const count = (value: number): string => (Number.isFinite(value) ? WHOLE.format(value) : '–');
/**
 * Returns a number of an axis that covers `range`: with as many digits as tell its numbers apart,
 * and with an exponent if it would be too long.
 */
export function tick(value: number, range: number): string {
  const size = Math.max(Math.abs(value), range);
  if (size >= 1e9 || (size > 0 && size < 1e-4)) return value.toExponential(2);
  const digits = range > 0 ? Math.min(8, Math.max(0, 2 - Math.floor(Math.log10(range)))) : 2;
  return new Intl.NumberFormat(LANGUAGE, { maximumFractionDigits: digits }).format(value);
}
export const shortCount = (value: number): string => SHORT.format(value);
/** Returns a date with its time; without the year, if it is the current one. */
export function dateTime(ms: number): string {
  const isOfThisYear = new Date(ms).getFullYear() === new Date().getFullYear();
  return (isOfThisYear ? TIME_OF_YEAR : TIME).format(ms);
}
export const clockTime = (ms: number): string => CLOCK.format(ms);

/** Returns bytes in a unit that people read, by powers of 1,024. */
export function byteSize(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${value >= 100 || unit === 0 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** Returns a duration in a unit that people read. */
export function duration(ms: number): string {
  if (ms < 1) return `${ms.toFixed(2)} ms`;
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}
