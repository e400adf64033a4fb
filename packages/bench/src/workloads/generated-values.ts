import type { RandomNumbers } from '../random-numbers.ts';

/**
 * Returns an integer 0 <= n < `end`; small ones are more frequent: half are in the first eighth.
 */
export function skewed(random: RandomNumbers, end: number): number {
  const unit = random.below(UNITS) / UNITS;
  return Math.floor(end * unit * unit * unit);
}

const UNITS = 2 ** 30;

/** Returns a decimal with two digits after the point, from an integer of hundredths. */
export function decimal(hundredths: number): string {
  return `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, '0')}`;
}

const DAY_MS = 86_400_000;

/** Returns an xsd:date, `days` after the given one. */
export function dateAfter(start: string, days: number): string {
  return new Date(Date.parse(start) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Returns an xsd:dateTime in UTC, `seconds` after the start of the given day. */
export function timeAfter(start: string, seconds: number): string {
  return `${new Date(Date.parse(start) + seconds * 1000).toISOString().slice(0, 19)}Z`;
}
