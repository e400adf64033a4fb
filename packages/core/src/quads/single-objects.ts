import { NO_TERM } from '../contracts/term-source.ts';
import type { DirectIndex } from './direct-index.ts';

/**
 * Writes the object of each of the first `length` subjects to `out`, or NO_TERM, and returns how
 * many have one.
 *
 * @param indexes their ranges of subjects do not overlap
 */
export function objectsApart(
  indexes: readonly DirectIndex[],
  subjects: Uint32Array,
  length: number,
  out: Uint32Array,
): number {
  let { first, values } = indexes[0];
  let count = 0;
  for (let row = 0; row < length; row++) {
    const subject = subjects[row];
    // Also for ids below the first one, which wrap around.
    let at = (subject - first) >>> 0;
    if (at >= values.length) {
      const index = indexes.length > 1 ? indexOf(subject, indexes) : undefined;
      out[row] = NO_TERM;
      if (index === undefined) continue;
      ({ first, values } = index);
      at = subject - first;
    }
    out[row] = values[at];
    if (values[at] !== NO_TERM) count++;
  }
  return count;
}

function indexOf(subject: number, indexes: readonly DirectIndex[]): DirectIndex | undefined {
  for (const index of indexes) if (subject >= index.lowest && subject <= index.highest) return index;
  return undefined;
}

/**
 * As {@link objectsApart}, for indexes that may have subjects in common. Returns undefined if one
 * of them has two objects.
 */
export function objectsInAll(
  indexes: readonly DirectIndex[],
  subjects: Uint32Array,
  length: number,
  out: Uint32Array,
): number | undefined {
  let count = 0;
  out.fill(NO_TERM, 0, length);
  for (const { first, values } of indexes) {
    for (let row = 0; row < length; row++) {
      const at = (subjects[row] - first) >>> 0;
      if (at >= values.length || values[at] === NO_TERM) continue;
      // Two worlds may have the same triple.
      if (out[row] === values[at]) continue;
      if (out[row] !== NO_TERM) return undefined;
      out[row] = values[at];
      count++;
    }
  }
  return count;
}
