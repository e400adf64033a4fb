// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what has to be escaped.
const NEEDS_ESCAPE = /["\\\u0000-\u001f\u007f\ufffe\uffff]/g;

const ECHAR: Readonly<Record<string, string>> = {
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\f': '\\f',
  '\r': '\\r',
  '"': '\\"',
  '\\': '\\\\',
};

/**
 * Returns a string as in canonical N-Quads (RDF 1.2 N-Quads section 3), quotes included:
 * "Characters BS, HT, LF, FF, CR, ", and \ MUST be encoded using ECHAR." "Characters in the range
 * from U+0000 to U+0007, VT, characters in the range from U+000E to U+001F, DEL, and characters not
 * matching the Char production from XML 1.1 MUST be represented by UCHAR using a lowercase \u with
 * 4 HEXes." "HEX MUST use only digits and uppercase letters."
 */
export function quotedText(value: string): string {
  const escaped = value.replace(
    NEEDS_ESCAPE,
    (character) => ECHAR[character] ?? `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
  );
  return `"${escaped}"`;
}
