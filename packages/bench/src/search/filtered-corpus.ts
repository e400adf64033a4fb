import type { Corpus } from './corpus.ts';

/** Predicates and types 0, 1 and 2 have one in this number of the documents or subjects. */
export const FILTERED_EVERY: readonly number[] = [1000, 100, 10];
/** Maximum number of worlds. */
const WORLDS = 1000;
const TEXTS_PER_SUBJECT = 3;

/** Texts with predicates, subjects, types and worlds to filter by. */
export interface FilteredCorpus extends Corpus {
  /** The world of each text; ascending. */
  readonly worlds: Uint32Array;
  typeOf(subject: number): number;
}

/**
 * Gives texts other subjects and predicates, a type for each subject, and worlds. Predicates 0, 1
 * and 2 have 0.1, 1 and 10 % of the documents, types 0, 1 and 2 have 0.1, 1 and 10 % of the
 * subjects, each subject has three texts, and each of a thousand worlds 0.1 % of the texts.
 */
export function filteredCorpus(corpus: Corpus): FilteredCorpus {
  const { length } = corpus.texts;
  const rareOf = (number: number) => {
    const rare = FILTERED_EVERY.findIndex((every) => number % every === 0);
    return rare >= 0 ? rare : FILTERED_EVERY.length + (number % 5);
  };
  const perWorld = Math.ceil(length / WORLDS);
  return {
    ...corpus,
    subjects: Uint32Array.from({ length }, (_, row) => Math.floor(row / TEXTS_PER_SUBJECT)),
    predicates: Uint32Array.from({ length }, (_, row) => rareOf(row)),
    worlds: Uint32Array.from({ length }, (_, row) => Math.floor(row / perWorld)),
    typeOf: rareOf,
  };
}
