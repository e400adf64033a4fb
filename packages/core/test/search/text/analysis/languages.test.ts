import { describe, expect, it } from 'vitest';
import { LANGUAGE_TABLE } from '../../../../src/search/text/analysis/language-table.ts';
import { languageNumber, loadedLanguage, loadLanguage } from '../../../../src/search/text/analysis/languages.ts';
import { accentedStemOf, stemOf } from '../../../../src/search/text/analysis/text-analyzer.ts';
import { wordsOf } from '../naive-bm25.ts';

const load = (tag: string) => loadLanguage(languageNumber(tag));

describe('languages', () => {
  it('are found by the first subtag, in any case', () => {
    for (const tag of ['en', 'EN', 'en-GB', 'en-Latn-GB-x-private', 'En-us']) expect(languageNumber(tag)).toBe(1);
    expect(languageNumber('nb')).toBe(languageNumber('no-NO'));
    for (const tag of ['', 'x-private', 'und', 'tlh', 'english', '-', 'e n', '__proto__'])
      expect(languageNumber(tag)).toBe(0);
  });

  it('have distinct tags, and numbers that leave room for the flag of accented words', () => {
    expect(LANGUAGE_TABLE.length).toBeLessThan(128);
    const tags = LANGUAGE_TABLE.flatMap((row) => row.tags);
    expect(new Set(tags).size).toBe(tags.length);
    for (const tag of tags) expect(tag).toMatch(/^[a-z]{2,3}$/);
  });

  it.each(
    LANGUAGE_TABLE.map(
      ({ tags, stopWords, stemmer }, number) => [tags[0] ?? 'none', number, stopWords, stemmer] as const,
    ),
  )('%s has its data, and bears any word', async (_tag, number, stopWords, stemmer) => {
    const language = await loadLanguage(number);
    expect(loadedLanguage(number)).toBe(language);
    expect(language.number).toBe(number);
    // A name that the package does not have would leave every word in.
    if (stopWords) expect(STOP_WORDS.filter((word) => language.isStopWord(word)).length).toBeGreaterThan(0);
    for (const word of [
      'a',
      '__proto__',
      'constructor',
      'x'.repeat(64),
      '1815',
      'ö',
      '東京',
      '😀',
      'ing',
      'ement'.repeat(12),
    ]) {
      const stem = language.stem(word);
      expect(stem).toBeTypeOf('string');
      expect(stem).not.toBe('');
      expect(language.stem(word)).toBe(stem);
      if (!stemmer) expect(stem).toBe(word);
    }
  });

  it.each<[tag: string, one: string, other: string]>([
    ['en', 'lanterns', 'lantern'],
    ['en', 'happiness', 'happy'],
    ['en', 'résumés', 'resume'],
    ['de', 'Häuser', 'haus'],
    ['de', 'Straße', 'strassen'],
    ['fr', 'chevaux', 'cheval'],
    ['fr', 'mangées', 'manger'],
    ['es', 'educaciones', 'educación'],
    ['it', 'cittadini', 'cittadino'],
    ['pt', 'educações', 'educação'],
    ['nl', 'boeken', 'boek'],
    ['sv', 'husen', 'hus'],
    ['fi', 'taloissa', 'talo'],
    ['ru', 'книги', 'книга'],
    ['ru', 'Ёлка', 'елка'],
    ['uk', 'книги', 'книга'],
    ['el', 'ΔΡΟΜΟΣ', 'δρόμοι'],
    ['tr', 'evlerimiz', 'ev'],
    ['ar', 'الكتب', 'كتب'],
    ['hi', 'लड़के', 'लड़का'],
    ['sr', 'књиге', 'књига'],
  ])('%s: %s meets %s', async (tag, one, other) => {
    const language = await load(tag);
    const termOf = (word: string) => {
      const [{ folded, lower }] = wordsOf(word) as [{ folded: string; lower: string | undefined }];
      return lower === undefined
        ? [stemOf(folded, language)]
        : [accentedStemOf(lower, language), stemOf(folded, language)];
    };
    expect(termOf(one).some((term) => termOf(other).includes(term))).toBe(true);
  });

  it('omit stop words with or without their accents', async () => {
    const [german, french, english] = await Promise.all(['de', 'fr', 'en'].map(load));
    for (const word of ['und', 'für', 'fur', 'über', 'uber']) expect(german!.isStopWord(word), word).toBe(true);
    expect(french!.isStopWord('été')).toBe(true);
    expect(english!.isStopWord('the')).toBe(true);
    // Tea.
    expect(english!.isStopWord('thé')).toBe(false);
  });

  it('keep the nouns that long lists hold', async () => {
    const german = await load('de');
    for (const word of ['mensch', 'tag', 'zeit', 'uhr', 'gott', 'c']) expect(german.isStopWord(word), word).toBe(false);
    expect((await load('sv')).isStopWord('dagen')).toBe(false);
  });

  it('without rules change and omit nothing', () => {
    const none = loadedLanguage(0)!;
    expect(none.stem('lanterns')).toBe('lanterns');
    expect(none.isStopWord('the')).toBe(false);
  });
});

/** A word or two of each list. */
const STOP_WORDS = [
  'the und les que che para het och og det sinä nem şi и й на і që και ve և في का agus 的 の 의 ที่ của się není aby če koji kad siis amb unha eta את به کے এবং आणि અને ਦੇ kaj est apie yang dan di nga',
  'é de a o i en er ja ne az în не та ir το bir է من के is 我 に 그 และ và na že ale je za un ile ja és el da של از اور এই या છે ਹੈ la et',
]
  .join(' ')
  .split(' ');
