/** A few measurements of one thing, ordered. */
export interface Statistics {
  readonly count: number;
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

/** Throws RangeError when there is nothing to describe, or something that is no number. */
export function statistics(values: readonly number[]): Statistics {
  const sorted = ascending(values);
  return { count: sorted.length, min: sorted[0], median: quantileOf(sorted, 0.5), max: sorted[sorted.length - 1] };
}

/**
 * The value below which `fraction` (0 to 1) of the values lie, interpolated between neighbours.
 * Throws RangeError as {@link statistics}.
 */
export function quantile(values: readonly number[], fraction: number): number {
  return quantileOf(ascending(values), fraction);
}

/** Throws RangeError as {@link statistics}, and for values that are not positive. */
export function geometricMean(values: readonly number[]): number {
  const [least] = ascending(values);
  if (least <= 0) throw new RangeError('A geometric mean is of positive values.');
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

function quantileOf(sorted: readonly number[], fraction: number): number {
  const position = (sorted.length - 1) * fraction;
  const below = Math.floor(position);
  const above = Math.ceil(position);
  return sorted[below] + (sorted[above] - sorted[below]) * (position - below);
}

function ascending(values: readonly number[]): number[] {
  if (values.length === 0) throw new RangeError('Statistics of no values: measure at least once.');
  if (values.some(Number.isNaN)) throw new RangeError('Statistics of values that are not all numbers.');
  return [...values].sort((a, b) => a - b);
}
