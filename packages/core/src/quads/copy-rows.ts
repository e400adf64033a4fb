/**
 * A native copy has a fixed cost, and makes a view of the source; it is worth that from about a
 * hundred rows on.
 */
const NATIVE_FROM = 128;

/**
 * Copies `count` values from `source[start]` on to `target[at]` on. A column without rows is one
 * that nobody wants.
 */
export function copyRows(source: Uint32Array, start: number, target: Uint32Array, at: number, count: number): void {
  if (target.length === 0) return;
  if (count >= NATIVE_FROM) {
    target.set(source.subarray(start, start + count), at);
  } else {
    for (let i = 0; i < count; i++) target[at + i] = source[start + i];
  }
}

/** Puts one value into `count` places from `target[at]` on. */
export function fillRows(target: Uint32Array, value: number, at: number, count: number): void {
  if (target.length === 0) return;
  if (count >= NATIVE_FROM) target.fill(value, at, at + count);
  else for (let i = 0; i < count; i++) target[at + i] = value;
}
