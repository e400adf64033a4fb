import { countCodePoints } from '../analysis/utf8.ts';
import { type NearbyTerm, NearbyTerms } from './nearby-terms.ts';
import type { SortedRun } from './sorted-run.ts';
import type { WordTable } from './word-table.ts';

/** Maximum number of terms that complete a word. */
const MAX_COMPLETIONS = 32;

/**
 * Returns the terms of words in these languages that start with a prefix, given as folded UTF-8,
 * and are longer. The weight of a word is the share of it that the prefix covers.
 */
export function completionsOf(
  table: WordTable,
  runs: readonly SortedRun[],
  languages: readonly number[],
  prefix: Uint8Array,
  documentsOf: (term: number) => number = (term) => table.documents[term],
): readonly NearbyTerm[] {
  const best = new NearbyTerms(table, MAX_COMPLETIONS, documentsOf);
  const letters = countCodePoints(prefix, 0, prefix.length);
  for (const { words } of runs) {
    for (const language of languages) {
      const end = firstAfter(table, words, language, prefix);
      for (let at = firstNotBelow(table, words, language, prefix); at < end; at++) {
        const word = words[at];
        // Check the cheap condition first: there may be ten thousand words.
        if (table.documents[table.stemOf[word]] < best.leastDocuments || table.uses[word] === 0) continue;
        const start = table.textStart(word);
        const length = table.textLength(word);
        if (length > prefix.length) best.offer(word, letters / countCodePoints(table.bytes, start, start + length));
      }
    }
  }
  return best.terms;
}

/** Returns the position of the first word that is not below (language, prefix). */
function firstNotBelow(table: WordTable, words: Uint32Array, language: number, prefix: Uint8Array): number {
  return firstWhere(words, (word) => comparePrefix(table, word, language, prefix) >= 0);
}

/**
 * Returns the position after the last word that starts with (language, prefix), or its insertion
 * point.
 */
function firstAfter(table: WordTable, words: Uint32Array, language: number, prefix: Uint8Array): number {
  return firstWhere(words, (word) => comparePrefix(table, word, language, prefix) > 0);
}

/** Returns the first position from which a predicate holds. */
function firstWhere(words: Uint32Array, holds: (word: number) => boolean): number {
  let low = 0;
  let high = words.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(words[middle])) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Below 0 for words before (language, prefix), above 0 for words after all that start with it. */
function comparePrefix(table: WordTable, word: number, language: number, prefix: Uint8Array): number {
  const bySpace = table.spaceOf(word) - language;
  if (bySpace !== 0) return bySpace;
  const start = table.textStart(word);
  const length = table.textLength(word);
  for (let at = 0; at < prefix.length; at++) {
    if (at === length) return -1;
    const difference = table.bytes[start + at] - prefix[at];
    if (difference !== 0) return difference;
  }
  return 0;
}
