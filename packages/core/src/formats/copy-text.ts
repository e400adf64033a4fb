import { copyBytes } from '../storage/term-bytes.ts';

/** How far {@link copySteps} goes at a time. */
export const STEP_BYTES = 32;

/*
 * Both go by doubles: eight bytes a step, where a native copy has a fixed cost of more than a line
 * takes. A double keeps all its bits on the way unless it is a NaN, of which an engine may make
 * another one. No eight bytes of UTF-8 are a NaN: the last one would be 0xff, which UTF-8 does not
 * have, or 0x7f behind one of 0xf0 to 0xff, behind which UTF-8 has a byte from 0x80 on.
 */

/**
 * Copies the UTF-8 text `start .. end - 1`, and up to {@link STEP_BYTES} - 1 bytes behind it, for
 * which there must be room in both. Of those in `source` none from 0xf0 on may have 0x7f or 0xff
 * behind it. The target may begin within them, but not before.
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

/** Copies the UTF-8 text `start .. end - 1` and nothing else; returns where it ends in `target`. */
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
  // The last two doubles may overlap the ones before them.
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
