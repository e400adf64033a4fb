import { LENGTHS } from './length-code.ts';

const K1 = 1.2;
const B = 0.75;

/** Frequencies are capped here: higher ones change a score by less than 0.5 %. */
export const MAX_FREQUENCY = 255;

/** Unit of scores. */
export const GRAIN = 2 ** -32;
/**
 * Adding this to a number below 2^19 rounds it to whole grains, which is the spacing of doubles of
 * that magnitude.
 */
const ROUNDING = 1.5 * 2 ** 20;

/**
 * Returns the contribution of a word to a document's score: its factor (below 2^18) times the
 * saturation, in whole grains, at least one. Sums of such numbers are exact, so a score does not
 * depend on the order of evaluation: pruned scoring is bit-for-bit equal to exhaustive scoring.
 */
export function contribution(factor: number, saturation: number): number {
  return factor * saturation + ROUNDING - (ROUNDING - GRAIN);
}

/** Rounds a score to whole grains, so that sums with other scores are exact too. */
export function wholeGrains(score: number): number {
  return score + ROUNDING - ROUNDING;
}

/**
 * BM25 (Robertson, Walker 1994; k1 1.2, b 0.75) over a snapshot of the statistics: number of
 * documents and total number of words.
 */
export class Bm25 {
  private readonly documents: number;
  private readonly averageLength: number;
  private readonly rows: (Float64Array | undefined)[] = [];

  constructor(documents: number, words: number) {
    this.documents = documents;
    this.averageLength = words === 0 ? 1 : words / documents;
  }

  /**
   * Returns the inverse document frequency of a term in `documents` documents: ln(1 + (N - n + 0.5)
   * / (n + 0.5)), above 0.
   */
  idf(documents: number): number {
    return Math.log(1 + (this.documents - documents + 0.5) / (documents + 0.5));
  }

  /**
   * Returns the saturation by length code: f (k1 + 1) / (f + k1 (1 - b + b l / average)) for a
   * frequency f from 1. Written so that each step is monotone in f and l even after rounding, which
   * the block bounds rely on.
   */
  saturation(frequency: number): Float64Array {
    return (this.rows[frequency] ??= this.rowOf(frequency));
  }

  /** Returns a single saturation; for uses too few to pay for a table. */
  saturationAt(frequency: number, code: number): number {
    const row = this.rows[frequency];
    return row ? row[code] : this.saturationOf(frequency, LENGTHS[code]);
  }

  /** Upper bound of all saturations. */
  get most(): number {
    return this.saturationOf(MAX_FREQUENCY, LENGTHS[0]);
  }

  private rowOf(frequency: number): Float64Array {
    const row = new Float64Array(LENGTHS.length);
    for (let code = 0; code < row.length; code++) row[code] = this.saturationOf(frequency, LENGTHS[code]);
    return row;
  }

  private saturationOf(frequency: number, length: number): number {
    return (K1 + 1) / (1 + (K1 * (1 - B + (B * length) / this.averageLength)) / frequency);
  }
}
