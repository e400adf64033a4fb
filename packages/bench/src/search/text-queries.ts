import { RandomNumbers } from '../random-numbers.ts';

export const QUERY_CLASSES = ['three words, some stop words', 'a common word', 'a prefix', 'an unknown word'] as const;
export type QueryClass = (typeof QUERY_CLASSES)[number];

/** A class of queries, and the interpretation of its words. */
export interface QuerySet {
  readonly name: QueryClass;
  readonly queries: readonly string[];
  /** The last word may be incomplete. */
  readonly prefix: boolean;
  /** The words are misspelt. */
  readonly fuzzy: boolean;
}

const STOP_WORDS = new Set(
  'a an and are as at be but by for from had has have he her his in is it not of on or she that the they this to was were which with you'.split(
    ' ',
  ),
);
const COMMON_WORDS = 20;
const PREFIX_LETTERS = 3;
const MAX_TRIALS = 1000;

/** Returns the words of ASCII letters, in lower case. */
export function plainWords(text: string): string[] {
  return text.toLowerCase().match(/[a-z]+/g) ?? [];
}

/** Counts the texts that contain each word. */
export function countWords(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) for (const word of new Set(plainWords(text))) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/**
 * Makes queries of every class from the texts. Throws if the texts have no suitable words for a
 * class.
 */
export function textQueries(
  texts: readonly string[],
  counts: ReadonlyMap<string, number>,
  perClass: number,
  seed: number,
): QuerySet[] {
  const random = new RandomNumbers(seed);
  const randomWords = () => plainWords(random.pick(texts));
  const common = [...counts]
    .filter(([word]) => word.length > 2 && !STOP_WORDS.has(word))
    .sort((a, b) => b[1] - a[1])
    .slice(0, COMMON_WORDS);
  const makers: Record<QueryClass, () => string | undefined> = {
    'three words, some stop words': () => {
      const words = randomWords();
      if (words.length < 3) return undefined;
      const three = words.slice(random.below(words.length - 2)).slice(0, 3);
      const stops = three.filter((word) => STOP_WORDS.has(word)).length;
      return stops > 0 && stops < 3 ? three.join(' ') : undefined;
    },
    'a common word': () => (common.length > 0 ? random.pick(common)[0] : undefined),
    'a prefix': () =>
      randomWords()
        .find(({ length }) => length > PREFIX_LETTERS + 1)
        ?.slice(0, PREFIX_LETTERS),
    'an unknown word': () => {
      const word = randomWords().find(({ length }) => length >= 6);
      if (!word) return undefined;
      // One letter removed: an edit distance of 1 by any definition.
      const at = random.between(1, word.length - 2);
      const misspelt = word.slice(0, at) + word.slice(at + 1);
      return counts.has(misspelt) ? undefined : misspelt;
    },
  };
  return QUERY_CLASSES.map((name) => ({
    name,
    queries: Array.from({ length: perClass }, () => some(name, makers[name])),
    prefix: name === 'a prefix',
    fuzzy: name === 'an unknown word',
  }));
}

function some(name: QueryClass, make: () => string | undefined): string {
  for (let trial = 0; trial < MAX_TRIALS; trial++) {
    const query = make();
    if (query !== undefined) return query;
  }
  throw new Error(`The texts have no words for queries of the class "${name}".`);
}

/**
 * Returns words on whose texts all tokenizers agree, because they are always delimited by spaces
 * and plain punctuation, with the number of texts for each: the count that every index must return.
 */
export function plainWordCounts(texts: readonly string[], most: number): Map<string, number> {
  const narrow = new Map<string, number>();
  const wide = new Map<string, number>();
  const count = (counts: Map<string, number>, words: readonly string[]) => {
    for (const word of new Set(words)) counts.set(word, (counts.get(word) ?? 0) + 1);
  };
  for (const text of texts) {
    count(narrow, text.toLowerCase().split(/[ .,;:!?"()]+/));
    count(wide, plainWords(text.normalize('NFKD').replaceAll(/\p{M}+/gu, '')));
  }
  const agreed = [...narrow].filter(
    ([word, texts]) => /^[a-z]{2,}$/.test(word) && wide.get(word) === texts && !STOP_WORDS.has(word),
  );
  // The most frequent ones, and as many rarer ones.
  const ordered = agreed.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const step = Math.max(1, Math.floor(ordered.length / most));
  return new Map(ordered.filter((_, at) => at < most / 2 || at % (step * 2) === 0).slice(0, most));
}
