import type { Statistics } from './statistics.ts';

/** Formats a number, such as `1,234.5`. */
export function figure(value: number, digits = 0): string {
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** Formats the median and the range: `12.3 (11.9-14.0)`. */
export function spread({ min, median, max }: Statistics, digits = 0): string {
  return `${figure(median, digits)} (${figure(min, digits)}-${figure(max, digits)})`;
}

/**
 * Returns the number of decimals that give a value between 0.02 and 20,000 three significant
 * digits; integer parts are never rounded.
 */
export function significantDigits(value: number): number {
  if (value === 0) return 0;
  return Math.min(6, Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value)))));
}
