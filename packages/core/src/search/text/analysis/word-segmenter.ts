const WORD_CHARACTER = /[\p{L}\p{N}]/u;

let segmenter: Intl.Segmenter | undefined;

/**
 * The words of a text in a script without spaces, by the dictionary of the platform: some 65
 * microseconds a sentence.
 */
export function segmentWords(text: string): string[] {
  return segmentsOf(text).map((segment) => segment.text);
}

/** The same with the place where each begins, in UTF-16 units. */
export function segmentsOf(text: string): { readonly text: string; readonly start: number }[] {
  segmenter ??= new Intl.Segmenter('und', { granularity: 'word' });
  const words: { text: string; start: number }[] = [];
  for (const { segment, index } of segmenter.segment(text)) {
    if (WORD_CHARACTER.test(segment)) words.push({ text: segment, start: index });
  }
  return words;
}
