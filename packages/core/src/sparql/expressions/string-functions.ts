import { Buffer } from '#platform';
import type { RequestLimits } from '../../model/request-limits.ts';
import {
  binary,
  binaryTest,
  callsOf,
  type FunctionRow,
  limitedText,
  mayRepeat,
  type Specialize,
  textMaker,
  unary,
  variadic,
} from './function-row.ts';
import { counted1 } from './long-calls.ts';
import { testOperand } from './operand.ts';
import { checkStringLength } from './string-limit.ts';
import { EMPTY_STRING, integerValue, isNumeric, isString, stringLike, stringValue, type Value } from './value.ts';
import { KIND } from './value-kind.ts';

/**
 * Argument compatibility (section 17.4.3.1.2): both without a language, both with the same
 * language, or only the first with a language. The direction counts as part of the language (SPARQL
 * 1.2).
 */
function areCompatible(first: Value, second: Value): boolean {
  if (second.kind === KIND.string) return isString(first);
  return (
    first.kind === KIND.langString &&
    second.kind === KIND.langString &&
    first.direction === second.direction &&
    (first.language === second.language || first.language.toLowerCase() === second.language.toLowerCase())
  );
}

const SURROGATE = /[\ud800-\udfff]/;

/** Section 17.4.3.2: counts characters, which are code points (XPath F&O 7.4.4). */
function strlen(value: Value): Value | undefined {
  if (!isString(value)) return undefined;
  return integerValue(countCodePoints(value.lexical));
}

function countCodePoints(text: string): number {
  let count = text.length;
  if (!SURROGATE.test(text)) return count;
  for (let i = 1; i < text.length; i++) {
    if ((text.charCodeAt(i) & 0xfc00) !== 0xdc00 || (text.charCodeAt(i - 1) & 0xfc00) !== 0xd800) continue;
    count -= 1;
    i += 1;
  }
  return count;
}

/**
 * Section 17.4.3.3; XPath F&O 7.4.3: the characters at 1-based positions p with round(start) <= p <
 * round(start) + round(length).
 */
function substr(values: readonly Value[]): Value | undefined {
  const [source, start, length] = values;
  if (!isString(source) || !isNumeric(start) || (length !== undefined && !isNumeric(length))) return undefined;
  const text = source.lexical;
  const first = Math.round(start.number);
  const end = length === undefined ? Number.POSITIVE_INFINITY : first + Math.round(length.number);
  // NaN compares false with every position, so the result is empty; likewise if infinities cancel
  // out.
  if (!(first < end)) return stringLike('', source);
  const from = Math.max(first, 1) - 1;
  const to = end - 1;
  if (!SURROGATE.test(text)) return stringLike(to <= from ? '' : text.slice(from, Math.max(to, 0)), source);
  const begin = unitsOf(text, from, 0);
  return stringLike(text.slice(begin, unitsOf(text, to - from, begin)), source);
}

/**
 * Returns the offset that lies a number of code points after `start`; negative counts are treated
 * as 0.
 */
function unitsOf(text: string, codePoints: number, start: number): number {
  let at = start;
  for (let i = 0; i < codePoints && at < text.length; i++) {
    const isPair = (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
    at += isPair ? 2 : 1;
  }
  return at;
}

function mapText(map: (text: string) => string): FunctionRow {
  return limitedText((limits) =>
    unary((value) => {
      if (!isString(value)) return undefined;
      checkStringLength(value.lexical.length, limits);
      const text = map(value.lexical);
      // Case mapping can lengthen a text: "ß" in upper case is "SS".
      checkStringLength(text.length, limits);
      return stringLike(text, value);
    }),
  );
}

/** Sections 17.4.3.9 and 17.4.3.10. */
function strbefore(text: Value, part: Value): Value | undefined {
  if (!areCompatible(text, part)) return undefined;
  const at = text.lexical.indexOf(part.lexical);
  // "If there is no such occurrence, an empty simple literal is returned."
  return at < 0 ? EMPTY_STRING : stringLike(text.lexical.slice(0, at), text);
}

function strafter(text: Value, part: Value): Value | undefined {
  if (!areCompatible(text, part)) return undefined;
  const at = text.lexical.indexOf(part.lexical);
  return at < 0 ? EMPTY_STRING : stringLike(text.lexical.slice(at + part.lexical.length), text);
}

/** Section 17.4.3.12: keeps the language if all arguments share it. */
function concat(values: readonly Value[], limits: RequestLimits): Value | undefined {
  let text = '';
  for (const value of values) {
    if (!isString(value)) return undefined;
    checkStringLength(text.length + value.lexical.length, limits);
    text += value.lexical;
  }
  const [first] = values;
  if (first === undefined || first.kind === KIND.string) return stringValue(text);
  const isShared = values.every(
    ({ language, direction }) =>
      direction === first.direction && language.toLowerCase() === first.language.toLowerCase(),
  );
  return isShared ? stringLike(text, first) : stringValue(text);
}

/**
 * Section 17.4.3.11; XPath F&O 6.2: percent-encodes the UTF-8 form of all characters except the
 * unreserved ones of RFC 3986 section 2.3.
 */
function encodeForUri(value: Value, limits: RequestLimits): Value | undefined {
  if (!isString(value)) return undefined;
  checkStringLength(encodedLength(value.lexical), limits);
  const encoded = encodeURIComponent(value.lexical.toWellFormed());
  checkStringLength(encoded.length, limits);
  return stringValue(encoded.replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`));
}

/** Lower bound of the length of a percent-encoded text, in which each byte takes three units. */
function encodedLength(text: string): number {
  const { length } = text;
  return length + 4 * (Buffer.byteLength(text) - length);
}

/**
 * Specializes CONTAINS and its relatives for a constant without a language, which is compatible
 * with every string.
 */
function withConstantNeedle(test: (text: string, part: string) => boolean): Specialize {
  return (parts, context) => {
    const [{ evaluate }, { constant }] = parts;
    if (constant?.value?.kind !== KIND.string || parts[0].constant) return undefined;
    const needle = constant.value.lexical;
    const contains = counted1((value) => test(value.lexical, needle), callsOf(parts, context), mayRepeat(parts));
    return testOperand((row) => {
      const value = evaluate(row);
      return value !== undefined && isString(value) ? contains(value) : undefined;
    }, parts);
  };
}

function substringTest(test: (text: string, part: string) => boolean): FunctionRow {
  return binaryTest(
    (text, part) => (areCompatible(text, part) ? test(text.lexical, part.lexical) : undefined),
    withConstantNeedle(test),
  );
}

/** Section 17.4.3, except for the functions on patterns. */
export const STRING_FUNCTIONS: readonly (readonly [name: string, row: FunctionRow])[] = [
  ['STRLEN', unary(strlen)],
  ['SUBSTR', textMaker(variadic(2, 3, substr))],
  ['UCASE', mapText((text) => text.toUpperCase())],
  ['LCASE', mapText((text) => text.toLowerCase())],
  ['STRSTARTS', substringTest((text, part) => text.startsWith(part))],
  ['STRENDS', substringTest((text, part) => text.endsWith(part))],
  ['CONTAINS', substringTest((text, part) => text.includes(part))],
  ['STRBEFORE', textMaker(binary(strbefore))],
  ['STRAFTER', textMaker(binary(strafter))],
  ['ENCODE_FOR_URI', limitedText((limits) => unary((value) => encodeForUri(value, limits)))],
  ['CONCAT', limitedText((limits) => variadic(0, Number.POSITIVE_INFINITY, (values) => concat(values, limits)))],
];
