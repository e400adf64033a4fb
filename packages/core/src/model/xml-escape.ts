import { WorldsError } from './worlds-error.ts';

/**
 * Characters excluded by XML 1.0 section 2.2 (production Char); a character reference cannot
 * express them either (section 4.1).
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the production excludes most of the range #x0-#x1F
const NO_XML_CHARACTER = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;
const NEEDS_ESCAPE = /[&<>"\t\n\r]/;

/**
 * Escapes text for element content. A carriage return must be a reference, because parsers read it
 * as a line feed (XML 1.0 section 2.11).
 */
export function xmlContent(text: string, advice: string): string {
  requireXml(text, advice);
  // Fast path: most text needs no escaping.
  if (!NEEDS_ESCAPE.test(text)) return text;
  return text.replace(/[&<>\r]/g, reference);
}

/**
 * Escapes text for an attribute value in double quotes. White space must be references, because
 * parsers read it as spaces (XML 1.0 section 3.3.3).
 */
export function xmlAttribute(text: string, advice: string): string {
  requireXml(text, advice);
  if (!NEEDS_ESCAPE.test(text)) return text;
  return text.replace(/[&<>"\t\n\r]/g, reference);
}

const ENTITIES = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
]);

function reference(character: string): string {
  return ENTITIES.get(character) ?? `&#${character.charCodeAt(0)};`;
}

/**
 * Throws UNSUPPORTED, with `advice` (a clause such as "ask for JSON instead"), if XML 1.0 cannot
 * represent a character of the text.
 */
function requireXml(text: string, advice: string): void {
  const found = NO_XML_CHARACTER.exec(text);
  if (!found) return;
  const code = found[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  throw new WorldsError(
    'UNSUPPORTED',
    `A term contains the character U+${code}, which XML 1.0 cannot represent: ${advice}.`,
  );
}
