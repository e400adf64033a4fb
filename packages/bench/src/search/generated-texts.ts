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
/** The most different words are 2^this. */
const VOCABULARY_BITS = 17;
const MOST_WORDS = 9;

/**
 * Short texts of made-up words, about as rare as words are (the n-th most frequent one in 1/n of
 * the places), and some stop words of English.
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

/** Two syllables and more, so that none is a stop word; different for each rank. */
function wordOf(rank: number): string {
  const syllables = ONSETS.length * RIMES.length;
  let word = '';
  for (let left = rank + syllables; left > 0; left = Math.floor(left / syllables)) {
    const syllable = left % syllables;
    word += ONSETS[syllable % ONSETS.length] + RIMES[Math.floor(syllable / ONSETS.length)];
  }
  return word;
}
