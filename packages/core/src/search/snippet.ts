import type { TextRange } from '../contracts/text-index.ts';

/** Approximate length of a snippet, in UTF-16 units. */
const LENGTH = 240;
/** Units of context before the first match. */
const LEAD = 40;
const MARK = '**';

/** An excerpt of a text with its matches. All positions are in UTF-16 units. */
export interface Snippet {
  /** `literal.slice(start, start + text.length)` */
  readonly text: string;
  /** Start of the excerpt in the whole text. */
  readonly start: number;
  /** Matched words as ranges of `text`; `end` is exclusive. */
  readonly matches: readonly TextRange[];
  /** The text with `**` around each match. */
  readonly marked: string;
}

/** Returns the part of a text with the most matches; its start if there are none. */
export function snippetOf(text: string, matches: readonly TextRange[]): Snippet {
  const start = text.length <= LENGTH ? 0 : windowStart(text, matches);
  const end = text.length <= LENGTH ? text.length : boundary(text, start + LENGTH, start, -1);
  const inside = matches
    .filter((match) => match.start >= start && match.end <= end)
    .map((match) => ({ start: match.start - start, end: match.end - start }));
  const shown = text.slice(start, end);
  let marked = '';
  let at = 0;
  for (const match of inside) {
    marked += `${shown.slice(at, match.start)}${MARK}${shown.slice(match.start, match.end)}${MARK}`;
    at = match.end;
  }
  return { text: shown, start, matches: inside, marked: marked + shown.slice(at) };
}

/**
 * Returns the start of the window with the most matches, the first of several. Windows start
 * shortly before a match.
 */
function windowStart(text: string, matches: readonly TextRange[]): number {
  let best = 0;
  let most = 0;
  for (let from = 0, to = 0; from < matches.length; from++) {
    const end = matches[from].start - LEAD + LENGTH;
    while (to < matches.length && matches[to].end <= end) to++;
    if (to - from > most) {
      most = to - from;
      best = Math.max(0, matches[from].start - LEAD);
    }
  }
  return best === 0 ? 0 : boundary(text, best, Math.min(text.length, best + LEAD), 1);
}

/**
 * Returns the nearest word boundary from `at` towards `stop`; `at` itself, adjusted to a character
 * boundary, if there is none nearby.
 */
function boundary(text: string, at: number, stop: number, step: 1 | -1): number {
  const limit = step === 1 ? Math.min(stop, at + LEAD) : Math.max(stop, at - LEAD);
  for (let place = at; place !== limit; place += step) if (/\s/.test(text[place - 1] ?? ' ')) return place;
  const isInside = /[\udc00-\udfff]/.test(text[at] ?? '') && /[\ud800-\udbff]/.test(text[at - 1] ?? '');
  return isInside ? at - 1 : at;
}
