import { WorldsError } from '../model/worlds-error.ts';

/**
 * Returns the bindings. Throws INVALID_ARGUMENT for one of a variable that the text does not have:
 * without its value, the query would answer for all values.
 */
export function variablesIn<Terms extends ReadonlyMap<string, unknown>>(
  text: string,
  bindings: Terms | undefined,
  operation: string,
): Terms | undefined {
  if (bindings === undefined || bindings.size === 0) return bindings;
  let read: string | undefined;
  for (const name of bindings.keys()) {
    read ??= unescaped(text);
    if (mentions(read, name)) continue;
    const known = [...new Set(Array.from(read.matchAll(VARIABLE), ([, found]) => found))];
    const meant = known.find((each) => each.toLowerCase() === name.toLowerCase());
    const advice =
      meant === undefined
        ? known.length === 0
          ? 'it has no variables'
          : `its variables are ${known.slice(0, MAX_SHOWN).join(', ')}`
        : `did you mean ${meant}? Variables are case-sensitive`;
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `${operation}: bindings: the text has no variable ${JSON.stringify(name.slice(0, 100))}; ${advice}.`,
    );
  }
  return bindings;
}

const MAX_SHOWN = 20;

/** Variables as SPARQL 1.1 section 19.8 has them: VAR1 and VAR2. */
const VARIABLE = /[?$]((?:[\p{L}\p{N}_\u00B7\u203F\u2040]|[\u0300-\u036F])+)/gu;

/** Whether `?name` or `$name` occurs, and no longer name. Comments and strings count too. */
function mentions(text: string, name: string): boolean {
  if (name === '') return false;
  for (const sign of ['?', '$']) {
    const wanted = sign + name;
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
      const rest = text.slice(at + wanted.length, at + wanted.length + 2);
      if (!/^(?:[\p{L}\p{N}_\u00B7\u203F\u2040]|[\u0300-\u036F])/u.test(rest)) return true;
    }
  }
  return false;
}

/** Codepoint escapes are replaced before a text is parsed (SPARQL 1.1 section 19.2). */
function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\u([0-9A-Fa-f]{4})|\\U00([0-9A-Fa-f]{6})/g, (all, short, long) => {
    const codePoint = Number.parseInt(short ?? long, 16);
    return codePoint > 0x10ffff ? all : String.fromCodePoint(codePoint);
  });
}
