/**
 * Minimum number of rows for a native copy, which has a fixed cost and allocates a view of the
 * source.
 */
const NATIVE_FROM = 128;

/**
 * Copies `count` values from `source[start]` on to `target[at]` on. Does nothing if the target
 * column is empty, i.e. not requested.
 */
export function copyRows(source: Uint32Array, start: number, target: Uint32Array, at: number, count: number): void {
  if (target.length === 0) return;
  if (count >= NATIVE_FROM) {
    target.set(source.subarray(start, start + count), at);
  } else {
    for (let i = 0; i < count; i++) target[at + i] = source[start + i];
  }
}

/** Fills `count` places from `target[at]` on with one value. */
export function fillRows(target: Uint32Array, value: number, at: number, count: number): void {
  if (target.length === 0) return;
  if (count >= NATIVE_FROM) target.fill(value, at, at + count);
  else for (let i = 0; i < count; i++) target[at + i] = value;
}
