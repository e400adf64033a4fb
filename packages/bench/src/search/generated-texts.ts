import { RandomNumbers } from '../random-numbers.ts';

const ONSETS = [
  'b',
  'br',
  'd',
  'dr',
  'f',
  'g',
  'gl',
  'k',
  'l',
  'm',
  'n',
  'p',
  'pl',
  'r',
  's',
  'st',
  't',
  'tr',
  'v',
  'z',
];
const RIMES = ['a', 'an', 'ar', 'e', 'el', 'en', 'i', 'im', 'in', 'o', 'on', 'or', 'u', 'um', 'ur'];
const STOP_WORDS = ['the', 'of', 'and', 'to', 'in', 'is', 'with', 'for'];
/** The vocabulary has at most 2^this words. */
const VOCABULARY_BITS = 17;
const MOST_WORDS = 9;

/**
 * Generates short texts of made-up words with a natural frequency distribution (the n-th most
 * frequent word has 1/n of the occurrences), and some English stop words.
 */
export function generatedTexts(count: number, seed: number): string[] {
  const random = new RandomNumbers(seed);
  return Array.from({ length: count }, () => {
    const words = Array.from({ length: random.between(1, MOST_WORDS) }, () =>
      random.below(3) === 0 ? random.pick(STOP_WORDS) : wordOf(random.below(2 ** random.between(0, VOCABULARY_BITS))),
    );
    return words.join(' ');
  });
}

/**
 * Returns the word of a rank. At least two syllables, so that none is a stop word; distinct for
 * each rank.
 */
function wordOf(rank: number): string {
  const syllables = ONSETS.length * RIMES.length;
  let word = '';
  for (let left = rank + syllables; left > 0; left = Math.floor(left / syllables)) {
    const syllable = left % syllables;
    word += ONSETS[syllable % ONSETS.length] + RIMES[Math.floor(syllable / ONSETS.length)];
  }
  return word;
}
