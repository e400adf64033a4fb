import { WorldsError } from '../../../model/worlds-error.ts';

/**
 * How many steps one call of REGEX or REPLACE may take on one text: some tens of milliseconds, in
 * which nothing else runs in this process. Every matcher is linear in the text or has a limit of
 * its own, but a line can be long: a call cannot pause, and a text of many megabytes is one that
 * nobody searches row by row.
 */
export const MAX_STEPS = 2_000_000;

/**
 * Characters that a matcher reads in the time of one step when it does nothing but read: so 8
 * million at most.
 */
export const READS_PER_STEP = 4;

export function tooManySteps(text: string): WorldsError {
  return new WorldsError(
    'LIMIT_EXCEEDED',
    `REGEX or REPLACE took too many steps on a text of ${text.length} characters. Use a pattern that looks less far ahead and refers to nothing before, or shorter texts.`,
  );
}
