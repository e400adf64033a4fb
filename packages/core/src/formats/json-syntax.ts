import { WorldsError } from '../model/worlds-error.ts';
import { locationAt } from './location-at.ts';

/** Deeper documents are refused: what follows the parser (expansion, canonical JSON) recurses. */
const MAX_DEPTH = 512;
/** How many values are checked between two yields. */
const VALUES_A_SLICE = 4096;

// RFC 8259 section 6
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WHITESPACE = /[ \t\n\r]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 8259 section 7 forbids unescaped controls
const PLAIN_CHARACTERS = /[^"\\\u0000-\u001f]*/y;
const ESCAPE =
  /\\(?:["\\/bfnrt]|u[dD][89aAbB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u(?![dD][89a-fA-F])[0-9a-fA-F]{4})/y;
const LITERALS = ['true', 'false', 'null'];

/**
 * Checks that a text is JSON (RFC 8259) that can safely be parsed and expanded, without recursion, and says where it is not: an
 * engine's own message often has no position, and a deep document overflows its stack. Beyond the grammar it refuses
 * - nesting deeper than 512 levels,
 * - two members of one name (JSON-LD 1.1 section 9: keys of a map must be unique; JSON.parse would drop the first in silence),
 * - numbers beyond the range of a double, and escapes of lone surrogates: neither has a lexical form.
 *
 * A kernel: yields now and then, for the slicer. Throws INVALID_RDF with line and column.
 */
export function* checkJson(text: string, start = 0): Generator<void, void> {
  let at = start;
  let checked = 0;
  /** The open containers: the names used so far in an object, null for an array. */
  const open: (Set<string> | null)[] = [];

  const fail = (message: string, offset = at): never => {
    throw new WorldsError('INVALID_RDF', `Invalid JSON: ${message}`, { location: locationAt(text, offset) });
  };
  const found = (): string =>
    at < text.length ? JSON.stringify(String.fromCodePoint(text.codePointAt(at)!)) : 'the end';
  const skip = (pattern: RegExp): number => {
    pattern.lastIndex = at;
    const matched = pattern.test(text);
    if (matched) at = pattern.lastIndex;
    return matched ? at : -1;
  };
  const string = (): string => {
    const opening = at++;
    for (;;) {
      skip(PLAIN_CHARACTERS);
      const character = text[at];
      if (character === '"') return text.slice(opening, ++at);
      if (character === undefined) fail('a string has no closing quote', opening);
      if (character !== '\\') fail(`the control character ${found()} must be escaped in a string`);
      if (skip(ESCAPE) < 0) fail('this is no escape sequence of JSON, or one half of a surrogate pair');
    }
  };
  const memberName = (names: Set<string>): void => {
    skip(WHITESPACE);
    const opening = at;
    if (text[at] !== '"') fail(`expected the name of a member in double quotes, found ${found()}`);
    const quoted = string();
    const name = quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
    if (names.has(name)) fail(`the member ${quoted} occurs twice in one object`, opening);
    names.add(name);
    skip(WHITESPACE);
    if (text[at] !== ':') fail(`expected ":" after the name of a member, found ${found()}`);
    at++;
  };

  value: for (;;) {
    if (++checked % VALUES_A_SLICE === 0) yield;
    skip(WHITESPACE);
    const character = text[at];
    if (character === '{' || character === '[') {
      if (open.length === MAX_DEPTH) fail(`nested deeper than ${MAX_DEPTH} levels`);
      at++;
      const names = character === '{' ? new Set<string>() : null;
      open.push(names);
      skip(WHITESPACE);
      if (text[at] !== (names ? '}' : ']')) {
        if (names) memberName(names);
        continue;
      }
    } else if (character === '"') string();
    else if (character === '-' || (character >= '0' && character <= '9')) {
      const first = at;
      if (skip(NUMBER) < 0) fail('expected a digit after "-"', first + 1);
      if (!Number.isFinite(Number(text.slice(first, at)))) fail('this number is beyond the range of a double', first);
    } else {
      const literal = LITERALS.find((candidate) => text.startsWith(candidate, at));
      if (!literal) fail(`expected a value, found ${found()}`);
      at += literal!.length;
    }
    // A value is complete, or the container at `at` is empty: go on with, or close, what is open.
    for (;;) {
      skip(WHITESPACE);
      if (open.length === 0) {
        if (at < text.length) fail(`expected the end of the document, found ${found()}`);
        return;
      }
      const names = open[open.length - 1];
      if (text[at] === ',') {
        at++;
        if (names) memberName(names);
        continue value;
      }
      if (text[at] !== (names ? '}' : ']')) fail(`expected "," or "${names ? '}' : ']'}", found ${found()}`);
      at++;
      open.pop();
    }
  }
}
