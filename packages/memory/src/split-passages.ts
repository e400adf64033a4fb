import { WorldsError } from '@rdf-worlds/core';

/**
 * A part of a text, by its place: UTF-16 code units from `start` up to, but not including, `end`.
 */
export interface Passage {
  readonly start: number;
  readonly end: number;
}

/** Options of {@link splitPassages}. */
export interface SplitOptions {
  /** Most UTF-16 code units of a passage; at least 16. */
  readonly maxLength: number;
}

const LEAST_LENGTH = 16;
/** Blank lines, with all white space after them, or the paragraph separator of Unicode. */
const PARAGRAPH_END = /(?:\n[^\S\n]*\n|\u2029)\s*/g;
// A fixed locale, so that a text has the same passages on every machine.
const SENTENCES = new Intl.Segmenter('en', { granularity: 'sentence' });
const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** Passages that a sentence may be long, until more of the text is looked at. */
const WINDOW_PASSAGES = 8;

/**
 * Splits a text into passages, which follow each other without gaps: at the ends of paragraphs, in
 * longer paragraphs at the ends of sentences, and in longer sentences between words. Short
 * paragraphs, such as headings, are joined with the next one. No passage ends within a grapheme
 * (UAX #29); only one that is a single grapheme may be longer than `maxLength`. Throws
 * `INVALID_ARGUMENT` if `maxLength` is too small.
 */
export function splitPassages(text: string, options: SplitOptions): Passage[] {
  return [...passagesOf(text, options)];
}

/** Yields what `splitPassages` returns, for those who split long texts in pieces. */
export function* passagesOf(text: string, { maxLength }: SplitOptions): Generator<Passage, void, void> {
  if (!(Number.isSafeInteger(maxLength) && maxLength >= LEAST_LENGTH))
    throw new WorldsError('INVALID_ARGUMENT', `maxLength: expected an integer of at least ${LEAST_LENGTH}.`);
  // A paragraph that is long enough ends its passage, so that an edit only moves the boundaries
  // of the passages next to it.
  const minLength = Math.floor(maxLength / 4);
  let start = 0;
  let end = 0;
  for (const pieceEnd of pieceEnds(text, maxLength)) {
    if (pieceEnd - start > maxLength && end > start) {
      yield { start, end };
      start = end;
    }
    end = pieceEnd;
    if (end - start < minLength) continue;
    yield { start, end };
    start = end;
  }
  if (end > start) yield { start, end };
}

/** Yields the ends of paragraphs, and those of the parts of paragraphs that are too long. */
function* pieceEnds(text: string, maxLength: number): Generator<number> {
  let start = 0;
  for (const paragraphEnd of paragraphEnds(text)) {
    if (paragraphEnd - start > maxLength) yield* partEnds(text, { start, end: paragraphEnd }, maxLength);
    yield paragraphEnd;
    start = paragraphEnd;
  }
}

function* paragraphEnds(text: string): Generator<number> {
  let start = 0;
  for (const { index, 0: gap } of text.matchAll(PARAGRAPH_END)) {
    const end = index + gap.length;
    if (end === text.length || !isBoundary(text, end, start)) continue;
    yield end;
    start = end;
  }
  if (text.length > 0) yield text.length;
}

/** Yields where a paragraph is to be split: each part has as many sentences as fit. */
function* partEnds(text: string, paragraph: Passage, maxLength: number): Generator<number> {
  const { start, end } = paragraph;
  let partStart = start;
  let partEnd = start;
  for (const sentenceEnd of sentenceEnds(text, paragraph, maxLength)) {
    // UAX #29: the rules of sentences ignore some graphemes, such as those with a prepended mark.
    if (sentenceEnd < end && !isBoundary(text, sentenceEnd, partEnd)) continue;
    if (sentenceEnd - partStart > maxLength && partEnd > partStart) {
      yield partEnd;
      partStart = partEnd;
    }
    while (sentenceEnd - partStart > maxLength) {
      partStart = wordEnd(text, { start: partStart, end: sentenceEnd }, maxLength);
      yield partStart;
    }
    partEnd = sentenceEnd;
  }
}

/**
 * Yields the ends of the sentences of a paragraph. A step of a segmenter takes as long as its text
 * is, so each has a part of the paragraph: one that begins with a sentence, whose last sentence is
 * segmented again, because it may go on.
 */
function* sentenceEnds(text: string, { start, end }: Passage, maxLength: number): Generator<number> {
  const least = WINDOW_PASSAGES * maxLength;
  let length = least;
  for (let from = start; from < end; ) {
    const to = Math.min(end, from + length);
    let next = from;
    for (const { index, segment } of SENTENCES.segment(text.slice(from, to))) {
      const sentenceEnd = from + index + segment.length;
      if (sentenceEnd === to && to < end) break;
      yield sentenceEnd;
      next = sentenceEnd;
    }
    // A sentence that is longer than all of it.
    length = next === from ? length * 2 : least;
    from = next;
  }
}

/**
 * Returns where a long sentence is to be split: after white space if there is some, near the end.
 */
function wordEnd(text: string, { start, end }: Passage, maxLength: number): number {
  const most = start + maxLength;
  for (let at = most; at > most - Math.floor(maxLength / 2); at--) {
    if (/\s/.test(text[at - 1]) && isBoundary(text, at, start)) return at;
  }
  // A grapheme that is longer than all a passage may have is kept whole.
  for (let length = 2 * maxLength; ; length *= 2) {
    const to = Math.min(text.length, start + length);
    const { index, segment } = GRAPHEMES.segment(text.slice(start, to)).containing(maxLength)!;
    if (index > 0) return start + index;
    if (segment.length < to - start || to === text.length) return Math.min(end, start + segment.length);
  }
}

/**
 * Whether a grapheme starts at a place within the text.
 *
 * @param from an earlier place where one does
 */
function isBoundary(text: string, place: number, from: number): boolean {
  // The character at the place, which may be a surrogate pair.
  const around = text.slice(from, place + 2);
  return GRAPHEMES.segment(around).containing(place - from)!.index === place - from;
}
