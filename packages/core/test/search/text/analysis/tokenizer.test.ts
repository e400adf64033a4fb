import { describe, expect, it } from 'vitest';
import { Tokenizer } from '../../../../src/search/text/analysis/tokenizer.ts';
import { readUtf8 } from '../../../../src/search/text/analysis/utf8.ts';
import { hashBytes } from '../../../../src/search/text/analysis/word-hash.ts';
import { wordsOf } from '../naive-bm25.ts';

const folded = (text: string) => wordsOf(text).map((word) => word.folded);

describe('a tokenizer', () => {
  it.each<[what: string, text: string, words: string]>([
    ['splits at everything but letters and digits', 'a-b_c.d/e:f@g  h\ti', 'a b c d e f g h i'],
    ['keeps digits with letters', 'covid19 2nd 3.14 1852-11-27', 'covid19 2nd 3 14 1852 11 27'],
    ['folds case', 'Lantern LANTERN ÉCOLE ΟΔΟΣ οδος', 'lantern lantern ecole οδοσ οδοσ'],
    [
      'drops accents',
      'café naïve cafe\u0301 Straße Łódź Ærø smørrebrød',
      'cafe naive cafe strasse lodz aero smorrebrod',
    ],
    ['keeps the letters й, ї, ў, and no stress marks', 'Йод їжак ўсё за\u0301мок', 'йод їжак ўсе замок'],
    ['drops points and vowel signs', 'מְנוֹרָה مُحَمَّد مـــصباح', 'מנורה محمد مصباح'],
    ['keeps the vowel signs of Indic scripts', 'लालटेन हिन्दी தமிழ்', 'लालटेन हिन्दी தமிழ்'],
    ['puts Hangul together', '한국어'.normalize('NFD'), '한국어'],
    ['takes compatibility characters apart', 'ｌａｎｔｅｒｎ ﬁne ½ ① ﷺ', 'lantern fine 1 2 1 صلى الله عليه وسلم'],
    ['drops what is invisible', 'co\u00adoperate می\u200cخواهم 1️⃣', 'cooperate میخواهم 1'],
    ['drops what hangs on a word', "king's don't l'homme d’été we'll o’clock qu'il", 'king don homme ete we clock il'],
    ['keeps longer parts, and Cyrillic ones', "Xi'an п'ять 'quoted' '", 'xi an п ять quoted'],
    ['splits Japanese', '東京都に住んでいます', '東京 都 に 住 んで い ます'],
    ['splits Thai', 'ภาษาไทยเป็นภาษา', 'ภาษา ไทย เป็น ภาษา'],
    ['parts scripts that touch', 'iPhone手机pro', 'iphone 手机 pro'],
    ['takes half-width kana for kana', 'ﾃｽﾄ', 'テスト'],
    ['separates at lone surrogates, NUL and emoji', 'a\ud800b\udc00c\0d😀e', 'a b c d e'],
    ['reads letters beyond the basic plane', '𐐐𐐇 𝒂𝒃', '𐐸𐐯 ab'],
    ['finds no words where there are none', ' \t\n?!\ud800…—😀\u0301\u200d', ''],
  ])('%s', (_what, text, words) => {
    expect(folded(text).join(' ')).toBe(words);
  });

  it('splits Chinese by the dictionary of the platform', () => {
    const words = folded('这是一本关于数据库的书');
    expect(words.join('')).toBe('这是一本关于数据库的书');
    expect(words).toContain('关于');
    expect(words.length).toBeGreaterThan(4);
  });

  it('returns the bytes and the hash of each word', () => {
    const tokens = new Tokenizer();
    tokens.start('Lantern été', 100);
    for (const [word, lower] of [
      ['lantern', undefined],
      ['ete', 'été'],
    ] as const) {
      expect(tokens.next()).toBe(true);
      expect(readUtf8(tokens.bytes, 0, tokens.length)).toBe(word);
      expect(tokens.hash).toBe(hashBytes(tokens.bytes, 0, tokens.length));
      expect(tokens.lower).toBe(lower);
    }
    expect(tokens.next()).toBe(false);
    expect(tokens.next()).toBe(false);
  });

  it('reads up to a length', () => {
    const tokens = new Tokenizer();
    const read = (text: string, length: number) => {
      const words: string[] = [];
      tokens.start(text, length);
      while (tokens.next()) words.push(readUtf8(tokens.bytes, 0, tokens.length));
      return words;
    };
    expect(read('red lantern', 3)).toEqual(['red']);
    expect(read('red lantern', 7)).toEqual(['red', 'lan']);
    expect(read('été', 2)).toEqual(['et']);
    // Through a surrogate pair.
    expect(read('𐐐𐐐', 3)).toHaveLength(1);
    expect(read('red lantern', 0)).toEqual([]);
  });

  it('cuts words at 64 letters, so that long ones still meet', () => {
    expect(folded('x'.repeat(1_000_000))).toEqual(['x'.repeat(64)]);
    expect(folded('é'.repeat(300))).toEqual(['e'.repeat(64)]);
    expect(folded('𐐸'.repeat(300))[0]!.length).toBeLessThanOrEqual(64);
    expect(folded('𐐸'.repeat(300))[0]!.isWellFormed()).toBe(true);
    for (const [word] of ['東'.repeat(5000), 'ก'.repeat(5000)].map(folded))
      expect(word!.length).toBeLessThanOrEqual(64);
  });

  it('takes a million marks on one letter', () => {
    expect(folded(`e${'\u0301\u0323'.repeat(500_000)} lantern`)).toEqual(['e', 'lantern']);
  });
});
