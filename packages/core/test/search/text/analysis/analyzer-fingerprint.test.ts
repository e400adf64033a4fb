import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  ANALYZER_VERSION,
  analyzerFingerprint,
  languageFingerprint,
} from '../../../../src/search/text/analysis/analyzer-fingerprint.ts';
import { LANGUAGE_TABLE } from '../../../../src/search/text/analysis/language-table.ts';
import { loadLanguage } from '../../../../src/search/text/analysis/languages.ts';
import { TextAnalyzer } from '../../../../src/search/text/analysis/text-analyzer.ts';
import { WordTable } from '../../../../src/search/text/words/word-table.ts';

/** Every rule of the analyser is used by one of these. */
const CORPUS = [
  'The lanterns of 1815 were happily re-lit; O’Neill’s kettles (№ 42) cost 3,14 €.',
  'Résumés, naïve cafés, Ångström and ﬁne ﬂour; ＦＵＬＬ width; İstanbul, ſtraße, STRASSE.',
  'Die schönsten Häuser am Fluß, die größten Freundlichkeiten.',
  'La educación y las canciones; l’été, les évènements d’aujourd’hui.',
  'Красивые слова, ёлка и подъезд; ανθρώπων Σίσυφος; مدرسة جديدة; किताबें पढ़ना.',
  'a_b snake_case camelCase x86-64 user@example.org https://example.org/path?q=1',
  `${'long'.repeat(40)} ${'word '.repeat(300)}`,
  '\u0000 \ud800 lone \udc00 surrogates 😀 emoji',
];

it('the terms of a fixed corpus are those of this version of the analyser', async () => {
  const hash = createHash('sha256');
  for (const number of LANGUAGE_TABLE.keys()) {
    const language = await loadLanguage(number);
    const table = new WordTable();
    const analyzer = new TextAnalyzer(table, () => undefined);
    for (const text of CORPUS) {
      analyzer.analyze(text, language, 1000, true);
      const terms = Array.from(analyzer.terms.subarray(0, analyzer.termCount), (term, at) => [
        table.text(term),
        analyzer.frequencies[at],
      ]);
      hash.update(JSON.stringify([language.tag, analyzer.length, terms.sort()]));
    }
  }
  // If the terms have changed: raise ANALYZER_VERSION, so that stored indexes of earlier versions
  // are not used, and note the new digest here.
  expect([ANALYZER_VERSION, hash.digest('hex').slice(0, 16)]).toEqual([1, '9daf5344bfa8feef']);
});

it('differs by settings, and by the data of a language', async () => {
  const fingerprints = [
    ['en', 1000],
    ['de', 1000],
    ['en', 1001],
    ['', 1000],
  ] as const;
  expect(new Set(fingerprints.map(([language, length]) => analyzerFingerprint(language, length))).size).toBe(4);
  expect(analyzerFingerprint('en', 1)).toBe(analyzerFingerprint('EN', 1));
  const languages = await Promise.all(Array.from(LANGUAGE_TABLE.keys(), loadLanguage));
  expect(new Set(languages.map(languageFingerprint)).size).toBe(languages.length);
  const english = languages[1];
  const stopWords = new Set([...english.stopWords, 'lantern']);
  const others = [
    { ...english, stopWords },
    { ...english, stem: (word: string) => (word === 'lanterns' ? 'lanter' : english.stem(word)) },
    { ...english, ignoresAccents: false },
  ];
  for (const other of others) expect(languageFingerprint(other)).not.toBe(languageFingerprint(english));
  expect(languageFingerprint({ ...english })).toBe(languageFingerprint(english));
});

// Browsers do not tell the version of their Unicode data.
it.skipIf(globalThis.process === undefined)('differs by the Unicode data of the runtime', () => {
  expect(analyzerFingerprint('en', 1)).toContain(process.versions.unicode);
});
