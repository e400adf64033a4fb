/** Lengths below this are exact. */
const EXACT = 128;
/** Length of the last code, which also represents all longer texts. */
const LONGEST = 262_144;
const RATIO = (LONGEST / EXACT) ** (1 / (255 - EXACT));

/** Length, in words, of each one-byte code: exact below 128, then in steps of 6 %. Ascending. */
export const LENGTHS: Float64Array = Float64Array.from({ length: 256 }, (_, code) =>
  code < EXACT ? code : Math.round(EXACT * RATIO ** (code - EXACT)),
);

/** Returns the code of a length: the greatest whose length does not exceed it. */
export function lengthCode(length: number): number {
  if (length < EXACT) return length;
  let low = EXACT;
  let high = 256;
  while (low + 1 < high) {
    const middle = (low + high) >>> 1;
    if (LENGTHS[middle] <= length) low = middle;
    else high = middle;
  }
  return low;
}
