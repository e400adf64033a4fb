import type { Statistics } from './statistics.ts';

/** A number as people read it: `1,234.5`. */
export function figure(value: number, digits = 0): string {
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** The median, and from where to where the values went: `12.3 (11.9-14.0)`. */
export function spread({ min, median, max }: Statistics, digits = 0): string {
  return `${figure(median, digits)} (${figure(min, digits)}-${figure(max, digits)})`;
}

/**
 * As many digits as say something of a value that may be 0.02 or 20,000: three, but no part of an
 * integer is left out.
 */
export function significantDigits(value: number): number {
  if (value === 0) return 0;
  return Math.min(6, Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value)))));
}
