import { isWord } from './character-class.ts';
import { fold } from './fold.ts';
import { LANGUAGE_TABLE, type StopWordLists } from './language-table.ts';

/** Loaded rules of one language. */
export interface Language {
  /** Its row in the language table. */
  readonly number: number;
  /** The first tag of its row; '' for row 0. */
  readonly tag: string;
  readonly ignoresAccents: boolean;
  readonly stopWords: ReadonlySet<string>;
  /** Returns the stem of a word in lower case. */
  stem(word: string): string;
  /** Whether a lower-case word, with or without accents, is a stop word, which is not indexed. */
  isStopWord(word: string): boolean;
}

const numbers = new Map<string, number>(LANGUAGE_TABLE.flatMap(({ tags }, number) => tags.map((tag) => [tag, number])));
const loaded: (Language | undefined)[] = [];
const loading: (Promise<Language> | undefined)[] = [];
let lists: StopWordLists | undefined;

/**
 * Returns the number of a tag's language (BCP 47, any case), determined by the first subtag; 0 for
 * languages without rules.
 */
export function languageNumber(tag: string): number {
  const dash = tag.indexOf('-');
  return numbers.get((dash < 0 ? tag : tag.slice(0, dash)).toLowerCase()) ?? 0;
}

/** Returns a language if all data that it needs is loaded. */
export function loadedLanguage(number: number): Language | undefined {
  const { stemmer, stopWords } = LANGUAGE_TABLE[number];
  if (!loaded[number] && !stemmer && (lists || !stopWords)) loaded[number] = makeLanguage(number, undefined);
  return loaded[number];
}

/** Loads the data of a language, once per process. A failure rejects, and the next call retries. */
export async function loadLanguage(number: number): Promise<Language> {
  const ready = loadedLanguage(number);
  if (ready) return ready;
  const running = (loading[number] ??= load(number));
  try {
    return await running;
  } finally {
    loading[number] = undefined;
  }
}

async function load(number: number): Promise<Language> {
  const { stemmer } = LANGUAGE_TABLE[number];
  // The lists of all languages are one module of a quarter of a megabyte; stemmers are separate
  // modules.
  const [stopWords, module] = await Promise.all([import('stopword/dist/stopword.esm.mjs'), stemmer?.()]);
  lists = stopWords;
  return (loaded[number] = makeLanguage(number, module?.stemmer));
}

function makeLanguage(number: number, stemmer: ((word: string) => string) | undefined): Language {
  const { tags, stopWords: names = [], keeps = '', ignoresAccents = false } = LANGUAGE_TABLE[number];
  const kept = new Set(keeps.split(' '));
  const stopWords = new Set<string>();
  for (const name of names) {
    for (const entry of lists?.[name] ?? []) {
      const word = entry.toLowerCase().normalize('NFKC');
      // Skip the few entries that are not words, such as `z.b` and `und?`.
      if (!kept.has(word) && isWord(word)) stopWords.add(word).add(fold(word));
    }
  }
  return {
    number,
    tag: tags[0] ?? '',
    ignoresAccents,
    stopWords,
    // A stemmer may reduce a word to nothing.
    stem: stemmer ? (word) => stemmer(word) || word : (word) => word,
    isStopWord: (word) => stopWords.has(word),
  };
}
