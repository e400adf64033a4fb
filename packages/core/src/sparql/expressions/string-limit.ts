import { limitExceeded, type RequestLimits } from '../../model/request-limits.ts';

/**
 * Maximum length of a computed string whatever the limit, in UTF-16 code units. JavaScript's own
 * limit is 2^29, and one step may triple a string whose length was checked before.
 */
const MAX_LENGTH = 1 << 27;

/**
 * Throws LIMIT_EXCEEDED if a string of this length, in UTF-16 code units, is too long to create. A
 * few doublings by CONCAT or REPLACE reach the limit.
 */
export function checkStringLength(length: number, limits: RequestLimits): void {
  const maxStringLength = Math.min(limits.maxStringLength, MAX_LENGTH);
  if (length > maxStringLength) throw limitExceeded('maxStringLength', { ...limits, maxStringLength });
}
