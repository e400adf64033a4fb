import { describe, expect, it } from 'vitest';
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
