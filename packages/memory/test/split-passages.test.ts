import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitPassages } from '../src/index.ts';

/** What makes splitting hard: ends of everything, and characters that belong to the one before. */
const part = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('A', 'word ', 'Sentence one. ', 'Is it? ', '\n\n', '\r\n\r\n', ' ', '\n') },
  fc.constantFrom(
    '\u2029',
    '. \u0600a',
    '\n\n \u0301',
    'e\u0301',
    '👩‍👩‍👧‍👦',
    '🇩🇪',
    '각',
    'क्षि',
    '\ud83d',
    '漢字。',
    '\u00a0',
  ),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
);
const text = fc.array(part, { maxLength: 120 }).map((parts) => parts.join(''));
const maxLength = fc.integer({ min: 16, max: 120 });

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

describe('passages of a text', () => {
  it('give the text when they are joined, within the budget, whole graphemes each', () => {
    fc.assert(
      fc.property(text, maxLength, (whole, most) => {
        const passages = splitPassages(whole, { maxLength: most });
        expect(passages.map(({ start, end }) => whole.slice(start, end)).join('')).toBe(whole);
        const boundaries = new Set([0, whole.length, ...[...graphemes.segment(whole)].map(({ index }) => index)]);
        let place = 0;
        for (const { start, end } of passages) {
          expect(start).toBe(place);
          expect(end).toBeGreaterThan(start);
          expect([boundaries.has(start), boundaries.has(end)]).toEqual([true, true]);
          const isOne = graphemes.segment(whole).containing(start)!.segment.length === end - start;
          if (!isOne) expect(end - start).toBeLessThanOrEqual(most);
          place = end;
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('end where paragraphs end, and a heading goes with its paragraph', () => {
    const paragraphs = ['# Title\n\n', 'The first paragraph has a sentence. And another one.\n\n', 'The second one.\n'];
    const whole = paragraphs.join('');
    const ends = splitPassages(whole, { maxLength: 100 }).map(({ end }) => end);
    expect(ends).toEqual([paragraphs[0].length + paragraphs[1].length, whole.length]);
  });

  it('end where sentences end in a long paragraph, and between words in a long sentence', () => {
    const parts = [
      'One sentence is here. ',
      'A second sentence is here. ',
      'Words that never come to any stop whatever is ',
    ];
    const whole = `${parts.join('')}said`;
    const found = splitPassages(whole, { maxLength: 50 }).map(({ start, end }) => whole.slice(start, end));
    expect(found).toEqual([parts[0] + parts[1], `${parts[2]}said`]);
    const words = splitPassages(whole, { maxLength: 30 }).map(({ start, end }) => whole.slice(start, end));
    expect(words).toEqual([parts[0], parts[1], 'Words that never come to any ', 'stop whatever is said']);
  });

  it('keep a grapheme that is longer than the budget', () => {
    const long = `e${'\u0301'.repeat(40)}`;
    const whole = `${long}${long} end`;
    const found = splitPassages(whole, { maxLength: 16 }).map(({ start, end }) => whole.slice(start, end));
    expect(found).toEqual([long, long, ' end']);
  });

  it.each([0, 15, 1.5, Number.NaN])('are not made with a budget of %d', (most) => {
    expect(() => splitPassages('text', { maxLength: most })).toThrow('maxLength: expected an integer');
  });
});
