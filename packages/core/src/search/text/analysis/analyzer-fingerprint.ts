import type { Language } from './languages.ts';

/**
 * Version of the rules that turn a text into terms: tokens, folding, stems, stop words, caps.
 * Raise it with every change of them; a stored index of another version is not used. The test of
 * this file fails if the terms of its corpus change and the version does not.
 */
export const ANALYZER_VERSION = 1;

/**
 * Identifies what the terms of a text depend on besides the data of its language: the rules, the
 * settings, and the Unicode data of the runtime (folding, character classes, words of scripts
 * without spaces).
 */
export function analyzerFingerprint(defaultLanguage: string, maxTextLength: number): string {
  const { unicode = '', icu = '', cldr = '' } = globalThis.process?.versions ?? {};
  return JSON.stringify([ANALYZER_VERSION, defaultLanguage.toLowerCase(), maxTextLength, unicode, icu, cldr]);
}

/** Words of several lengths and endings for each script that a stemmer may know. */
const PROBES = (
  'lanterns happily nationalisation running relational électricité évidemment nacionalidades corriendo continuité ' +
  'häuser freundlichkeiten schönsten gegangen bicyclettes possibilità lavorando verklaringen huizen flickornas ' +
  'kjærlighetens yndigheder talossansakin kahvilassammekin szeretteinkkel házaikból frumuseţea copiilor ' +
  'красивыми национальности бегавшие книгами українськими читаючи българските четящият лепоте namuose knygomis ' +
  'ανθρώπων σημαντικότερες evlerinizden kitaplarımız գեղեցկության մարդկանց والمدرسة الكاتبون लड़कियों पुस्तकें ' +
  'மரங்களின் memperlihatkan kebesaran dochreidte scoileanna'
).split(' ');

/** Identifies the data of a language: its stop words, and its stemmer by its answers. */
export function languageFingerprint({ tag, ignoresAccents, stopWords, stem }: Language): string {
  let [low, high] = [0x811c9dc5, 0x1b873593];
  const take = (text: string) => {
    for (let at = 0; at <= text.length; at++) {
      const unit = at < text.length ? text.charCodeAt(at) : 0x1_0000;
      low = Math.imul(low ^ unit, 0x01000193);
      high = Math.imul(high ^ unit, 0x85ebca6b);
      high ^= high >>> 13;
    }
  };
  for (const word of [...stopWords].sort()) take(word);
  take('');
  for (const word of PROBES) take(stem(word));
  const digits = [low, high].map((half) => (half >>> 0).toString(16).padStart(8, '0'));
  return `${tag} ${ignoresAccents ? 'without accents ' : ''}${digits.join('')}`;
}
