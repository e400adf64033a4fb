import { Buffer } from '#platform';

const BACKSLASH = 0x5c;
const SMALL_U = 0x75;
const BIG_U = 0x55;
const MAX_CODE_POINT = 0x10ffff;

/**
 * Unescapes very long strings of Turtle, TriG and N3 in one pass: n3 allocates a string per escape
 * and then joins them all. Returns null for an invalid escape sequence.
 */
export function unescapeLong(text: string, replacements: Readonly<Record<string, string>>): string | null {
  if (!text.includes('\\')) return text;
  const units = new Uint16Array(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    // A backslash at the very end is not an escape sequence.
    if (unit !== BACKSLASH || at === text.length - 1) {
      units[length++] = unit;
      continue;
    }
    const kind = text.charCodeAt(++at);
    if (kind !== SMALL_U && kind !== BIG_U) {
      const replacement = replacements[text[at]];
      if (replacement === undefined) return null;
      units[length++] = replacement.charCodeAt(0);
      continue;
    }
    let codePoint = 0;
    for (let digits = kind === SMALL_U ? 4 : 8; digits > 0; digits--) {
      const digit = hexDigit(text.charCodeAt(++at));
      if (digit < 0) return null;
      codePoint = codePoint * 16 + digit;
    }
    // "The code points U+D800 to U+DFFF are excluded" (RDF 1.2 Turtle section 6.4).
    if (codePoint > MAX_CODE_POINT || (codePoint >= 0xd800 && codePoint < 0xe000)) return null;
    if (codePoint > 0xffff) {
      units[length++] = 0xd7c0 + (codePoint >> 10);
      units[length++] = 0xdc00 + (codePoint & 0x3ff);
    } else units[length++] = codePoint;
  }
  return Buffer.from(units.buffer, 0, 2 * length).toString('utf16le');
}

function hexDigit(unit: number): number {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  const lower = unit | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x61 + 10 : -1;
}
