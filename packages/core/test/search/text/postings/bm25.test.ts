import { describe, expect, it } from 'vitest';
import { Bm25, contribution, GRAIN, MAX_FREQUENCY } from '../../../../src/search/text/postings/bm25.ts';
import { LENGTHS, lengthCode } from '../../../../src/search/text/postings/length-code.ts';

describe('length codes', () => {
  it('are exact for short texts and within 7 % for others', () => {
    for (let length = 0; length < 128; length++) expect(LENGTHS[lengthCode(length)]).toBe(length);
    for (let length = 128; length <= 262_144; length += 97) {
      const meant = LENGTHS[lengthCode(length)]!;
      expect(meant <= length && meant > length * 0.93, `${length}: ${meant}`).toBe(true);
    }
    expect(lengthCode(10_000_000)).toBe(255);
  });

  it('ascend', () => {
    for (let code = 1; code < 256; code++) {
      expect(LENGTHS[code]).toBeGreaterThan(LENGTHS[code - 1]!);
      expect(lengthCode(LENGTHS[code]!)).toBe(code);
    }
  });
});

describe('BM25', () => {
  it('agrees with the textbook formula', () => {
    const bm25 = new Bm25(1000, 7500);
    for (const [holding, frequency, length] of [
      [1, 1, 5],
      [1000, 3, 7],
      [400, 255, 127],
    ] as const) {
      const idf = Math.log(1 + (1000 - holding + 0.5) / (holding + 0.5));
      const tf = (frequency * 2.2) / (frequency + 1.2 * (0.25 + (0.75 * length) / 7.5));
      expect(bm25.idf(holding)).toBeCloseTo(idf, 12);
      expect(contribution(bm25.idf(holding), bm25.saturation(frequency)[length]!)).toBeCloseTo(idf * tf, 8);
    }
  });

  it.each([
    [1, 1],
    [3, 1_000_000],
    [1_000_000, 5_432_101],
    [4_000_000_000, 4_000_000_001],
  ])(
    'never falls with the frequency nor rises with the length, also when rounded: %i documents of %i words',
    (documents, words) => {
      const bm25 = new Bm25(documents, words);
      const factor = bm25.idf(Math.ceil(documents / 3));
      for (let frequency = 1; frequency <= MAX_FREQUENCY; frequency++) {
        const row = Array.from(bm25.saturation(frequency), (saturation) => contribution(factor, saturation));
        const before = frequency > 1 ? bm25.saturation(frequency - 1) : undefined;
        const wrong = row.filter(
          (score, code) =>
            (code > 0 && score > row[code - 1]!) ||
            (before && score < contribution(factor, before[code]!)) ||
            score <= 0,
        );
        expect(wrong).toEqual([]);
      }
    },
  );

  it('returns contributions in whole grains, so that their sums are exact in any order', () => {
    const bm25 = new Bm25(1_000_000, 5_000_000);
    const scores = Array.from({ length: 500 }, (_, at) =>
      contribution(bm25.idf(1 + at * 1999) * (at + 1), bm25.saturation(1 + (at % 9))[at % 256]!),
    );
    for (const score of scores) expect(Number.isInteger(score / GRAIN)).toBe(true);
    const sum = (list: number[]) => list.reduce((a, b) => a + b, 0);
    expect(sum(scores.toReversed())).toBe(sum(scores));
    expect(sum(scores.toSorted((a, b) => a - b))).toBe(sum(scores));
    // The words that nobody leaves out count too.
    expect(contribution(bm25.idf(1_000_000), bm25.saturation(1)[255]!)).toBeGreaterThan(0);
  });

  it('bears an index without words', () => {
    expect(Number.isFinite(new Bm25(3, 0).saturation(1)[0])).toBe(true);
  });
});
