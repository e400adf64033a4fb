import type { EvaluationContext } from './compiled-expression.ts';
import { type FunctionRow, form, textMaker, variadic } from './function-row.ts';
import { type Operand, testOperand, valueOperand } from './operand.ts';
import { compilePattern, type Pattern } from './regex/pattern.ts';
import { parseReplacement } from './regex/replacement.ts';
import { isString, stringLike, type Value } from './value.ts';
import { KIND } from './value-kind.ts';

/**
 * Compiles a pattern. Returns undefined, an error, if the pattern or its flags are not strings
 * without a language, or are not valid in XPath (F&O 5.6.1, err:FORX0001 and 0002).
 */
function patternOf(pattern: Value | undefined, flags: Value | undefined): Pattern | undefined {
  if (pattern?.kind !== KIND.string || (flags !== undefined && flags.kind !== KIND.string)) return undefined;
  return compilePattern(pattern.lexical, flags?.lexical ?? '');
}

function isConstantCall(parts: readonly (Operand | undefined)[]): boolean {
  return parts.every((part) => part === undefined || part.constant !== undefined);
}

/** Compiles the pattern of constant operands; undefined if one of them is an error. */
function constantPattern(pattern: Operand, flags: Operand | undefined): Pattern | undefined {
  if (flags === undefined) return patternOf(pattern.constant?.value, undefined);
  const flagsValue = flags.constant?.value;
  return flagsValue && patternOf(pattern.constant?.value, flagsValue);
}

/** Text length in UTF-16 code units from which a match may take a millisecond. */
const LONG_TEXT = 1 << 14;

/** Reports matches that may have taken long to the context. */
function noteSlow(pattern: Pattern, text: string, { slow }: EvaluationContext): void {
  if (text.length >= LONG_TEXT || pattern.backtracks) slow?.();
}

/** Section 17.4.3.14. Constant patterns are compiled once, others through a cache. */
const regex = form(2, 3, (parts, context) => {
  const [{ evaluate }, pattern, flags] = parts;
  const matches = (compiled: Pattern, text: string): boolean => {
    noteSlow(compiled, text, context);
    return compiled.test(text);
  };
  if (isConstantCall([pattern, flags])) {
    const compiled = constantPattern(pattern, flags);
    // An invalid pattern is an error for every row.
    if (compiled === undefined) return testOperand(() => undefined, parts);
    return testOperand((row) => {
      const value = evaluate(row);
      return value !== undefined && isString(value) ? matches(compiled, value.lexical) : undefined;
    }, parts);
  }
  return testOperand((row) => {
    const value = evaluate(row);
    if (value === undefined || !isString(value)) return undefined;
    const flagsValue = flags?.evaluate(row);
    if (flags !== undefined && flagsValue === undefined) return undefined;
    const compiled = patternOf(pattern.evaluate(row), flagsValue);
    return compiled && matches(compiled, value.lexical);
  }, parts);
});

function replaceWith(values: readonly Value[], context: EvaluationContext): Value | undefined {
  const [source, pattern, replacement, flags] = values;
  if (!isString(source) || replacement.kind !== KIND.string) return undefined;
  const compiled = patternOf(pattern, flags);
  // "It is an error if the pattern matches the zero-length string" (F&O 5.6.4, err:FORX0003).
  if (compiled === undefined || compiled.matchesEmpty) return undefined;
  const pieces = parseReplacement(replacement.lexical, compiled);
  if (pieces === undefined) return undefined;
  noteSlow(compiled, source.lexical, context);
  return stringLike(compiled.replace(source.lexical, pieces), source);
}

/** Section 17.4.3.15. */
function specializeReplace(parts: readonly Operand[], context: EvaluationContext): Operand | undefined {
  const [source, pattern, replacement, flags] = parts;
  if (source.constant || !isConstantCall([pattern, replacement, flags])) return undefined;
  const compiled = constantPattern(pattern, flags);
  const replacementValue = replacement.constant?.value;
  const pieces =
    compiled && !compiled.matchesEmpty && replacementValue?.kind === KIND.string
      ? parseReplacement(replacementValue.lexical, compiled)
      : undefined;
  if (compiled === undefined || pieces === undefined) return valueOperand(() => undefined, parts);
  return valueOperand((row) => {
    const value = source.evaluate(row);
    if (value === undefined || !isString(value)) return undefined;
    noteSlow(compiled, value.lexical, context);
    return stringLike(compiled.replace(value.lexical, pieces), value);
  }, parts);
}

const replace = form(3, 4, (parts, context) =>
  variadic(
    3,
    4,
    (values) => replaceWith(values, context),
    () => specializeReplace(parts, context),
  ).compile(parts, context),
);

export const PATTERN_FUNCTIONS: readonly (readonly [name: string, row: FunctionRow])[] = [
  ['REGEX', regex],
  ['REPLACE', textMaker(replace)],
];
