import type { RequestLimits } from '../../model/request-limits.ts';
import type { EvaluationContext } from './compiled-expression.ts';
import { callsOf, type FunctionRow, form, mayRepeat, textMaker, variadic } from './function-row.ts';
import { isSame, type LongCalls } from './long-calls.ts';
import { type Operand, testOperand, valueOperand } from './operand.ts';
import { checkPatternLength, compilePattern, type Pattern } from './regex/pattern.ts';
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

/**
 * Compiles now or when a row needs it, as {@link LongCalls.mayCompile} says. Throws LIMIT_EXCEEDED
 * now if the pattern is too long.
 */
function onFirstUse<Compiled>(pattern: Operand, { calls }: EvaluationContext, compile: () => Compiled): () => Compiled {
  const value = pattern.constant?.value;
  if (value?.kind === KIND.string) checkPatternLength(value.lexical);
  let compiled = (calls?.mayCompile() ?? true) ? { value: compile() } : undefined;
  return () => (compiled ??= { value: compile() }).value;
}

/** Cost of compiling a pattern, in reads of one UTF-16 unit. */
const COMPILING_READS = 1 << 12;
/** Cost of a match, in reads of one UTF-16 unit, from which it may take a millisecond. */
const LONG_MATCH = 1 << 14;

/** Counts the matches of a call, which may take long even if the text is short. */
function countedMatch<Result>(
  apply: (pattern: Pattern, text: Value) => Result,
  parts: readonly Operand[],
  context: EvaluationContext,
): (pattern: Pattern, text: Value) => Result {
  const calls = callsOf(parts, context);
  if (calls === undefined) return apply;
  const { slow } = context;
  const repeats = mayRepeat(parts);
  let firstReads = COMPILING_READS;
  let last: { readonly pattern: Pattern; readonly text: Value; readonly result: Result } | undefined;
  return (pattern, text) => {
    if (last !== undefined && last.pattern === pattern && isSame(last.text, text)) return last.result;
    const units = pattern.readsOf(text.lexical) + firstReads;
    firstReads = 0;
    if (units >= LONG_MATCH) slow?.();
    const result = apply(pattern, text);
    if (calls.ends(units, repeats)) {
      const replaced = last;
      last = { pattern, text, result };
      calls.look(replaced?.result, result);
    }
    return result;
  };
}

/** Section 17.4.3.14. Constant patterns are compiled once, others through a cache. */
const regex = form(2, 3, (parts, context) => {
  const [{ evaluate }, pattern, flags] = parts;
  const matches = countedMatch((compiled, { lexical }) => compiled.test(lexical), parts, context);
  if (isConstantCall([pattern, flags])) {
    const compiled = onFirstUse(pattern, context, () => constantPattern(pattern, flags));
    return testOperand((row) => {
      const value = evaluate(row);
      if (value === undefined || !isString(value)) return undefined;
      // An invalid pattern is an error for every row.
      const test = compiled();
      return test && matches(test, value);
    }, parts);
  }
  return testOperand((row) => {
    const value = evaluate(row);
    if (value === undefined || !isString(value)) return undefined;
    const flagsValue = flags?.evaluate(row);
    if (flags !== undefined && flagsValue === undefined) return undefined;
    const compiled = patternOf(pattern.evaluate(row), flagsValue);
    return compiled && matches(compiled, value);
  }, parts);
});

function replaceWith(values: readonly Value[], limits: RequestLimits | undefined): Value | undefined {
  const [source, pattern, replacement, flags] = values;
  if (!isString(source) || replacement.kind !== KIND.string) return undefined;
  const compiled = patternOf(pattern, flags);
  // "It is an error if the pattern matches the zero-length string" (F&O 5.6.4, err:FORX0003).
  if (compiled === undefined || compiled.matchesEmpty) return undefined;
  const pieces = parseReplacement(replacement.lexical, compiled);
  if (pieces === undefined) return undefined;
  return stringLike(compiled.replace(source.lexical, pieces, limits), source);
}

/** Section 17.4.3.15. */
function specializeReplace(parts: readonly Operand[], context: EvaluationContext): Operand | undefined {
  const [source, pattern, replacement, flags] = parts;
  if (source.constant || !isConstantCall([pattern, replacement, flags])) return undefined;
  const replacementValue = replacement.constant?.value;
  const prepared = onFirstUse(pattern, context, () => {
    const compiled = constantPattern(pattern, flags);
    const pieces =
      compiled && !compiled.matchesEmpty && replacementValue?.kind === KIND.string
        ? parseReplacement(replacementValue.lexical, compiled)
        : undefined;
    return compiled && pieces && { compiled, pieces };
  });
  const replaced = countedMatch(
    (compiled, value) => stringLike(compiled.replace(value.lexical, prepared()!.pieces, context.limits), value),
    parts,
    context,
  );
  return valueOperand((row) => {
    const value = source.evaluate(row);
    if (value === undefined || !isString(value)) return undefined;
    const ready = prepared();
    return ready && replaced(ready.compiled, value);
  }, parts);
}

const replace = form(3, 4, (parts, context) =>
  variadic(
    3,
    4,
    (values) => {
      context.slow?.();
      return replaceWith(values, context.limits);
    },
    () => specializeReplace(parts, context),
  ).compile(parts, context),
);

export const PATTERN_FUNCTIONS: readonly (readonly [name: string, row: FunctionRow])[] = [
  ['REGEX', regex],
  ['REPLACE', textMaker(replace)],
];
