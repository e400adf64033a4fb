// These functions also run in a worker, which receives their source text: they may use only each
// other and globals, and none is a closure.
import type { SparseRows, SvdOptions } from './truncated-svd.ts';

/** Terms of texts: text t has the entries from rowStart[t] to rowStart[t + 1], each term once. */
export interface CountedTexts {
  readonly rowStart: Uint32Array;
  readonly term: Uint32Array;
  readonly count: Uint32Array;
  /** Number of distinct terms. */
  readonly terms: number;
}

export interface LearnOptions extends SvdOptions {
  /** Maximum number of terms kept: those in the most texts. */
  readonly maxTerms: number;
}

export interface LearntTerms {
  /** Numbers of the kept terms. */
  readonly kept: Uint32Array;
  /** Weight of each kept term: 1 minus its entropy over the texts. */
  readonly weights: Float32Array;
  /** Vector of each kept term: `rank` components. */
  readonly vectors: Float32Array;
}

type Svd = (matrix: SparseRows, options: SvdOptions) => Generator<number, Float32Array, unknown>;

/**
 * Latent semantic analysis (Deerwester et al., 1990) with log-entropy weights (Dumais, 1991): a
 * term that occurs n times in a text has the entry 1 + log n times its weight, texts are normalised
 * to length 1, and the term vectors are the singular vectors of that matrix. Yields the share that
 * is done.
 */
export function* learnTerms(
  counted: CountedTexts,
  options: LearnOptions,
  svd: Svd,
): Generator<number, LearntTerms, unknown> {
  const kept = yield* frequentTerms(counted, options.maxTerms);
  const place = new Int32Array(counted.terms).fill(-1);
  for (let at = 0; at < kept.length; at++) place[kept[at]] = at;
  const weights = yield* entropyWeights(counted, place, kept.length);
  const matrix = yield* weightedRows(counted, place, weights);
  return { kept, weights, vectors: yield* svd(matrix, options) };
}

/**
 * Returns the terms in the most texts, ascending. A term must be in at least two texts: one in a
 * single text does not show which terms occur together.
 */
function* frequentTerms({ term, terms }: CountedTexts, maxTerms: number): Generator<number, Uint32Array, unknown> {
  const texts = new Uint32Array(terms);
  let most = 0;
  for (let at = 0; at < term.length; at++) {
    const count = ++texts[term[at]];
    if (count > most) most = count;
    if (at % 262_144 === 262_143) yield 0;
  }
  const termsOf = new Uint32Array(most + 1);
  for (let number = 0; number < terms; number++) termsOf[texts[number]]++;
  // All terms in more than `least` texts fit, and the first of those in exactly `least`.
  let least = most;
  let above = 0;
  for (; least > 1 && above + termsOf[least] <= maxTerms; least--) above += termsOf[least];
  let room = least > 1 ? maxTerms - above : 0;
  const kept = new Uint32Array(above + room);
  let length = 0;
  for (let number = 0; number < terms; number++) {
    if (texts[number] < Math.max(2, least) || (texts[number] === least && room-- <= 0)) continue;
    kept[length++] = number;
  }
  return kept;
}

function* entropyWeights(
  { rowStart, term, count }: CountedTexts,
  place: Int32Array,
  length: number,
): Generator<number, Float32Array, unknown> {
  const total = new Float64Array(length);
  const entropy = new Float64Array(length);
  for (let at = 0; at < term.length; at++) {
    if (place[term[at]] >= 0) total[place[term[at]]] += count[at];
    if (at % 262_144 === 262_143) yield 0;
  }
  for (let at = 0; at < term.length; at++) {
    if (at % 65_536 === 65_535) yield 0;
    const to = place[term[at]];
    if (to < 0) continue;
    const share = count[at] / total[to];
    entropy[to] -= share * Math.log(share);
  }
  const most = Math.log(rowStart.length - 1);
  const weights = new Float32Array(length);
  for (let at = 0; at < length; at++) weights[at] = Math.max(0, 1 - entropy[at] / most);
  return weights;
}

function* weightedRows(
  { rowStart, term, count }: CountedTexts,
  place: Int32Array,
  weights: Float32Array,
): Generator<number, SparseRows, unknown> {
  const starts = new Uint32Array(rowStart.length);
  const column = new Uint32Array(term.length);
  const value = new Float32Array(term.length);
  let length = 0;
  let work = 0;
  for (let row = 0; row + 1 < rowStart.length; row++) {
    let square = 0;
    const start = length;
    for (let at = rowStart[row]; at < rowStart[row + 1]; at++) {
      const to = place[term[at]];
      if (to < 0) continue;
      const entry = (1 + Math.log(count[at])) * weights[to];
      column[length] = to;
      value[length++] = entry;
      square += entry * entry;
    }
    const scale = square > 0 ? 1 / Math.sqrt(square) : 0;
    for (let at = start; at < length; at++) value[at] *= scale;
    starts[row + 1] = length;
    work += rowStart[row + 1] - rowStart[row] + 1;
    if (work > 65_536) {
      work = 0;
      yield 0;
    }
  }
  return { columns: weights.length, rowStart: starts, column: column.slice(0, length), value: value.slice(0, length) };
}

/** All functions that a worker needs. */
export const LEARN_FUNCTIONS: readonly ((...args: never[]) => unknown)[] = [
  learnTerms,
  frequentTerms,
  entropyWeights,
  weightedRows,
];
