import { WorldsError } from '../../model/worlds-error.ts';

/**
 * How long a computed string may get, in UTF-16 units. A string is copied, encoded and hashed at
 * one go, some tens of milliseconds for this length; JavaScript itself ends at 2^29, with an
 * exception of its own.
 */
export const MAX_STRING_LENGTH = 2 ** 24;

/**
 * Throws LIMIT_EXCEEDED when a string of this length is too long to be made: a few doublings by
 * CONCAT or REPLACE get there.
 */
export function checkStringLength(length: number): void {
  if (length > MAX_STRING_LENGTH)
    throw new WorldsError(
      'LIMIT_EXCEEDED',
      `A query makes a string of more than ${MAX_STRING_LENGTH} characters. Join or replace in smaller texts.`,
    );
}
