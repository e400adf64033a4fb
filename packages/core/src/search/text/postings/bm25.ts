import { LENGTHS } from './length-code.ts';

const K1 = 1.2;
const B = 0.75;

/** Frequencies are counted up to here: beyond, they change a score by less than 0.5 %. */
export const MAX_FREQUENCY = 255;

/** The unit of scores. */
export const GRAIN = 2 ** -32;
/**
 * Added to a number below 2^19 it rounds it to whole grains: that is the distance between two
 * doubles of this size.
 */
const ROUNDING = 1.5 * 2 ** 20;

/**
 * What a word adds to the score of a document: its factor (below 2^18) times the saturation, in
 * whole grains, at least one. Sums of such numbers are exact, so a score does not depend on the
 * order in which a search comes to its parts: pruning gives bit for bit what scoring everything
 * gives.
 */
export function contribution(factor: number, saturation: number): number {
  return factor * saturation + ROUNDING - (ROUNDING - GRAIN);
}

/**
 * BM25 (Robertson, Walker 1994; k1 1.2, b 0.75) over the statistics of one moment: the number of
 * documents, and of the words in all of them.
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
   * How much a term says that so many documents hold: ln(1 + (N - n + 0.5) / (n + 0.5)), above 0.
   */
  idf(documents: number): number {
    return Math.log(1 + (this.documents - documents + 0.5) / (documents + 0.5));
  }

  /**
   * By length code: f (k1 + 1) / (f + k1 (1 - b + b l / average)) for a frequency f from 1. Written
   * so that each step is monotone in f and l also when rounded; the bounds of blocks rely on it.
   */
  saturation(frequency: number): Float64Array {
    return (this.rows[frequency] ??= this.rowOf(frequency));
  }

  /** One of these numbers, where so few are wanted that a table does not pay. */
  saturationAt(frequency: number, code: number): number {
    const row = this.rows[frequency];
    return row ? row[code] : this.saturationOf(frequency, LENGTHS[code]);
  }

  /** No saturation is greater. */
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
