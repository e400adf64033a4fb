import { isWord } from './character-class.ts';

/**
 * Longer words are truncated, in UTF-16 units. Applies to documents and queries alike, so that they
 * still match.
 */
export const MAX_WORD_LENGTH = 64;

/** The two forms of a word that the index uses. */
export interface FoldedWord {
  /** Lower case, with accents. */
  readonly lower: string;
  /** Form used for comparison: lower case, without accents. Never empty. */
  readonly folded: string;
}

/**
 * Marks that people omit when typing: accents (the combining blocks), Hebrew points, Arabic vowel
 * signs and the tatweel, variation selectors. Not every \p{M}: the vowel signs of Indic scripts and
 * the sound marks of kana distinguish words.
 */
const ACCENTS = new RegExp(
  `[${[
    '\\u0300-\\u036f', // Combining Diacritical Marks
    '\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7', // Hebrew points
    '\\u0640\\u064b-\\u065f\\u0670', // Arabic
    '\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f', // the other combining blocks
    '\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}', // variation selectors
  ].join('')}]+`,
  'gu',
);

/**
 * Cyrillic letters whose mark is never omitted: й, ў, ї, ѓ, ќ. Others, such as ё and stressed
 * vowels, lose theirs.
 */
const MARKED_LETTERS = /[иу]\u0306|і\u0308|[гк]\u0301/g;

/**
 * Letters that Unicode does not decompose but people type like this, and letters that case folding
 * maps (ß, ς).
 */
const LETTERS = new Map([
  ['ß', 'ss'],
  ['ς', 'σ'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ø', 'o'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['þ', 'th'],
  ['ħ', 'h'],
  ['ł', 'l'],
  ['ı', 'i'],
]);
const SPECIAL_LETTER = new RegExp(`[${[...LETTERS.keys()].join('')}]`, 'g');

const JOINER = /\u00ad|\u200c|\u200d|\u2060|\ufeff/g;

// biome-ignore lint/suspicious/noControlCharactersInRegex: it is the range of ASCII that is meant.
const ASCII = /^[\x00-\x7f]*$/;

/**
 * Folds a text for comparison: replaces compatibility characters (NFKD), drops accents, converts to
 * lower case. Quadratic in the number of marks on one letter, so pass short texts.
 */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return (
    text
      .toLowerCase()
      .replace(JOINER, '')
      .normalize('NFKD')
      // Again, because NFKD turns some symbols into capitals.
      .toLowerCase()
      .replace(MARKED_LETTERS, (letter) => letter.normalize('NFC'))
      .replace(ACCENTS, '')
      // Recompose what is not an accent: Hangul syllables, kana with their sound marks.
      .normalize('NFC')
      .replace(SPECIAL_LETTER, (letter) => LETTERS.get(letter)!)
  );
}

/**
 * Folds a run of letters, digits and marks. May return several words, because Unicode decomposes
 * some characters (`½` into 1 and 2), or none.
 */
export function foldWord(run: string): FoldedWord[] {
  const folded = fold(run);
  if (isWord(folded))
    return [{ lower: cut(run.replace(JOINER, '').normalize('NFKC').toLowerCase()), folded: cut(folded) }];
  return wordsIn(folded).map((word) => ({ lower: cut(word), folded: cut(word) }));
}

function wordsIn(text: string): string[] {
  const words: string[] = [];
  let word = '';
  for (const character of text) {
    if (isWord(character)) word += character;
    else if (word !== '') {
      words.push(word);
      word = '';
    }
  }
  if (word !== '') words.push(word);
  return words;
}

/** Truncates a long word, never inside a surrogate pair. */
function cut(word: string): string {
  if (word.length <= MAX_WORD_LENGTH) return word;
  const last = word.charCodeAt(MAX_WORD_LENGTH - 1);
  return word.slice(0, last >= 0xd800 && last < 0xdc00 ? MAX_WORD_LENGTH - 1 : MAX_WORD_LENGTH);
}
