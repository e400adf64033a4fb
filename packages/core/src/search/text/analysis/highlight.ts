import type { TextRange } from '../../../contracts/text-index.ts';
import { characterClass, UNSPACED } from './character-class.ts';
import { foldWord } from './fold.ts';
import type { Language } from './languages.ts';
import { accentedStemOf, stemOf } from './text-analyzer.ts';
import { Tokenizer } from './tokenizer.ts';
import { readUtf8 } from './utf8.ts';
import { segmentsOf } from './word-segmenter.ts';

/**
 * Returns the ranges of the words of a text whose terms are in `terms`, in order. Reads at most
 * `maxLength` units.
 */
export function highlight(
  text: string,
  language: Language,
  terms: ReadonlySet<string>,
  maxLength: number,
): readonly TextRange[] {
  const ranges: TextRange[] = [];
  const isMatch = (folded: string, lower: string): boolean =>
    !language.isStopWord(lower) && (terms.has(stemOf(folded, language)) || terms.has(accentedStemOf(lower, language)));
  const tokens = new Tokenizer();
  tokens.start(text, maxLength);
  let unspaced = -1;
  while (tokens.next()) {
    const { runStart: start, runEnd: end } = tokens;
    if (characterClass(text.codePointAt(start)!) === UNSPACED) {
      // The tokenizer returns its words one by one, all with the range of this run.
      if (start === unspaced) continue;
      unspaced = start;
      for (const segment of segmentsOf(text.slice(start, end))) {
        const matches = foldWord(segment.text).some(({ folded, lower }) => isMatch(folded, lower));
        if (matches) ranges.push({ start: start + segment.start, end: start + segment.start + segment.text.length });
      }
      continue;
    }
    const folded = readUtf8(tokens.bytes, 0, tokens.length);
    if (isMatch(folded, tokens.lower ?? folded) && ranges.at(-1)?.start !== start) ranges.push({ start, end });
  }
  return ranges;
}
