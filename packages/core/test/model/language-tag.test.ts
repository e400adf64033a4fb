import { expect, it } from 'vitest';
import { isLanguageTag, languageTagCase } from '../../src/model/language-tag.ts';

it.each([
  ['EN', 'en'],
  ['en-us', 'en-US'],
  ['ZH-hANT-hk', 'zh-Hant-HK'],
  ['sl-rozaj-biske-1994', 'sl-rozaj-biske-1994'],
  ['DE-1996', 'de-1996'],
  // Behind a single letter nothing is a region or script (RFC 5646 section 2.1.1).
  ['en-CA-X-CA', 'en-CA-x-ca'],
  ['de-U-CO-phonebk', 'de-u-co-phonebk'],
  ['I-KLINGON', 'i-klingon'],
])('the usual case of %s is %s', (tag, usual) => {
  expect(languageTagCase(tag)).toBe(usual);
  expect(languageTagCase(usual)).toBe(usual);
});

it('a language has at most 8 letters; the rest of a tag may be longer', () => {
  for (const tag of ['en', 'zh-classical', 'be-x-old', 'es-419']) expect(isLanguageTag(tag), tag).toBe(true);
  for (const tag of ['', 'cantbethislong', 'en-', '-en', 'en--ltr', 'e1', 'en_US', 'en-ä'])
    expect(isLanguageTag(tag), tag).toBe(false);
});
