import type { IriMeter } from './iri-meter.ts';

/** Longer entities are rejected: entities are meant for namespaces, not for text. */
const MAX_LENGTH = 1024;

const PREDEFINED = new Set(['lt', 'gt', 'amp', 'apos', 'quot']);
const SPACE_COMMENT_OR_INSTRUCTION = /(?:[ \t\r\n]+|<!--[\s\S]*?-->|<\?[\s\S]*?\?>)*/y;
const INTERNAL_ENTITY = /<!ENTITY\s+([^\s%&;'"<>]+)\s+(?:"([^"]*)"|'([^']*)')\s*>/y;
const HARMLESS_DECLARATION = /<!(?:ELEMENT|NOTATION)\s(?:[^>"']|"[^"]*"|'[^']*')*>/y;

/**
 * Returns the entities declared in the internal subset of a DOCTYPE: plain text, which RDF/XML
 * documents use to shorten IRIs.
 *
 * `doctype` is the text between `<!DOCTYPE` and the last `>`. The external subset is not read:
 * nothing is ever fetched (XML 1.0 section 5.1 leaves that to the processor). External and
 * parameter entities, entities that contain markup or other entities, and declared attributes are
 * rejected with `fail`, since expanding them incorrectly or without limits would be worse. More
 * than `maxEntities` are LIMIT_EXCEEDED.
 */
export function declaredEntities(
  doctype: string,
  meter: IriMeter,
  fail: (message: string) => never,
): Map<string, string> {
  const entities = new Map<string, string>();
  const start = doctype.indexOf('[');
  if (start < 0) return entities;
  const subset = doctype.slice(start + 1, doctype.lastIndexOf(']'));

  let at = 0;
  let count = 0;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(subset);
    if (found) at = pattern.lastIndex;
    return found;
  };
  for (match(SPACE_COMMENT_OR_INSTRUCTION); at < subset.length; match(SPACE_COMMENT_OR_INSTRUCTION)) {
    const entity = match(INTERNAL_ENTITY);
    if (entity) {
      meter.claimEntities(++count);
      const [, name, double, single] = entity;
      // XML 1.0 section 4.2: the first declaration is binding; section 4.6: predefined entities
      // cannot change their meaning.
      if (!entities.has(name) && !PREDEFINED.has(name)) entities.set(name, replacement(name, double ?? single, fail));
    } else if (!match(HARMLESS_DECLARATION)) {
      const declaration = subset.slice(at, at + 40).split('\n', 1)[0];
      fail(
        `the DOCTYPE contains "${declaration}": only internal entities with plain text are supported, neither external entities nor attributes`,
      );
    }
  }
  return entities;
}

/**
 * XML 1.0 section 4.5: character references in a literal entity value are replaced at declaration.
 */
function replacement(name: string, literal: string, fail: (message: string) => never): string {
  const text = literal.replace(/&#(?:x([0-9A-Fa-f]+)|([0-9]+));/g, (reference, hexadecimal, decimal) => {
    const code = hexadecimal ? Number.parseInt(hexadecimal, 16) : Number(decimal);
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) || code === 0)
      fail(`${reference} in the entity "${name}" is not a character`);
    return String.fromCodePoint(code);
  });
  if (/[&%<]/.test(text))
    fail(`the entity "${name}" contains markup or another entity, which is not supported: write its text in full`);
  if (text.length > MAX_LENGTH) fail(`the entity "${name}" is longer than ${MAX_LENGTH} characters`);
  return text;
}
