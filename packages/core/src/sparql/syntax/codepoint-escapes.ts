import { ASCII, HEX, IRI, isName } from './name-characters.ts';

/**
 * A text with codepoint escapes in names decoded, and a mapping back to offsets in the original.
 */
export interface UnescapedText {
  readonly text: string;
  originalOffset(offset: number): number;
}

/** Throws for an invalid escape; `offset` is that of the backslash. */
export type EscapeFailure = (offset: number, message: string) => never;

/**
 * Decodes the escape at a backslash: `\uXXXX` or `\UXXXXXXXX` (SPARQL 1.1 section 19.2). The result
 * must be a Unicode scalar value: surrogates are rejected, even in pairs.
 */
export function codepointAt(text: string, backslash: number, fail: EscapeFailure): number {
  const digits = text.charCodeAt(backslash + 1) === 0x75 ? 4 : 8;
  let codepoint = 0;
  for (let at = backslash + 2; at < backslash + 2 + digits; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 0;
    if (code > 127 || (ASCII[code] & HEX) === 0)
      fail(backslash, `Expected ${digits} hexadecimal digits after "${text.slice(backslash, backslash + 2)}"`);
    codepoint = codepoint * 16 + (code <= 57 ? code - 48 : (code | 32) - 87);
  }
  if (codepoint > 0x10ffff || (codepoint >= 0xd800 && codepoint <= 0xdfff))
    fail(backslash, `${text.slice(backslash, backslash + 2 + digits)} is not a Unicode character`);
  return codepoint;
}

/** Whether a codepoint escape starts at a backslash; it is 6 or 10 characters long. */
export function isCodepointEscape(text: string, backslash: number): boolean {
  const code = text.charCodeAt(backslash + 1);
  return code === 0x75 || code === 0x55;
}

/**
 * Returns the offset after the `>` of an IRI that starts at `<`, or -1 if there is none (rule 139,
 * with codepoint escapes).
 */
export function endOfIri(text: string, start: number): number {
  const { length } = text;
  for (let at = start + 1; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 128 || (ASCII[code] & IRI) !== 0) continue;
    if (code === 0x3e) return at + 1;
    if (code === 0x5c && isCodepointEscape(text, at)) continue;
    return -1;
  }
  return -1;
}

/**
 * Returns the offset after the string that starts at a quote, or the end of the text if it is
 * unterminated.
 */
function endOfString(text: string, start: number): number {
  const { length } = text;
  const quote = text.charCodeAt(start);
  const isLong = text.charCodeAt(start + 1) === quote && text.charCodeAt(start + 2) === quote;
  for (let at = isLong ? start + 3 : start + 1; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x5c) at++;
    else if (code === quote) {
      if (!isLong) return at + 1;
      if (text.charCodeAt(at + 1) === quote && text.charCodeAt(at + 2) === quote) return at + 3;
    } else if ((code === 0x0a || code === 0x0d) && !isLong) return at + 1;
  }
  return length;
}

/** Number of characters, or escapes times {@link ESCAPE_UNITS}, that are read between yields. */
const UNITS_PER_STEP = 1 << 16;
const ESCAPE_UNITS = 16;

/**
 * Decodes codepoint escapes outside strings and IRIs; the scanner decodes the others. Section 19.2
 * permits them anywhere the character is legal. This implementation restricts them to name
 * characters, `:` and `.`, so that an escape never creates a delimiter, a string or another escape.
 * Returns undefined if there are none. A kernel: yields between tokens of a long text.
 */
export function* withoutNameEscapes(
  text: string,
  fail: EscapeFailure,
): Generator<void, UnescapedText | undefined, void> {
  const parts: string[] = [];
  /** Offsets in the new text after each escape, and how far the original is ahead from there. */
  const ends: number[] = [];
  const shifts: number[] = [];
  let kept = 0;
  let length = 0;
  let nextYield = UNITS_PER_STEP;
  for (let at = 0; at < text.length; ) {
    if (at >= nextYield) {
      yield;
      nextYield = at + UNITS_PER_STEP;
    }
    const code = text.charCodeAt(at);
    if (code === 0x23) {
      while (at < text.length && text[at] !== '\n' && text[at] !== '\r') at++;
    } else if (code === 0x22 || code === 0x27) at = endOfString(text, at);
    else if (code === 0x3c) at = Math.max(at + 1, endOfIri(text, at));
    else if (code !== 0x5c) at++;
    else if (!isCodepointEscape(text, at)) at += 2;
    else {
      const codepoint = codepointAt(text, at, fail);
      const character = String.fromCodePoint(codepoint);
      if (!isName(character.charCodeAt(0)) && character !== ':' && character !== '.')
        fail(at, `The escaped character ${JSON.stringify(character)} is not allowed outside a string or IRI`);
      const end = at + (text[at + 1] === 'u' ? 6 : 10);
      parts.push(text.slice(kept, at), character);
      length += at - kept + character.length;
      at = kept = end;
      ends.push(length);
      shifts.push(end - length);
      nextYield -= ESCAPE_UNITS;
    }
  }
  if (parts.length === 0) return undefined;
  parts.push(text.slice(kept));
  return {
    text: parts.join(''),
    originalOffset(offset) {
      let before = 0;
      while (before < ends.length && ends[before] <= offset) before++;
      return before === 0 ? offset : offset + shifts[before - 1];
    },
  };
}
