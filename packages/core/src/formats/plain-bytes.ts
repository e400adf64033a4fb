/**
 * Looks at four bytes at once. Each test below is the usual one for "does any byte of this word
 * ...": a false alarm is possible, a miss is not, and the caller looks closer where these functions
 * stop.
 */

const HIGH_BITS = 0x8080_8080 | 0;

/** The high bit of every byte of a word that is zero (and perhaps of its neighbour). */
function zeroBytes(word: number): number {
  return (word - 0x0101_0101) & ~word & HIGH_BITS;
}

/**
 * The first offset from `at` on that may hold something else than a character that an IRI has as it
 * is (RDF 1.1 N-Triples section 7, IRIREF).
 */
export function skipPlainIri(bytes: DataView, at: number): number {
  for (const end = bytes.byteLength - 3; at < end; at += 4) {
    const word = bytes.getInt32(at, true);
    const odd =
      // Not ASCII, or from { on; ~ is a false alarm.
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
 * The first offset from `at` on that may hold something else than a character that a string has as
 * it is (STRING_LITERAL_QUOTE).
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
