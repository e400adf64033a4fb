/** Decodes code points from UTF-8 bytes, strictly: RFC 3629 section 4. */

/**
 * Returns the code point that starts at `at`, or -1 if the bytes are not well-formed UTF-8
 * (overlong, surrogate, beyond U+10FFFF, truncated).
 */
export function codePointAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at];
  if (first < 0x80) return first;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || at + length > bytes.length) return -1;
  let point = first & (0x7f >> length);
  for (let i = 1; i < length; i++) {
    const byte = bytes[at + i];
    if ((byte & 0xc0) !== 0x80) return -1;
    point = (point << 6) | (byte & 0x3f);
  }
  if (length === 3 && (point < 0x800 || (point >= 0xd800 && point <= 0xdfff))) return -1;
  if (length === 4 && (point < 0x1_0000 || point > 0x10_ffff)) return -1;
  return point;
}

/** Returns the number of UTF-8 bytes of a code point. */
export function utf8Length(point: number): number {
  if (point < 0x80) return 1;
  if (point < 0x800) return 2;
  return point < 0x1_0000 ? 3 : 4;
}

/** Writes a code point and returns the offset after it. */
export function writeCodePoint(bytes: Uint8Array, at: number, point: number): number {
  if (point < 0x80) {
    bytes[at++] = point;
  } else if (point < 0x800) {
    bytes[at++] = 0xc0 | (point >> 6);
    bytes[at++] = 0x80 | (point & 0x3f);
  } else if (point < 0x1_0000) {
    bytes[at++] = 0xe0 | (point >> 12);
    bytes[at++] = 0x80 | ((point >> 6) & 0x3f);
    bytes[at++] = 0x80 | (point & 0x3f);
  } else {
    bytes[at++] = 0xf0 | (point >> 18);
    bytes[at++] = 0x80 | ((point >> 12) & 0x3f);
    bytes[at++] = 0x80 | ((point >> 6) & 0x3f);
    bytes[at++] = 0x80 | (point & 0x3f);
  }
  return at;
}

const NAME_START_RANGES = [
  [0x41, 0x5a],
  [0x61, 0x7a],
  [0xc0, 0xd6],
  [0xd8, 0xf6],
  [0xf8, 0x2ff],
  [0x370, 0x37d],
  [0x37f, 0x1fff],
  [0x200c, 0x200d],
  [0x2070, 0x218f],
  [0x2c00, 0x2fef],
  [0x3001, 0xd7ff],
  [0xf900, 0xfdcf],
  [0xfdf0, 0xfffd],
  [0x1_0000, 0xe_ffff],
] as const;

/** PN_CHARS_BASE of RDF 1.1 N-Triples section 7. */
function isNameStart(point: number): boolean {
  return NAME_START_RANGES.some(([low, high]) => point >= low && point <= high);
}

/**
 * Returns whether a code point may start a blank-node label: PN_CHARS_U | [0-9] (RDF 1.1 N-Triples
 * section 7). Excludes the colon that its PN_CHARS_U lists: the erratum, the test suite and Turtle
 * reject it.
 */
export function isLabelStart(point: number): boolean {
  return isNameStart(point) || point === 0x5f || (point >= 0x30 && point <= 0x39);
}

/**
 * Returns whether a code point may follow in a blank-node label: PN_CHARS. Excludes the dot, which
 * may not be last.
 */
export function isLabelPart(point: number): boolean {
  return (
    isLabelStart(point) ||
    point === 0x2d ||
    point === 0xb7 ||
    (point >= 0x300 && point <= 0x36f) ||
    (point >= 0x203f && point <= 0x2040)
  );
}
