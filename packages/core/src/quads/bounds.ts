/**
 * Returns the first row in `start .. end` whose key is at least `key`, or `end`. Requires the
 * column to ascend there.
 */
export function lowerBound(column: Uint32Array, start: number, end: number, key: number): number {
  while (start < end) {
    const middle = (start + end) >>> 1;
    if (column[middle] < key) start = middle + 1;
    else end = middle;
  }
  return start;
}

/**
 * Returns the first row in `start .. end` whose key is greater than `key`. Gallops, since most keys
 * have few rows.
 */
export function upperBound(column: Uint32Array, start: number, end: number, key: number): number {
  let step = 1;
  let low = start;
  while (low + step < end && column[low + step] <= key) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step, end);
  if (low < high && column[low] <= key) low++;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (column[middle] <= key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Like {@link lowerBound}, but gallops from `start`: for keys looked up in ascending order. */
export function gallop(column: Uint32Array, start: number, end: number, key: number): number {
  if (start >= end || column[start] >= key) return start;
  let step = 1;
  let low = start;
  while (low + step < end && column[low + step] < key) {
    low += step;
    step *= 2;
  }
  return lowerBound(column, low + 1, Math.min(low + step, end), key);
}

/**
 * Returns the first row in `start .. end` whose triple is not below (a, b, c), in columns sorted
 * together. Gallops from `start`.
 */
export function gallopTriple(
  columns: readonly Uint32Array[],
  start: number,
  end: number,
  a: number,
  b: number,
  c: number,
): number {
  start = gallop(columns[0], start, end, a);
  if (start === end || columns[0][start] !== a) return start;
  end = upperBound(columns[0], start, end, a);
  start = gallop(columns[1], start, end, b);
  if (start === end || columns[1][start] !== b) return start;
  end = upperBound(columns[1], start, end, b);
  return gallop(columns[2], start, end, c);
}
