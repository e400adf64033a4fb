/** Character classes of ASCII characters, as bits of {@link ASCII}. */
/** PN_CHARS_U (rule 165): may start a name. Without `_` it is PN_CHARS_BASE. */
export const NAME_START = 1;
/** PN_CHARS (rule 167): may occur inside a name. */
export const NAME = 2;
/** May occur inside a variable name (rule 166). */
export const VARIABLE = 4;
/** May occur inside `<...>` (rule 139). */
export const IRI = 8;
/** May follow the backslash of an escape in a local name (rule 173). */
export const LOCAL_ESCAPE = 16;
export const HEX = 32;
export const DIGIT = 64;
/** May occur inside a keyword. */
export const WORD = 128;

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';

export const ASCII = new Uint8Array(128);
const mark = (characters: string, bits: number) => {
  for (const character of characters) ASCII[character.charCodeAt(0)] |= bits;
};
mark(LETTERS, NAME_START | NAME | VARIABLE | WORD);
mark('_', NAME_START | NAME | VARIABLE | WORD);
mark(DIGITS, NAME | VARIABLE | WORD | DIGIT | HEX);
mark('-', NAME);
mark('ABCDEFabcdef', HEX);
mark("_~.-!$&'()*+,;=/?#@%", LOCAL_ESCAPE);
for (let code = 0x21; code < 128; code++) if (!'<>"{}|^`\\'.includes(String.fromCharCode(code))) ASCII[code] |= IRI;

/**
 * First and last code units of PN_CHARS_BASE (rule 164) beyond ASCII. Surrogates stand for U+10000
 * to U+EFFFF; the text must be well-formed.
 */
const BASE_RANGES = new Uint16Array([
  0xc0, 0xd6, 0xd8, 0xf6, 0xf8, 0x2ff, 0x370, 0x37d, 0x37f, 0x1fff, 0x200c, 0x200d, 0x2070, 0x218f, 0x2c00, 0x2fef,
  0x3001, 0xd7ff, 0xd800, 0xdb7f, 0xdc00, 0xdfff, 0xf900, 0xfdcf, 0xfdf0, 0xfffd,
]);

function isBaseBeyondAscii(code: number): boolean {
  for (let at = 0; at < BASE_RANGES.length; at += 2) {
    if (code < BASE_RANGES[at]) return false;
    if (code <= BASE_RANGES[at + 1]) return true;
  }
  return false;
}

/** PN_CHARS_U: whether a code unit may start a name or label. */
export function isNameStart(code: number): boolean {
  return code < 128 ? (ASCII[code] & NAME_START) !== 0 : isBaseBeyondAscii(code);
}

const isCombining = (code: number) =>
  code === 0xb7 || (code >= 0x300 && code <= 0x36f) || code === 0x203f || code === 0x2040;

/** PN_CHARS: whether a code unit may occur inside a name. */
export function isName(code: number): boolean {
  return code < 128 ? (ASCII[code] & NAME) !== 0 : isBaseBeyondAscii(code) || isCombining(code);
}

/** Whether a code unit may occur inside a variable name: PN_CHARS without the hyphen. */
export function isVariable(code: number): boolean {
  return code < 128 ? (ASCII[code] & VARIABLE) !== 0 : isBaseBeyondAscii(code) || isCombining(code);
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
