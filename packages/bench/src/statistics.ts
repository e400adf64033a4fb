/** Summary statistics of several measurements. */
export interface Statistics {
  readonly count: number;
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

/** Computes the statistics. Throws `RangeError` if there are no values, or one is NaN. */
export function statistics(values: readonly number[]): Statistics {
  const sorted = ascending(values);
  return { count: sorted.length, min: sorted[0], median: quantileOf(sorted, 0.5), max: sorted[sorted.length - 1] };
}

/**
 * Returns the value below which `fraction` (0 to 1) of the values lie, interpolated between
 * neighbours. Throws `RangeError` as {@link statistics} does.
 */
export function quantile(values: readonly number[], fraction: number): number {
  return quantileOf(ascending(values), fraction);
}

/**
 * Returns the geometric mean. Throws `RangeError` as {@link statistics} does, and for values that
 * are not positive.
 */
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
