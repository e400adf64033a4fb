import { MAX_WORD_LENGTH } from '../analysis/fold.ts';
import { EditDistance, MAX_LETTERS } from './edit-distance.ts';
import { type NearbyTerm, NearbyTerms } from './nearby-terms.ts';
import { GROUP_BYTES, type SortedRun } from './spelling-list.ts';
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

/** The terms of the spellings that are as near to a folded word as any is, within `allowedMistakes`. */
export function correctionsOf(
  table: WordTable,
  runs: readonly SortedRun[],
  word: string,
  documentsOf: (term: number) => number = (term) => table.documents[term],
): readonly NearbyTerm[] {
  const limit = allowedMistakes(word);
  if (limit === 0) return [];
  const byDistance = Array.from({ length: limit + 1 }, () => new NearbyTerms(table, MAX_CORRECTIONS, documentsOf));
  for (const run of runs) {
    const distances = new EditDistance(word, limit, MAX_WORD_LENGTH);
    scan(table, run, distances, (spelling, distance) => {
      if (distance <= limit && table.uses[spelling] > 0) byDistance[distance].offer(spelling, WEIGHT[distance]);
    });
  }
  return byDistance.find(({ terms }) => terms.length > 0)?.terms ?? [];
}

/** Calls `visit` with the words of a run that may be near, and their distances. */
function scan(
  table: WordTable,
  run: SortedRun,
  distances: EditDistance,
  visit: (word: number, distance: number) => void,
): void {
  const { bytes } = table;
  const { groups } = run;
  /** The next group that was not looked at. */
  let group = 0;
  /** How many whole letters the first so many bytes of the word before are. */
  const lettersAt = new Uint8Array(256);
  // So many leading bytes are known to be too far away: what shares them is, too.
  let deadBytes = 256;
  for (let at = 0; at < run.words.length; at++) {
    const shared = run.shared[at];
    if (shared >= deadBytes) {
      if (deadBytes > GROUP_BYTES) continue;
      // What shares less is the first of a group.
      while (group < groups.length && (groups[group] <= at || run.shared[groups[group]] >= deadBytes)) group++;
      at = (group < groups.length ? groups[group] : run.words.length) - 1;
      continue;
    }
    const next = run.next[at];
    let depth = lettersAt[shared];
    let index = shared;
    // Most words end here, before their text is looked at.
    if (next < 0x80) {
      lettersAt[++index] = ++depth;
      if (!distances.push(depth, next)) {
        deadBytes = index;
        continue;
      }
    }
    const word = run.words[at];
    const start = table.textStart(word);
    const length = table.textLength(word);
    // Back to the beginning of a letter that is shared in part.
    while (index < length && (bytes[start + index] & 0xc0) === 0x80) index--;
    deadBytes = 256;
    while (index < length) {
      const lead = bytes[start + index];
      const size = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
      let letter = size === 1 ? lead : lead & (0x7f >>> size);
      for (let more = 1; more < size; more++) {
        letter = (letter << 6) | (bytes[start + index + more] & 0x3f);
        lettersAt[index + more] = depth;
      }
      index += size;
      lettersAt[index] = ++depth;
      if (!distances.push(depth, letter)) {
        deadBytes = index;
        break;
      }
    }
    if (deadBytes === 256) visit(word, distances.distance(depth));
  }
}
