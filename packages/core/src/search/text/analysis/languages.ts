import { isWord } from './character-class.ts';
import { fold } from './fold.ts';
import { LANGUAGE_TABLE, type StopWordLists } from './language-table.ts';

/** The rules of one language, ready for use. */
export interface Language {
  /** Its row in the table of languages. */
  readonly number: number;
  readonly ignoresAccents: boolean;
  /** The stem of a word in lower case. */
  stem(word: string): string;
  /** Whether a word in lower case, with its accents or without, says too little to be indexed. */
  isStopWord(word: string): boolean;
}

const numbers = new Map<string, number>(LANGUAGE_TABLE.flatMap(({ tags }, number) => tags.map((tag) => [tag, number])));
const loaded: (Language | undefined)[] = [];
const loading: (Promise<Language> | undefined)[] = [];
let lists: StopWordLists | undefined;

/**
 * The number of the language of a tag (BCP 47, any case): its first subtag decides. 0 for languages
 * without rules of their own.
 */
export function languageNumber(tag: string): number {
  const dash = tag.indexOf('-');
  return numbers.get((dash < 0 ? tag : tag.slice(0, dash)).toLowerCase()) ?? 0;
}

/** A language whose data has been loaded, or that needs none that has not. */
export function loadedLanguage(number: number): Language | undefined {
  const { stemmer, stopWords } = LANGUAGE_TABLE[number];
  if (!loaded[number] && !stemmer && (lists || !stopWords)) loaded[number] = makeLanguage(number, undefined);
  return loaded[number];
}

/**
 * Loads the data of a language, once for the process. A failure is told, and the next call tries
 * again.
 */
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
  // The lists of all languages come in one module of a quarter of a megabyte; stemmers come one by
  // one.
  const [stopWords, module] = await Promise.all([import('stopword/dist/stopword.esm.mjs'), stemmer?.()]);
  lists = stopWords;
  return (loaded[number] = makeLanguage(number, module?.stemmer));
}

function makeLanguage(number: number, stemmer: ((word: string) => string) | undefined): Language {
  const { stopWords: names = [], keeps = '', ignoresAccents = false } = LANGUAGE_TABLE[number];
  const kept = new Set(keeps.split(' '));
  const stopWords = new Set<string>();
  for (const name of names) {
    for (const entry of lists?.[name] ?? []) {
      const word = entry.toLowerCase().normalize('NFKC');
      // Lists hold a few entries that are no words, such as `z.b` and `und?`.
      if (!kept.has(word) && isWord(word)) stopWords.add(word).add(fold(word));
    }
  }
  return {
    number,
    ignoresAccents,
    // A stemmer may leave nothing of a word.
    stem: stemmer ? (word) => stemmer(word) || word : (word) => word,
    isStopWord: (word) => stopWords.has(word),
  };
}
