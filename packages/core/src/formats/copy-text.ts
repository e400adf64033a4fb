import { copyBytes } from '../contracts/term-bytes.ts';

/** Number of bytes that {@link copySteps} copies per step. */
export const STEP_BYTES = 32;

/*
 * Both functions copy doubles, eight bytes at a time; a native copy's fixed cost exceeds that of a
 * whole line. A double keeps all its bits unless it is a NaN, which an engine may replace by
 * another NaN. No eight bytes of UTF-8 form a NaN: the last byte would have to be 0xff, which UTF-8
 * does not use, or 0x7f after one of 0xf0 to 0xff, which UTF-8 follows with a byte from 0x80 on.
 */

/**
 * Copies the UTF-8 text `start .. end - 1` and up to {@link STEP_BYTES} - 1 bytes after it; both
 * buffers must have room for them. In these bytes of `source`, no byte from 0xf0 on may be followed
 * by 0x7f or 0xff. The target may start within the copied bytes, but not before them.
 */
export function copySteps(source: DataView, start: number, end: number, target: DataView, at: number): void {
  for (; start < end; start = (start + STEP_BYTES) | 0, at = (at + STEP_BYTES) | 0) {
    const first = source.getFloat64(start, true);
    const second = source.getFloat64((start + 8) | 0, true);
    const third = source.getFloat64((start + 16) | 0, true);
    const fourth = source.getFloat64((start + 24) | 0, true);
    target.setFloat64(at, first, true);
    target.setFloat64((at + 8) | 0, second, true);
    target.setFloat64((at + 16) | 0, third, true);
    target.setFloat64((at + 24) | 0, fourth, true);
  }
}

/** Copies exactly the UTF-8 text `start .. end - 1`. Returns the end offset in `target`. */
export function copyText(source: DataView, start: number, end: number, target: DataView, at: number): number {
  const atEnd = (at + end - start) | 0;
  if (end - start < 16) {
    if (end - start < 8) {
      copyBytes(source, start, end, target, at);
    } else {
      target.setFloat64(at, source.getFloat64(start, true), true);
      target.setFloat64((atEnd - 8) | 0, source.getFloat64((end - 8) | 0, true), true);
    }
    return atEnd;
  }
  // The last two doubles may overlap the previous ones.
  const last = (end - 16) | 0;
  for (; start < last; start = (start + 16) | 0, at = (at + 16) | 0) {
    const first = source.getFloat64(start, true);
    const second = source.getFloat64((start + 8) | 0, true);
    target.setFloat64(at, first, true);
    target.setFloat64((at + 8) | 0, second, true);
  }
  target.setFloat64((atEnd - 16) | 0, source.getFloat64(last, true), true);
  target.setFloat64((atEnd - 8) | 0, source.getFloat64((last + 8) | 0, true), true);
  return atEnd;
}
