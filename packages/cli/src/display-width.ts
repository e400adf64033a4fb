const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });
/**
 * Characters that terminals draw two columns wide: blocks of East Asian wide characters (UAX 11)
 * and emoji.
 */
const WIDE =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u;
const ASCII = /^[\x20-\x7e]*$/;

/** Returns the number of terminal columns that a text occupies. */
export function displayWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const { segment } of GRAPHEMES.segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}

const ELLIPSIS = '\u2026';

/**
 * Truncates a text to `columns`. IRIs are cut in the middle, because they differ mostly at their
 * ends; other texts at the end.
 */
export function fitted(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  const tail = text.startsWith('<') ? ended(text, Math.floor((columns - 1) / 2)) : '';
  return begun(text, columns - 1 - displayWidth(tail)) + ELLIPSIS + tail;
}

/** Returns the longest prefix that fits. */
function begun(text: string, columns: number): string {
  let taken = '';
  let width = 0;
  for (const { segment } of GRAPHEMES.segment(text)) {
    width += displayWidth(segment);
    if (width > columns) break;
    taken += segment;
  }
  return taken;
}

/** Returns the longest suffix that fits. */
function ended(text: string, columns: number): string {
  let width = displayWidth(text);
  let from = 0;
  for (const { segment } of GRAPHEMES.segment(text)) {
    if (width <= columns) break;
    width -= displayWidth(segment);
    from += segment.length;
  }
  return text.slice(from);
}
