import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../../../../testkit/src/seeded-random.ts';
import { ByteSearch } from '../../../src/sparql/exec/byte-search.ts';
import {
  areSpellingsExact,
  type CaseMap,
  requiredSpellings,
  spellings,
} from '../../../src/sparql/expressions/case-spellings.ts';
import type { RequiredText } from '../../../src/sparql/expressions/regex/required-text.ts';

const ANYWHERE = { startsInside: true, endsInside: true };

const MAPS: readonly (readonly [CaseMap, (text: string) => string])[] = [
  ['LCASE', (text) => text.toLowerCase()],
  ['UCASE', (text) => text.toUpperCase()],
];

const searchFor = (texts: readonly RequiredText[]) =>
  new ByteSearch(
    texts.map(({ bytes, others }) => ({ bytes: Uint8Array.from(bytes), others: Uint8Array.from(others) })),
  );

function contains(texts: readonly RequiredText[], text: string): boolean {
  const bytes = Buffer.from(text);
  return texts.length > 0 && searchFor(texts).isIn(bytes, 0, bytes.length);
}

const shown = (texts: readonly RequiredText[] | undefined) =>
  texts?.map(({ bytes, others }) => [...new Set([`${Buffer.from(bytes)}`, `${Buffer.from(others)}`])].join(' ')).sort();

describe('the spellings of a lower-cased or upper-cased text', () => {
  it.each([
    ['word', 'LCASE', ['word WORD']],
    ['Word', 'LCASE', []],
    ['kin', 'LCASE', ['kin KIN', '\u212ain \u212aIN']],
    ['bi', 'LCASE', ['bi BI', 'bİ Bİ']],
    ['é', 'LCASE', ['é É']],
    // The second byte of ÿ and Ÿ differs as well, so each is searched by itself.
    ['ÿ', 'LCASE', ['ÿ', 'Ÿ']],
    ['ss', 'UCASE', []],
    ['', 'UCASE', ['']],
    ['İ', 'UCASE', ['İ']],
  ] as const)('%j, %s: %j', (text, map, expected) => {
    const pairs = (list: readonly string[] | undefined) => list?.map((one) => one.split(' ').sort().join(' ')).sort();
    expect(pairs(shown(spellings(text, map, ANYWHERE)))).toEqual(pairs(expected));
  });

  it.each(MAPS)('have every character that %s makes another of', (map, apply) => {
    const ascii = Array.from({ length: 0x80 }, (_, code) => String.fromCharCode(code));
    const ofAscii = new Map(ascii.map((character) => [character, spellings(character, map, ANYWHERE)]));
    for (let codePoint = 0; codePoint < 0x110000; codePoint++) {
      if (codePoint >= 0xd800 && codePoint <= 0xdfff) continue;
      const character = String.fromCodePoint(codePoint);
      const result = apply(character);
      if (codePoint >= 0x80 && result === character) continue;
      for (const part of result) {
        const texts = ofAscii.get(part) ?? (codePoint > 0x80 ? spellings(part, map, ANYWHERE) : undefined);
        // Too many: a part of them is looked for.
        if (texts && !contains(texts, character)) expect(character, `${part} of ${character}`).toBe(part);
      }
      const whole = spellings(result, map, { startsInside: false, endsInside: false });
      if (whole && !contains(whole, character)) expect(character, result).toBe('');
    }
  });

  it.each(MAPS)('are in exactly the texts whose %s has the part', (map, apply) => {
    const random = new SeededRandom(21);
    const letters = [...'abkK\u212asSiIİıſßẞéÉÿŸøΣσςﬁﬆŉǰ\u0307\u030c\u1e9e😀𐐀𐐨ǆǅǄΐ\u0345ᾳ1 '];
    const word = (length: number) => Array.from({ length }, () => random.pick(letters)).join('');
    let [found, exact, unknown] = [0, 0, 0];
    for (let trial = 0; trial < 1200; trial++) {
      const part = random.chance(0.8) ? apply(word(1 + random.below(3))) : word(1 + random.below(3));
      const units = [...part];
      const cut = units.slice(random.below(2), units.length - random.below(2)).join('');
      const all = spellings(cut, map, ANYWHERE);
      if (!all) unknown++;
      const required = { anywhere: requiredSpellings(cut, map, 'anywhere') };
      for (let i = 0; i < 10; i++) {
        const text = word(random.below(3)) + (random.chance(0.5) ? part : word(3)) + word(random.below(3));
        const expected = apply(text).includes(cut);
        const details = JSON.stringify([text, cut, shown(all)]);
        if (all && areSpellingsExact(cut, map)) {
          exact++;
          expect(contains(all, text), details).toBe(expected);
        }
        if (!expected) continue;
        found++;
        if (all) expect(contains(all, text), details).toBe(true);
        expect(contains(required.anywhere, text), details).toBe(true);
      }
    }
    expect(Math.min(found, exact)).toBeGreaterThan(1000);
    // A lower case of three letters has few spellings.
    if (map === 'UCASE') expect(unknown).toBeGreaterThan(20);
  });
});
