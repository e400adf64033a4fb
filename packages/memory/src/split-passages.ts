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

/**
 * Splits a text into passages, which follow each other without gaps: at the ends of paragraphs, in
 * longer paragraphs at the ends of sentences, and in longer sentences between words. Short
 * paragraphs, such as headings, are joined with the next one. No passage ends within a grapheme
 * (UAX #29); only one that is a single grapheme may be longer than `maxLength`. Throws
 * `INVALID_ARGUMENT` if `maxLength` is too small.
 */
export function splitPassages(text: string, { maxLength }: SplitOptions): Passage[] {
  if (!(Number.isSafeInteger(maxLength) && maxLength >= LEAST_LENGTH))
    throw new WorldsError('INVALID_ARGUMENT', `maxLength: expected an integer of at least ${LEAST_LENGTH}.`);
  const graphemes = GRAPHEMES.segment(text);
  // A paragraph that is long enough ends its passage, so that an edit only moves the boundaries
  // of the passages next to it.
  const minLength = Math.floor(maxLength / 4);
  const passages: Passage[] = [];
  let start = 0;
  let end = 0;
  const close = () => {
    if (end > start) passages.push({ start, end });
    start = end;
  };
  for (const pieceEnd of pieceEnds(text, graphemes, maxLength)) {
    if (pieceEnd - start > maxLength) close();
    end = pieceEnd;
    if (end - start >= minLength) close();
  }
  close();
  return passages;
}

/** Yields the ends of paragraphs, and those of the parts of paragraphs that are too long. */
function* pieceEnds(text: string, graphemes: Intl.Segments, maxLength: number): Generator<number> {
  let start = 0;
  for (const paragraphEnd of paragraphEnds(text, graphemes)) {
    if (paragraphEnd - start > maxLength) yield* sentenceEnds(text, graphemes, { start, end: paragraphEnd }, maxLength);
    yield paragraphEnd;
    start = paragraphEnd;
  }
}

function* paragraphEnds(text: string, graphemes: Intl.Segments): Generator<number> {
  for (const { index, 0: gap } of text.matchAll(PARAGRAPH_END)) {
    const end = index + gap.length;
    if (end < text.length && isBoundary(graphemes, end)) yield end;
  }
  if (text.length > 0) yield text.length;
}

/** Yields where a paragraph is to be split: each part has as many sentences as fit. */
function* sentenceEnds(
  text: string,
  graphemes: Intl.Segments,
  { start, end }: Passage,
  maxLength: number,
): Generator<number> {
  let partStart = start;
  let partEnd = start;
  for (const { index, segment } of SENTENCES.segment(text.slice(start, end))) {
    const sentenceEnd = start + index + segment.length;
    // UAX #29: the rules of sentences ignore some graphemes, such as those with a prepended mark.
    if (sentenceEnd < end && !isBoundary(graphemes, sentenceEnd)) continue;
    if (sentenceEnd - partStart > maxLength && partEnd > partStart) {
      yield partEnd;
      partStart = partEnd;
    }
    while (sentenceEnd - partStart > maxLength) {
      partStart = wordEnd(text, graphemes, { start: partStart, end: sentenceEnd }, maxLength);
      yield partStart;
    }
    partEnd = sentenceEnd;
  }
}

/**
 * Returns where a long sentence is to be split: after white space if there is some, near the end.
 */
function wordEnd(text: string, graphemes: Intl.Segments, { start, end }: Passage, maxLength: number): number {
  const most = start + maxLength;
  for (let at = most; at > most - Math.floor(maxLength / 2); at--) {
    if (/\s/.test(text[at - 1]) && isBoundary(graphemes, at)) return at;
  }
  const { index, segment } = graphemes.containing(most)!;
  // A grapheme that is longer than all a passage may have is kept whole.
  return index > start ? index : Math.min(end, index + segment.length);
}

/** Whether a grapheme starts at a place within the text. */
function isBoundary(graphemes: Intl.Segments, place: number): boolean {
  return graphemes.containing(place)!.index === place;
}
