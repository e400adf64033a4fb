import { describe, expect, it } from 'vitest';
import { isUnspaced, wordsOf } from '../src/tokenizer.ts';

describe('wordsOf', () => {
  it.each([
    ['', []],
    [' \n?!', []],
    ['Ada Lovelace, 1815', ['ada', 'lovelace', '1815']],
    ['to be or not to be', ['to', 'be', 'or', 'not', 'to', 'be']],
    ['__proto__ constructor', ['proto', 'constructor']],
    ['Ça va, Łódź? Straße', ['ca', 'va', 'lodz', 'strasse']],
    ['ΟΔΟΣ οδος', ['οδοσ', 'οδοσ']],
    ['İstanbul ısı', ['istanbul', 'isi']],
    ['ｆｕｌｌ ﬁne ½', ['full', 'fine', '1', '2']],
    ['הַמְּנוֹרָה', ['המנורה']],
    ['مِصْبَاح', ['مصباح']],
    // Vowel signs and sound marks are part of the word.
    ['हिन्दी भाषा', ['हिन्दी', 'भाषा']],
    ['ガス', ['ガス']],
    ['한국어'.normalize('NFD'), ['한국어']],
    ['漢字kana混じり', ['漢字', 'kana', '混じり']],
    ['東京のデータベース', ['東京', 'の', 'データベース']],
    ['ภาษาไทย', ['ภาษา', 'ไทย']],
    ['a😀b \ud800c\udc00', ['a', 'b', 'c']],
  ])('of %j', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  it('cuts long words, never through a surrogate pair', () => {
    expect(wordsOf('a'.repeat(1000))).toEqual(['a'.repeat(64)]);
    expect(wordsOf('é'.repeat(1000))).toEqual(['e'.repeat(64)]);
    const [word] = wordsOf(`a${'𝒜'.repeat(5)}${'𐐨'.repeat(100)}`);
    expect(word.length).toBeLessThanOrEqual(64);
    expect(word.codePointAt(word.length - 2)).toBe(0x10428);
  });

  it('stops at the number of words that is wanted', () => {
    for (const text of ['a b c d', 'á b c d', '東京 東京 東京 東京']) expect(wordsOf(text, 3)).toHaveLength(3);
  });

  it('a letter with very many marks costs no more than a long text', () => {
    // Unbounded, the canonical ordering of these marks takes more than ten seconds.
    const startMs = performance.now();
    expect(wordsOf(`e${'\u0301\u0323'.repeat(131_072)}`)).toEqual(['e']);
    expect(performance.now() - startMs).toBeLessThan(2000);
  });
});

describe('isUnspaced', () => {
  it.each([
    ['東京', true],
    ['ไทย', true],
    ['tokyo', false],
    ['한국어', false],
  ])('%s: %s', (word, expected) => {
    expect(isUnspaced(word)).toBe(expected);
  });
});
