const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** What terminals draw two columns wide: the blocks of East Asian wide characters (UAX 11), and emoji. */
const WIDE =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u;
const ASCII = /^[\x20-\x7e]*$/;

/** How many columns of a terminal a text takes. */
export function displayWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const { segment } of GRAPHEMES.segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}
