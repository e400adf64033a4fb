const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });
/**
 * What terminals draw two columns wide: the blocks of East Asian wide characters (UAX 11), and
 * emoji.
 */
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

const ELLIPSIS = '\u2026';

/**
 * A text of at most `columns`: what is too long is cut, an IRI in its middle, since names differ at
 * their ends, others at the end.
 */
export function fitted(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  const tail = text.startsWith('<') ? ended(text, Math.floor((columns - 1) / 2)) : '';
  return begun(text, columns - 1 - displayWidth(tail)) + ELLIPSIS + tail;
}

/** As much of the beginning as fits. */
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

/** As much of the end as fits. */
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
