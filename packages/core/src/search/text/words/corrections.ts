import { MAX_WORD_LENGTH } from '../analysis/fold.ts';
import { EditDistance, MAX_LETTERS } from './edit-distance.ts';
import type { KeptSpellings, SpellingsByDistance } from './kept-spellings.ts';
import { visitNear } from './near-spellings.ts';
import { type NearbyTerm, NearbyTerms } from './nearby-terms.ts';
import type { SortedRun } from './sorted-run.ts';
import type { WordTable } from './word-table.ts';

/** How many terms a misspelt word may stand for. */
const MAX_CORRECTIONS = 16;
/** Shorter words are near too many others. */
const MIN_LETTERS = 4;
/** From so many letters on two mistakes are forgiven. */
const MIN_LETTERS_FOR_TWO = 8;
/** Words with a digit are names and numbers: the next number is no correction. */
const DIGIT = /\p{N}/u;
/** In these scripts one letter is a syllable or a word. */
const SYLLABIC =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** What a correction weighs by its distance. */
const WEIGHT = [1, 0.75, 0.5];

/** How many mistakes are forgiven in a folded word. */
export function allowedMistakes(word: string): number {
  const letters = [...word].length;
  if (letters < MIN_LETTERS || letters > MAX_LETTERS || DIGIT.test(word) || SYLLABIC.test(word)) return 0;
  return letters < MIN_LETTERS_FOR_TWO ? 1 : 2;
}

/** The spellings of an index as sorted runs, from the first letter and from the last. */
export interface Spellings {
  readonly beginnings: readonly SortedRun[];
  readonly endings: readonly SortedRun[];
  /** How many times they have changed. */
  readonly changes: number;
  /** What was found in them since then. */
  readonly kept: KeptSpellings;
}

/** One for all words: looking for one does not pause. */
const distances = new EditDistance(MAX_WORD_LENGTH, WEIGHT.length - 1);

/**
 * The terms of the spellings that are as near to a folded word as any is, within `allowedMistakes`.
 */
export function correctionsOf(
  table: WordTable,
  spellings: Spellings,
  word: string,
  documentsOf: (term: number) => number = (term) => table.documents[term],
): readonly NearbyTerm[] {
  const limit = allowedMistakes(word);
  if (limit === 0) return [];
  const near = spellings.kept.of(word, spellings.changes, () => nearSpellings(table, spellings, word, limit));
  for (let distance = 0; distance < near.length; distance++) {
    const best = new NearbyTerms(table, MAX_CORRECTIONS, documentsOf);
    const found = near[distance];
    for (let at = 0; at < found.length; at++) if (table.uses[found[at]] > 0) best.offer(found[at], WEIGHT[distance]);
    if (best.terms.length > 0) return best.terms;
  }
  return [];
}

/**
 * The spellings within some mistakes, by distance, with those that are not in use any more.
 *
 * Where both halves of the word may have all mistakes, most words of the index begin near enough to
 * look at. But of `limit` mistakes either all that are made before some letter are few, or those
 * after it are: so spellings are looked for from their first letter with few mistakes at the
 * beginning, then from their last letter with few at the end (Mihov, Schulz, Computational
 * Linguistics 2004).
 */
function nearSpellings(
  table: WordTable,
  { beginnings, endings }: Spellings,
  word: string,
  limit: number,
): SpellingsByDistance {
  // Some are found from both ends.
  const near = Array.from({ length: limit + 1 }, () => new Set<number>());
  const visit = (spelling: number, distance: number) => {
    if (distance <= limit) near[distance].add(spelling);
  };
  const letters = Array.from(word, (letter) => letter.codePointAt(0)!);
  const from = (letters.length + 2) >>> 1;
  // A mistake is made on the way to a place before `from`, or it is not: then it is one on the way
  // back to a place before the other's `from`.
  const sides = [
    { runs: beginnings, letters, early: limit - 1, from },
    { runs: endings, letters: letters.toReversed(), early: 0, from: letters.length + 1 - from },
  ];
  for (const side of sides) {
    distances.begin(side.letters, { limit, early: side.early, from: side.from });
    for (const run of side.runs) visitNear(table, run, distances, visit);
  }
  return near.map((found) => Uint32Array.from(found));
}
