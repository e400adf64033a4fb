import { WorldsError } from '../../../model/worlds-error.ts';

/**
 * Step limit of one REGEX or REPLACE call on one text: some tens of milliseconds, during which
 * nothing else runs in this process. Every matcher is linear in the text or has its own limit, but
 * a call cannot pause, so long texts need this limit, too; texts of many megabytes are not expected
 * in row-by-row searches.
 */
export const MAX_STEPS = 500_000;

/**
 * Characters that a matcher reads in the time of one step if it only reads, so at most 2 million in
 * total.
 */
export const READS_PER_STEP = 4;

/** The same limit for JavaScript's matcher, which reads a unit in a nanosecond. */
export const MAX_NATIVE_READS = 8_000_000;

export function tooManySteps(text: string): WorldsError {
  return new WorldsError(
    'LIMIT_EXCEEDED',
    `REGEX or REPLACE took too many steps on a text of ${text.length} characters. Use a simpler pattern, without back-references, or shorter texts.`,
  );
}
