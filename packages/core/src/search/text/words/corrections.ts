import { MAX_WORD_LENGTH } from '../analysis/fold.ts';
import { EditDistance, MAX_LETTERS } from './edit-distance.ts';
import type { KeptSpellings, SpellingsByDistance } from './kept-spellings.ts';
import { visitNear } from './near-spellings.ts';
import { type NearbyTerm, NearbyTerms } from './nearby-terms.ts';
import type { SortedRun } from './sorted-run.ts';
import type { WordTable } from './word-table.ts';

/** Maximum number of terms that correct a word. */
const MAX_CORRECTIONS = 16;
/** Shorter words are similar to too many others. */
const MIN_LETTERS = 4;
/** Words with this many letters or more may have two mistakes. */
const MIN_LETTERS_FOR_TWO = 8;
/** Words with a digit are names and numbers, for which the next number is not a correction. */
const DIGIT = /\p{N}/u;
/** Scripts in which one letter is a syllable or a word. */
const SYLLABIC =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Weight of a correction by its edit distance. */
const WEIGHT = [1, 0.75, 0.5];

/** Returns the number of mistakes allowed in a folded word. */
export function allowedMistakes(word: string): number {
  const letters = [...word].length;
  if (letters < MIN_LETTERS || letters > MAX_LETTERS || DIGIT.test(word) || SYLLABIC.test(word)) return 0;
  return letters < MIN_LETTERS_FOR_TWO ? 1 : 2;
}

/** Spellings of an index as sorted runs, read from the first letter and from the last. */
export interface Spellings {
  readonly beginnings: readonly SortedRun[];
  readonly endings: readonly SortedRun[];
  /** Number of changes so far. */
  readonly changes: number;
  /** Cache of lookups since the last change. */
  readonly kept: KeptSpellings;
}

/** Shared by all lookups, which never yield. */
const distances = new EditDistance(MAX_WORD_LENGTH, WEIGHT.length - 1);

/** Returns the terms of the spellings nearest to a folded word, within `allowedMistakes`. */
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
 * Returns the spellings within some mistakes, by distance, including unused ones.
 *
 * If both halves of the word could contain all mistakes, most words of the index would have to be
 * examined. But of `limit` mistakes, few occur either before or after some letter. So spellings are
 * searched from their first letter with few mistakes at the start, then from their last letter with
 * few at the end (Mihov, Schulz, Computational Linguistics 2004).
 */
function nearSpellings(
  table: WordTable,
  { beginnings, endings }: Spellings,
  word: string,
  limit: number,
): SpellingsByDistance {
  // Sets, because some spellings are found from both ends.
  const near = Array.from({ length: limit + 1 }, () => new Set<number>());
  const visit = (spelling: number, distance: number) => {
    if (distance <= limit) near[distance].add(spelling);
  };
  const letters = Array.from(word, (letter) => letter.codePointAt(0)!);
  const from = (letters.length + 2) >>> 1;
  // A mistake occurs either on the way to a position before `from`, or on the way back to a
  // position before the other side's `from`.
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
