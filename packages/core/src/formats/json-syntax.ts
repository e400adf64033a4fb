import { DEFAULT_REQUEST_LIMITS, limitExceeded, type RequestLimits } from '../model/request-limits.ts';
import { WorldsError } from '../model/worlds-error.ts';
import { locationAt } from './location-at.ts';

/** Nesting limit: the steps after the parser (expansion, canonical JSON) are recursive. */
const MAX_DEPTH = 512;
/** Number of values, or pieces of long strings, between two yields. */
const STEPS_A_SLICE = 1024;
const QUOTE = 0x22;

/** Approximate memory of a value in a small Map or array, including what it expands to. */
const VALUE_BYTES = 80;
const ARRAY_BYTES = 80;
const OBJECT_BYTES = 400;

// RFC 8259 section 6
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WHITESPACE = /[ \t\n\r]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 8259 section 7 forbids unescaped controls
const PLAIN_CHARACTERS = /[^"\\\u0000-\u001f]{0,4096}/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const SHORT_STRING = /"[^"\\\u0000-\u001f]{0,256}"/y;
const ESCAPE =
  /\\(?:["\\/bfnrt]|u[dD][89aAbB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u(?![dD][89a-fA-F])[0-9a-fA-F]{4})/y;

/**
 * Returns a bigint for an integer beyond 2^53, to keep all its digits; with an exponent or a
 * fraction the number is a double.
 */
function exact(written: string, number: number): number | bigint {
  return /^-?\d+$/.test(written) ? BigInt(written) : number;
}

export interface ParseJsonOptions {
  readonly limits?: RequestLimits;
  /**
   * Called periodically with the approximate bytes of the value so far. Its result is yielded for
   * the caller to await.
   */
  readonly reserve?: (bytes: number) => Promise<void> | undefined;
}

/**
 * Parses JSON (RFC 8259) without recursion. Objects become Maps, so that no member name is special.
 * Replaces `JSON.parse`, which cannot be paused, often reports no position, and overflows the stack
 * on deep documents. In addition to the grammar, it rejects
 * - nesting deeper than 512 levels,
 * - duplicate member names (JSON-LD 1.1 section 9: keys of a map must be unique; JSON.parse would
 *   silently drop the first),
 * - numbers beyond the range of a double, and escapes of lone surrogates: neither has a lexical
 *   form. An integer that a double would round becomes a bigint.
 *
 * A kernel: yields periodically, for the slicer. Throws INVALID_RDF, and LIMIT_EXCEEDED for a
 * string longer than `maxTokenLength`, with line and column.
 */
export function* parseJson(
  text: string,
  start = 0,
  { limits = DEFAULT_REQUEST_LIMITS, reserve }: ParseJsonOptions = {},
): Generator<Promise<void> | undefined, unknown> {
  let bytes = 0;
  let at = start;
  let steps = 0;
  /** The open containers, outermost first. */
  const open: (Map<string, unknown> | unknown[])[] = [];
  /** The current member names of the open objects. */
  const names: string[] = [];

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
  /** Skips the characters of a string from its opening quote. Returns whether it has escapes. */
  const skipString = function* (): Generator<undefined, boolean> {
    const opening = at++;
    let escaped = false;
    for (;;) {
      skip(PLAIN_CHARACTERS);
      if (text.charCodeAt(at) === QUOTE) {
        at++;
        return escaped;
      }
      if (++steps % STEPS_A_SLICE === 0) yield;
      if (at - opening > limits.maxTokenLength)
        throw limitExceeded('maxTokenLength', limits, locationAt(text, opening));
      if (at >= text.length) fail('a string has no closing quote', opening);
      if (text[at] === '\\') {
        escaped = true;
        if (skip(ESCAPE) < 0) fail('this is not a JSON escape sequence, or is half of a surrogate pair');
        // biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 8259 section 7 forbids unescaped controls
      } else if (/[\u0000-\u001f]/.test(text[at])) fail(`the control character ${found()} must be escaped in a string`);
    }
  };
  const string = function* (): Generator<undefined, string> {
    const opening = at;
    // Fast path: most strings are short and have no escapes.
    if (skip(SHORT_STRING) >= 0) return text.slice(opening + 1, at - 1);
    const escaped = yield* skipString();
    return escaped ? (JSON.parse(text.slice(opening, at)) as string) : text.slice(opening + 1, at - 1);
  };
  const memberName = function* (members: Map<string, unknown>): Generator<undefined, void> {
    skip(WHITESPACE);
    const opening = at;
    if (text[at] !== '"') fail(`expected a member name in double quotes, found ${found()}`);
    const name = yield* string();
    if (members.has(name)) {
      const quoted = text.slice(opening, Math.min(at, opening + 100));
      fail(`the member ${quoted} occurs twice in one object`, opening);
    }
    names.push(name);
    skip(WHITESPACE);
    if (text[at] !== ':') fail(`expected ":" after the member name, found ${found()}`);
    at++;
  };

  value: for (;;) {
    if (++steps % STEPS_A_SLICE === 0) yield reserve?.(bytes);
    skip(WHITESPACE);
    const character = text[at];
    let value: unknown;
    bytes += VALUE_BYTES;
    if (character === '{' || character === '[') {
      if (open.length === MAX_DEPTH) fail(`nested deeper than ${MAX_DEPTH} levels`);
      at++;
      const members = character === '{' ? new Map<string, unknown>() : undefined;
      bytes += members ? OBJECT_BYTES : ARRAY_BYTES;
      value = members ?? [];
      skip(WHITESPACE);
      if (text[at] !== (members ? '}' : ']')) {
        open.push(value as Map<string, unknown> | unknown[]);
        if (members) yield* memberName(members);
        continue;
      }
      at++;
    } else if (character === '"') value = yield* string();
    else if (character === '-' || (character >= '0' && character <= '9')) {
      const first = at;
      if (skip(NUMBER) < 0) fail('expected a digit after "-"', first + 1);
      const written = text.slice(first, at);
      const number = Number(written);
      if (!Number.isFinite(number)) fail('this number is beyond the range of a double', first);
      value = Number.isInteger(number) && !Number.isSafeInteger(number) ? exact(written, number) : number;
    } else if (text.startsWith('true', at)) {
      value = true;
      at += 4;
    } else if (text.startsWith('false', at)) {
      value = false;
      at += 5;
    } else if (text.startsWith('null', at)) {
      value = null;
      at += 4;
    } else fail(`expected a value, found ${found()}`);
    // A value is complete: add it to its container, then continue with or close the open
    // containers.
    for (;;) {
      const container = open[open.length - 1];
      skip(WHITESPACE);
      if (!container) {
        if (at < text.length) fail(`expected the end of the document, found ${found()}`);
        return value;
      }
      const isArray = Array.isArray(container);
      if (isArray) container.push(value);
      else container.set(names.pop()!, value);
      if (text[at] === ',') {
        at++;
        if (!isArray) yield* memberName(container);
        continue value;
      }
      if (text[at] !== (isArray ? ']' : '}')) fail(`expected "," or "${isArray ? ']' : '}'}", found ${found()}`);
      at++;
      value = container;
      open.pop();
    }
  }
}
