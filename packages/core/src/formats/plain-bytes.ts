/**
 * Scans four bytes at a time. Each test is the usual one for "does any byte of this word ...":
 * false positives are possible, false negatives are not, and the caller checks the position where
 * these functions stop.
 */

const HIGH_BITS = 0x8080_8080 | 0;

/** Returns the high bit of every zero byte of a word (and possibly of a neighbour). */
function zeroBytes(word: number): number {
  return (word - 0x0101_0101) & ~word & HIGH_BITS;
}

/**
 * Returns the first offset from `at` on that may hold a character not allowed unescaped in an IRI
 * (RDF 1.1 N-Triples section 7, IRIREF).
 */
export function skipPlainIri(bytes: DataView, at: number): number {
  for (const end = bytes.byteLength - 3; at < end; at += 4) {
    const word = bytes.getInt32(at, true);
    const odd =
      // Not ASCII, or { and above; ~ is a false positive.
      (((word + 0x0505_0505) | word) & HIGH_BITS) |
      // Controls and space.
      ((word - 0x2121_2121) & ~word & HIGH_BITS) |
      // < and > differ in one bit, as \ and ^ do.
      zeroBytes((word | 0x0202_0202) ^ 0x3e3e_3e3e) |
      zeroBytes((word | 0x0202_0202) ^ 0x5e5e_5e5e) |
      zeroBytes(word ^ 0x6060_6060) |
      zeroBytes(word ^ 0x2222_2222);
    if (odd !== 0) return at;
  }
  return at;
}

/**
 * Returns the first offset from `at` on that may hold a character not allowed unescaped in a string
 * (STRING_LITERAL_QUOTE).
 */
export function skipPlainString(bytes: DataView, at: number): number {
  for (const end = bytes.byteLength - 3; at < end; at += 4) {
    const word = bytes.getInt32(at, true);
    const odd =
      (word & HIGH_BITS) |
      zeroBytes(word ^ 0x2222_2222) |
      zeroBytes(word ^ 0x5c5c_5c5c) |
      zeroBytes(word ^ 0x0a0a_0a0a) |
      zeroBytes(word ^ 0x0d0d_0d0d);
    if (odd !== 0) return at;
  }
  return at;
}
