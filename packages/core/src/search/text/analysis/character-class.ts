/** Separates words. */
export const SEPARATOR = 0;
/** Letter or digit of a script written with spaces between words. */
export const LETTER = 1;
/** Letter, digit or mark of a script without spaces; runs of these are split by a dictionary. */
export const UNSPACED = 2;
/** Belongs to the preceding letter. */
export const MARK = 3;
/** Invisible; ignored inside a word. */
export const JOINER = 4;
/** Separates words, and identifies what is attached: the `s` of `king's`. */
export const APOSTROPHE = 5;

/** Matches any character of a script without spaces. */
export const UNSPACED_SCRIPT =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc\uff70]/u;
const WORD_CHARACTER = /[\p{L}\p{N}]/u;
const COMBINING = /\p{M}/u;
/** Soft hyphen, zero-width joiners, word joiner, byte order mark. */
const JOINERS = new Set([0xad, 0x200c, 0x200d, 0x2060, 0xfeff]);
/** Including the Unicode letters that are typed as apostrophes. */
const APOSTROPHES = new Set([0x27, 0x2bb, 0x2bc, 0x2018, 0x2019, 0xff07]);

const PAGE = 256;
const pages: (Uint8Array | undefined)[] = [];

/**
 * Returns the class of a code point. Lone surrogates are separators. Pages of 256 code points are
 * classified on first use.
 */
export function characterClass(codePoint: number): number {
  const number = codePoint >>> 8;
  const page = (pages[number] ??= classifyPage(number * PAGE));
  return page[codePoint & (PAGE - 1)];
}

function classifyPage(start: number): Uint8Array {
  return Uint8Array.from({ length: PAGE }, (_, offset) => classify(start + offset));
}

function classify(codePoint: number): number {
  if (codePoint >= 0xd800 && codePoint < 0xe000) return SEPARATOR;
  if (JOINERS.has(codePoint)) return JOINER;
  if (APOSTROPHES.has(codePoint)) return APOSTROPHE;
  const character = String.fromCodePoint(codePoint);
  const isMark = COMBINING.test(character);
  if (!isMark && !WORD_CHARACTER.test(character)) return SEPARATOR;
  if (UNSPACED_SCRIPT.test(character)) return UNSPACED;
  return isMark ? MARK : LETTER;
}

/** Returns whether a text consists only of letters, digits and marks. */
export function isWord(text: string): boolean {
  for (const character of text) {
    const kind = characterClass(character.codePointAt(0)!);
    if (kind !== LETTER && kind !== UNSPACED && kind !== MARK) return false;
  }
  return text !== '';
}

/** Lower case of each ASCII letter or digit, 0 for separators. */
export const ASCII_WORD = Uint8Array.from({ length: 128 }, (_, unit) => {
  const character = String.fromCharCode(unit);
  return /[a-z0-9]/i.test(character) ? character.toLowerCase().charCodeAt(0) : 0;
});
