/**
 * Longer words are truncated to this length, in documents and queries alike, so that they still
 * match. MiniSearch's tree recurses over the letters of a word: without a limit, a hostile document
 * could overflow the stack.
 */
const MAX_WORD_LENGTH = 64;

/** Scripts written without spaces between words: their runs are segmented with a dictionary. */
const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';
/** Includes the prolonged sound mark, which does not belong to a single script. */
const UNSPACED_RUN = `[${UNSPACED}][${UNSPACED}\\u30fc\\p{M}]*`;
const SPACED_RUN = `(?:(?![${UNSPACED}])[\\p{L}\\p{N}])(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])*`;

const RUN = new RegExp(`(${UNSPACED_RUN})|${SPACED_RUN}`, 'gu');
const ASCII_RUN = /[a-z0-9]+/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches the ASCII range on purpose
const ASCII = /^[\x00-\x7f]*$/;
const WORD_CHARACTER = /[\p{L}\p{N}]/u;

/**
 * Marks that people omit when typing: accents (the combining blocks), Hebrew points, Arabic vowel
 * signs. Not every \p{M}: the vowel signs of Indic scripts and the sound marks of kana distinguish
 * words.
 */
const ACCENTS = new RegExp(
  `[${[
    '\\u0300-\\u036f', // Combining Diacritical Marks
    '\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7', // Hebrew points
    '\\u064b-\\u065f\\u0670', // Arabic vowel signs
    '\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f', // the other combining blocks
  ].join('')}]+`,
  'g',
);

/**
 * No language puts more than 30 marks on one letter (UAX #15 section 13, stream-safe text).
 * Normalization sorts marks in quadratic time: a letter with 200,000 marks would block the process
 * for half a minute.
 */
const MANY_MARKS = /(\p{M}{30})\p{M}+/gu;

/**
 * Letters that Unicode does not decompose but people type in this form, and those required by case
 * folding (ß, ς).
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
const LETTER = /[ßςæœøđðþħłı]/g;

/** Maximum length of a run passed to the segmenter, which blocks the event loop while it works. */
const MAX_SEGMENTED_LENGTH = 2048;

let segmenter: Intl.Segmenter | undefined;

/**
 * Returns the words of a text in order, with repetitions, in normalised form: compatibility
 * characters replaced (NFKD), accents removed, lower case. A word is a run of letters and digits;
 * runs of unspaced scripts are split with the dictionary of Intl.Segmenter, which is slow and
 * therefore used for nothing else. The script decides, not the language tag, because queries have
 * no tag.
 *
 * Every character that is neither letter nor digit is a separator: `__proto__` is the word `proto`,
 * and no character is an operator.
 */
export function wordsOf(text: string, maxWords = Number.POSITIVE_INFINITY): string[] {
  const words: string[] = [];
  const folded = fold(text);
  if (folded.ascii) {
    for (const [word] of folded.text.matchAll(ASCII_RUN)) {
      if (words.length >= maxWords) return words;
      words.push(word.length > MAX_WORD_LENGTH ? word.slice(0, MAX_WORD_LENGTH) : word);
    }
    return words;
  }
  for (const match of folded.text.matchAll(RUN)) {
    if (match[1] === undefined) {
      if (words.length >= maxWords) return words;
      words.push(cut(match[0]));
      continue;
    }
    for (let start = 0; start < match[1].length; start += MAX_SEGMENTED_LENGTH) {
      segmenter ??= new Intl.Segmenter('und', { granularity: 'word' });
      for (const { segment } of segmenter.segment(match[1].slice(start, start + MAX_SEGMENTED_LENGTH))) {
        if (!WORD_CHARACTER.test(segment)) continue;
        if (words.length >= maxWords) return words;
        words.push(cut(segment));
      }
    }
  }
  return words;
}

const UNSPACED_START = new RegExp(`^[${UNSPACED}]`, 'u');

/**
 * Returns whether a word is in an unspaced script, in which a single character is already specific.
 */
export function isUnspaced(word: string): boolean {
  return UNSPACED_START.test(word);
}

function fold(text: string): { text: string; ascii: boolean } {
  if (ASCII.test(text)) return { text: text.toLowerCase(), ascii: true };
  const folded = text
    .replace(MANY_MARKS, '$1')
    .normalize('NFKD')
    .replace(ACCENTS, '')
    // Recomposes everything that is not an accent: Hangul syllables, kana with their sound marks.
    .normalize('NFC')
    .toLowerCase()
    .replace(LETTER, (letter) => LETTERS.get(letter)!);
  return { text: folded, ascii: false };
}

/** Truncates a long word without splitting a surrogate pair. */
function cut(word: string): string {
  if (word.length <= MAX_WORD_LENGTH) return word;
  const last = word.charCodeAt(MAX_WORD_LENGTH - 1);
  return word.slice(0, last >= 0xd800 && last < 0xdc00 ? MAX_WORD_LENGTH - 1 : MAX_WORD_LENGTH);
}
