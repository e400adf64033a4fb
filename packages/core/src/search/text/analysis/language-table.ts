/// <reference path="./stopword.d.ts" />

/** Stop word lists of the package `stopword`. */
export type StopWordLists = typeof import('stopword/dist/stopword.esm.mjs');

/** Stemmer of one language: returns the stem of a word in lower case, with accents. */
export interface StemmerModule {
  readonly stemmer: (word: string) => string;
}

export interface LanguageRow {
  /** Primary subtags of language tags (BCP 47), lower case. */
  readonly tags: readonly string[];
  readonly stemmer?: () => Promise<StemmerModule>;
  /** Names of lists in the package `stopword`. */
  readonly stopWords?: readonly (keyof StopWordLists)[];
  /**
   * Exceptions to those lists, because people search for them: single letters, and nouns of the
   * longer lists.
   */
  readonly keeps?: string;
  /**
   * Stems words without their accents, for languages whose accents are irrelevant to endings:
   * `résumés` as `resumes`.
   */
  readonly ignoresAccents?: boolean;
}

/**
 * Languages with their own analysis rules; to add one, append a row. The index of a row is the
 * language's number in an index, below 128. Row 0 is every other language: words are folded, but
 * neither stemmed nor checked for stop words.
 */
export const LANGUAGE_TABLE: readonly LanguageRow[] = [
  { tags: [] },
  {
    tags: ['en'],
    stemmer: () => import('@orama/stemmers/english'),
    stopWords: ['eng'],
    ignoresAccents: true,
  },
  {
    tags: ['de', 'gsw'],
    stemmer: () => import('@orama/stemmers/german'),
    stopWords: ['deu'],
    keeps:
      'a b c d e f g h i j k l m n o p q r s t u v w x y z ag au beispiel ende gott jahr jahre jahren mann mensch menschen mittel ' +
      'ordnung recht rechte rechten rechter rechtes sache schluss startseite suche tag tage tagen tat teil tel uhr zeit',
  },
  { tags: ['fr'], stemmer: () => import('@orama/stemmers/french'), stopWords: ['fra'] },
  { tags: ['es'], stemmer: () => import('@orama/stemmers/spanish'), stopWords: ['spa'] },
  { tags: ['it'], stemmer: () => import('@orama/stemmers/italian'), stopWords: ['ita'] },
  { tags: ['pt'], stemmer: () => import('@orama/stemmers/portuguese'), stopWords: ['por'] },
  { tags: ['nl', 'af'], stemmer: () => import('@orama/stemmers/dutch'), stopWords: ['nld'] },
  {
    tags: ['sv'],
    stemmer: () => import('@orama/stemmers/swedish'),
    stopWords: ['swe'],
    keeps: 'beslut dag dagar dagarna dagen del delen e vänster höger',
  },
  { tags: ['da'], stemmer: () => import('@orama/stemmers/danish'), stopWords: ['dan'] },
  { tags: ['no', 'nb', 'nn'], stemmer: () => import('@orama/stemmers/norwegian'), stopWords: ['nob'] },
  { tags: ['fi'], stemmer: () => import('@orama/stemmers/finnish'), stopWords: ['fin'] },
  { tags: ['hu'], stemmer: () => import('@orama/stemmers/hungarian'), stopWords: ['hun'] },
  {
    tags: ['ro', 'mo'],
    stemmer: () => import('@orama/stemmers/romanian'),
    stopWords: ['ron'],
    keeps: 'bucur caut fata frumos graţie halbă mâine mîine noroc spate timp vreme zece zero zi',
  },
  { tags: ['ru'], stemmer: () => import('@orama/stemmers/russian'), stopWords: ['rus'] },
  { tags: ['uk'], stemmer: () => import('@orama/stemmers/ukrainian'), stopWords: ['ukr'] },
  { tags: ['bg'], stemmer: () => import('@orama/stemmers/bulgarian'), stopWords: ['bul'] },
  { tags: ['sr'], stemmer: () => import('@orama/stemmers/serbian') },
  { tags: ['lt'], stemmer: () => import('@orama/stemmers/lithuanian'), stopWords: ['lit'] },
  { tags: ['el'], stemmer: () => import('@orama/stemmers/greek'), stopWords: ['ell'] },
  { tags: ['tr'], stemmer: () => import('@orama/stemmers/turkish'), stopWords: ['tur'] },
  { tags: ['hy'], stemmer: () => import('@orama/stemmers/armenian'), stopWords: ['hye'] },
  { tags: ['ar'], stemmer: () => import('@orama/stemmers/arabic'), stopWords: ['ara'] },
  { tags: ['hi'], stemmer: () => import('@orama/stemmers/indian'), stopWords: ['hin'], keeps: 'घर' },
  { tags: ['ne'], stemmer: () => import('@orama/stemmers/nepali') },
  { tags: ['sa'], stemmer: () => import('@orama/stemmers/sanskrit') },
  { tags: ['ta'], stemmer: () => import('@orama/stemmers/tamil') },
  { tags: ['id', 'in'], stemmer: () => import('@orama/stemmers/indonesian'), stopWords: ['ind'] },
  { tags: ['ga'], stemmer: () => import('@orama/stemmers/irish'), stopWords: ['gle'] },
  { tags: ['zh', 'yue', 'wuu'], stopWords: ['zho'] },
  { tags: ['ja'], stopWords: ['jpn'] },
  { tags: ['ko'], stopWords: ['kor'] },
  { tags: ['th'], stopWords: ['tha'] },
  { tags: ['vi'], stopWords: ['vie'] },
  { tags: ['pl'], stopWords: ['pol'] },
  { tags: ['cs'], stopWords: ['ces'] },
  { tags: ['sk'], stopWords: ['slk'] },
  { tags: ['sl'], stopWords: ['slv'] },
  { tags: ['hr'], stopWords: ['hrv'] },
  { tags: ['lv'], stopWords: ['lav'] },
  { tags: ['et'], stopWords: ['est'] },
  { tags: ['ca'], stopWords: ['cat'] },
  { tags: ['gl'], stopWords: ['glg'] },
  { tags: ['eu'], stopWords: ['eus'] },
  { tags: ['he', 'iw'], stopWords: ['heb'] },
  { tags: ['fa'], stopWords: ['fas'] },
  { tags: ['ur'], stopWords: ['urd'] },
  { tags: ['bn'], stopWords: ['ben'] },
  { tags: ['mr'], stopWords: ['mar'] },
  { tags: ['gu'], stopWords: ['guj'] },
  { tags: ['pa'], stopWords: ['panGu'] },
  { tags: ['eo'], stopWords: ['epo'] },
  { tags: ['la'], stopWords: ['lat'] },
];
