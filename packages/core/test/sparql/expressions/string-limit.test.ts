import { describe, expect, it } from 'vitest';
import { WorldsEngine } from '../../../src/index.ts';
import { DEFAULT_REQUEST_LIMITS, type RequestLimits } from '../../../src/model/request-limits.ts';
import { WorldsError } from '../../../src/model/worlds-error.ts';
import { makeAccumulator } from '../../../src/sparql/expressions/aggregates.ts';
import { compileExpression } from '../../../src/sparql/expressions/compile.ts';
import { stringValue, type Value } from '../../../src/sparql/expressions/value.ts';
import { FixedRow, readExpression, scopeOf } from './expression-text.ts';

const LONG = stringValue('ab'.repeat(2 ** 21));

/** Applies an expression of `?x` to its own result again and again. */
function grow(text: string, start: Value): void {
  const compiled = compileExpression(readExpression(text), scopeOf(['x']));
  let value = start;
  for (let round = 0; round < 12; round++) value = compiled.evaluate(new FixedRow([value]))!;
}

/** The code of what `run` throws. */
function codeOf(run: () => void): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (error instanceof WorldsError) return error.code;
    throw error;
  }
}

describe('strings that grow without end', () => {
  it.each([
    ['CONCAT', () => grow('CONCAT(?x, ?x)', LONG)],
    ['UCASE', () => grow('UCASE(?x)', LONG)],
    ['ENCODE_FOR_URI', () => grow('ENCODE_FOR_URI(?x)', LONG)],
    [
      'REPLACE of one match',
      () => grow(`REPLACE(?x, "^a.*$", "${'$0'.repeat(400)}", "s")`, stringValue('a'.repeat(1_500_000))),
    ],
    ['REPLACE', () => grow('REPLACE(?x, "a", "aaaaaaaaa")', stringValue('ab'.repeat(2 ** 12)))],
    [
      'GROUP_CONCAT',
      () => {
        const accumulator = makeAccumulator({
          function: 'GROUP_CONCAT',
          distinct: false,
          argument: { type: 'variable', name: 'x' },
        });
        for (let i = 0; i < 100; i++) accumulator.add(LONG);
      },
    ],
  ])('are refused: %s', (_name, run) => expect(codeOf(run)).toBe('LIMIT_EXCEEDED'));
});

describe('maxStringLength', () => {
  const TEXTS = ['CONCAT(?x, ?x)', 'UCASE(?x)', 'ENCODE_FOR_URI(?x)', 'REPLACE(?x, "(a)", "$1b")'] as const;
  const evaluate = (text: string, maxStringLength: number, value: Value) => {
    const scope = scopeOf(['x']);
    const limits = { ...DEFAULT_REQUEST_LIMITS, maxStringLength };
    const compiled = compileExpression(readExpression(text), { ...scope, context: { ...scope.context, limits } });
    return compiled.evaluate(new FixedRow([value]));
  };

  it.each(TEXTS)('bounds computed strings: %s', (text) => {
    const value = stringValue('a'.repeat(20));
    expect(evaluate(text, 40, value)?.lexical.length).toBeGreaterThanOrEqual(20);
    expect(codeOf(() => evaluate(text, 19, value))).toBe('LIMIT_EXCEEDED');
  });

  it.each(TEXTS.slice(0, 3))('may be raised: %s', (text) => {
    const value = stringValue('a'.repeat(3_000_001));
    expect(codeOf(() => evaluate(text, DEFAULT_REQUEST_LIMITS.maxStringLength, value))).toBe('LIMIT_EXCEEDED');
    expect(evaluate(text, 7_000_000, value)?.lexical.length).toBeGreaterThan(3_000_000);
  });

  it('does not apply to IRIs, which have a limit of their own', () => {
    const ofLength = (length: number) => stringValue(`urn:${'x'.repeat(length - 4)}`);
    const { maxIriLength } = DEFAULT_REQUEST_LIMITS;
    expect(evaluate('IRI(?x)', 10, ofLength(maxIriLength))?.lexical.length).toBe(maxIriLength);
    expect(codeOf(() => evaluate('IRI(?x)', 10, ofLength(maxIriLength + 1)))).toBe('LIMIT_EXCEEDED');
  });

  it('never admits strings that JavaScript cannot make', () => {
    const value = stringValue('a'.repeat(2 ** 27));
    expect(codeOf(() => evaluate('CONCAT(?x, ?x, ?x, ?x)', Number.POSITIVE_INFINITY, value))).toBe('LIMIT_EXCEEDED');
  });

  it('is an option of the engine, for functions, aggregates and constants', async () => {
    const lengthOf = async (limits: Partial<RequestLimits>, expression: string) => {
      await using engine = await WorldsEngine.open({ textIndex: null, limits });
      await engine.createWorld({ slug: 'w' });
      const rows = 'VALUES ?n { 1 2 3 4 } BIND("0123456789" AS ?t)';
      const result = await engine.select({ query: `SELECT (STRLEN(${expression}) AS ?l) { ${rows} }`, sources: ['w'] });
      return Number((await result.objects())[0].l);
    };
    for (const expression of [
      'GROUP_CONCAT(?t)',
      'SAMPLE(CONCAT(?t, ?t, ?t, ?t))',
      'SAMPLE(CONCAT("0123456789", "0123456789", "01234567890123456789"))',
    ]) {
      await expect(lengthOf({ maxStringLength: 43 }, expression)).resolves.toBeGreaterThanOrEqual(40);
      await expect(lengthOf({ maxStringLength: 39 }, expression)).rejects.toMatchObject({
        code: 'LIMIT_EXCEEDED',
        message: expect.stringContaining('maxStringLength = 39'),
      });
    }
  });
});

describe('long strings', () => {
  const testOn = (length: number) => (text: string) =>
    compileExpression(readExpression(text), scopeOf(['x'])).test(new FixedRow([stringValue('a'.repeat(length))]));

  // JavaScript's matcher throws a RangeError of its own here.
  it('are matched by our own machine', () => {
    const test = testOn(1_500_000);
    expect(test('REGEX(?x, "^.*[ab]$", "s")')).toBe(true);
    expect(test('REGEX(?x, "^.*b", "s")')).toBe(false);
  });

  it('are refused where a search would take too long, unless it ends before', () => {
    const test = testOn(2 ** 24);
    expect(codeOf(() => test('REGEX(?x, "^.*[ab]$", "s")'))).toBe('LIMIT_EXCEEDED');
    expect(codeOf(() => test('REGEX(?x, "b+c")'))).toBe('LIMIT_EXCEEDED');
    expect(test('REGEX(?x, "^a+.")')).toBe(true);
    // A search for a string is no match of a pattern.
    expect(test('REGEX(?x, "b")')).toBe(false);
  });
});
