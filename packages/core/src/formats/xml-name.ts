/**
 * Namespaces in XML 1.0, production NCName: the characters allowed first and those allowed after.
 */
const NAME_START =
  'A-Z_a-z\\xC0-\\xD6\\xD8-\\xF6\\xF8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C-\\u200D\\u2070-\\u218F\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}';
const NAME_REST = `${NAME_START}.0-9\\xB7\\u0300-\\u036F\\u203F-\\u2040\\-`;

const NCNAME = new RegExp(`^[${NAME_START}][${NAME_REST}]*$`, 'u');
const STARTS = new RegExp(`^[${NAME_START}]$`, 'u');
const FOLLOWS = new RegExp(`^[${NAME_REST}]$`, 'u');

/** Returns whether a text is an NCName: an XML name without a colon. */
export function isNCName(text: string): boolean {
  return NCNAME.test(text);
}

/**
 * Returns the start of the longest NCName at the end of a text, or the text's length if there is
 * none. Takes linear time.
 */
export function ncNameStart(text: string): number {
  let start = text.length;
  let at = text.length;
  while (at > 0) {
    const isPair = at > 1 && /^[\uDC00-\uDFFF]$/.test(text[at - 1]);
    const before = at - (isPair ? 2 : 1);
    const character = text.slice(before, at);
    if (!FOLLOWS.test(character)) break;
    if (STARTS.test(character)) start = before;
    at = before;
  }
  return start;
}
