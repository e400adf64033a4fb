import { WorldsError } from '../../model/worlds-error.ts';

/**
 * Maximum length of a computed string, in UTF-16 code units. A string is copied, encoded and hashed
 * in one step, which takes up to 40 ms at this length. JavaScript's own limit
 * is 2^29 and raises its own exception.
 */
export const MAX_STRING_LENGTH = 3_000_000;

/**
 * Throws LIMIT_EXCEEDED if a string of this length is too long to create. A few doublings by CONCAT
 * or REPLACE reach the limit.
 */
export function checkStringLength(length: number): void {
  if (length > MAX_STRING_LENGTH)
    throw new WorldsError(
      'LIMIT_EXCEEDED',
      `The query creates a string of more than ${MAX_STRING_LENGTH} characters. Concatenate or replace in smaller texts.`,
    );
}
