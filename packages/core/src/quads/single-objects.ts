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
  let index = indexes[0];
  for (let row = 0; ; ) {
    row = index.getAll(subjects, row, length, out);
    if (row === length) return countTerms(out, length);
    const other = indexes.length > 1 ? indexOf(subjects[row], indexes) : undefined;
    if (other) index = other;
    else out[row++] = NO_TERM;
  }
}

function countTerms(terms: Uint32Array, length: number): number {
  let count = 0;
  for (let row = 0; row < length; row++) if (terms[row] !== NO_TERM) count++;
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
  for (const index of indexes) {
    for (let row = 0; row < length; row++) {
      const object = index.get(subjects[row]);
      // Two worlds may have the same triple.
      if (object === NO_TERM || out[row] === object) continue;
      if (out[row] !== NO_TERM) return undefined;
      out[row] = object;
      count++;
    }
  }
  return count;
}
