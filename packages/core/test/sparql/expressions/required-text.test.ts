import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../../../../testkit/src/seeded-random.ts';
import { ByteSearch } from '../../../src/sparql/exec/byte-search.ts';
import { compilePattern } from '../../../src/sparql/expressions/regex/pattern.ts';
import type { RequiredText } from '../../../src/sparql/expressions/regex/required-text.ts';

const requiredBy = (pattern: string, flags = '') =>
  compilePattern(pattern, flags)!.requiredTexts?.map(
    ({ bytes, others }) =>
      `${Buffer.from(bytes)}${Buffer.from(bytes).equals(Buffer.from(others)) ? '' : `|${Buffer.from(others)}`}`,
  );

function isCandidate(text: string, required: readonly RequiredText[]): boolean {
  const bytes = Buffer.from(text);
  const patterns = required.map((one) => ({
    bytes: Uint8Array.from(one.bytes),
    others: Uint8Array.from(one.others),
  }));
  return new ByteSearch(patterns).isIn(bytes, 0, bytes.length);
}

describe('the text that a pattern requires', () => {
  it.each([
    ['lantern', '', ['lantern']],
    ['^ab.*cdef$', '', ['cdef']],
    ['a[bc]def', '', ['def']],
    ['(abc)(de)x?', '', ['abcde']],
    ['(?:red|blue) lamp', '', [' lamp']],
    ['(red|green)+', '', ['red', 'green']],
    ['(red|g)', '', undefined],
    ['x(yz)*', '', undefined],
    ['(yz){2,}', '', ['yz']],
    ['kéttle', '', ['kéttle']],
    ['lamp', 'i', ['LAMP|lamp']],
    // Both k and s have a third variant, U+212A and U+017F.
    ['desktop', 'i', ['TOP|top']],
    ['a.b', 'q', ['a.b']],
    ['\\d+', '', undefined],
  ] as const)('of %s with flags "%s"', (pattern, flags, expected) => {
    expect(requiredBy(pattern, flags)).toEqual(expected);
  });

  it('is in every text that matches', () => {
    const random = new SeededRandom(11);
    const letters = ['a', 'b', 'A', 'k', 'K', '\u212a', 's', '\u017f', 'é', 'É', '😀', '1', 'ß'];
    const word = (length: number) => Array.from({ length }, () => random.pick(letters)).join('');
    const piece = (): string =>
      random.pick([
        () => word(1 + random.below(3)),
        () => `(${word(2)}|${word(1 + random.below(3))})`,
        () => `(${word(2)})${random.pick(['?', '*', '+', '{2}'])}`,
        () => `[${word(2)}]`,
        () => '.',
      ])();
    let matches = 0;
    for (let trial = 0; trial < 2000; trial++) {
      const pattern = compilePattern(
        Array.from({ length: 1 + random.below(3) }, piece).join(''),
        random.pick(['', 'i']),
      )!;
      const required = pattern.requiredTexts;
      if (!required) continue;
      for (let i = 0; i < 12; i++) {
        const text = word(random.below(9));
        if (!pattern.test(text)) continue;
        matches++;
        expect(isCandidate(text, required), JSON.stringify([text, required])).toBe(true);
      }
    }
    expect(matches).toBeGreaterThan(200);
  });
});

const firstOf = (pattern: string, flags = '') => {
  const first = compilePattern(pattern, flags)!.firstTexts;
  return first && [first.texts.map(({ bytes }) => `${Buffer.from(bytes)}`), first.isWhole];
};

describe('the text that a pattern begins with', () => {
  it.each([
    ['^lamp', '', [['lamp'], true]],
    ['^lamp$', '', [['lamp'], false]],
    ['^lamp.*x', '', [['lamp'], false]],
    ['^(red|blue)', '', [['red', 'blue'], true]],
    ['^(red|blue) lamp', '', [['red', 'blue'], false]],
    ['^(red|b[aio]g)', '', [['red', 'b'], false]],
    ['^the (red|blue)', '', [['the '], false]],
    // s has a third variant, U+017F.
    ['^easy', 'i', [['EA'], false]],
    ['^(red|)', '', undefined],
    ['^a?b', '', undefined],
    ['lamp', '', undefined],
    ['^red|blue', '', undefined],
    // A line may begin anywhere.
    ['^lamp', 'm', undefined],
    ['^lamp', 'q', undefined],
  ] as const)('of %s with flags "%s"', (pattern, flags, expected) => {
    expect(firstOf(pattern, flags)).toEqual(expected);
  });
});
