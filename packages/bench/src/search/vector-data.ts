import { RandomNumbers } from '../random-numbers.ts';

/** Vectors, concatenated in one array, and queries near some of them. */
export interface VectorData {
  readonly dimensions: number;
  readonly vectors: Float32Array;
  readonly queries: readonly Float32Array[];
}

const CLUSTERS = 1000;
/** Noise of cluster members around their centre, and of queries around a member. */
const SPREAD = 0.7;
const QUERY_NOISE = 0.5;
/** Weight of the direction that all vectors of a model share. */
const COMMON = 1;

/**
 * Generates vectors that resemble language-model embeddings: a common direction, components of
 * which the n-th varies as 1/sqrt(n), and clusters. Queries are vectors with noise.
 */
export function vectorData(count: number, dimensions: number, queries: number, seed: number): VectorData {
  const random = new RandomNumbers(seed);
  const scale = Float64Array.from({ length: dimensions }, (_, at) => 1 / Math.sqrt(1 + at / 8));
  const noise = (factor: number, into: Float32Array) => {
    for (let at = 0; at < dimensions; at++) into[at] += factor * scale[at] * normal(random);
  };
  const common = new Float32Array(dimensions);
  noise(COMMON, common);
  const centres = Array.from({ length: Math.min(CLUSTERS, count) }, () => {
    const centre = common.slice();
    noise(1, centre);
    return centre;
  });
  const vectors = new Float32Array(count * dimensions);
  for (let row = 0; row < count; row++) {
    const vector = vectors.subarray(row * dimensions, (row + 1) * dimensions);
    vector.set(random.pick(centres));
    noise(SPREAD, vector);
  }
  const near = Array.from({ length: queries }, () => {
    const row = random.below(count);
    const query = vectors.slice(row * dimensions, (row + 1) * dimensions);
    noise(QUERY_NOISE, query);
    return query;
  });
  return { dimensions, vectors, queries: near };
}

/**
 * Returns the sum of twelve uniform numbers: approximately normal, variance 1, identical on every
 * machine.
 */
function normal(random: RandomNumbers): number {
  let sum = -6;
  for (let at = 0; at < 6; at++) {
    const bits = random.below(2 ** 32);
    sum += (bits & 0xffff) / 65536 + (bits >>> 16) / 65536;
  }
  return sum;
}

/**
 * Returns the rows most similar to a query (cosine), best first, by exhaustive comparison.
 * `isAllowed` has a 1 for each permitted row.
 */
export function nearestRows(
  { vectors, dimensions }: VectorData,
  query: Float32Array,
  limit: number,
  isAllowed: Uint8Array | undefined,
): number[] {
  const best: { row: number; similarity: number }[] = [];
  for (let row = 0, start = 0; start < vectors.length; row++, start += dimensions) {
    if (isAllowed?.[row] === 0) continue;
    let product = 0;
    let square = 0;
    for (let at = 0; at < dimensions; at++) {
      const component = vectors[start + at];
      product += component * query[at];
      square += component * component;
    }
    const similarity = product / Math.sqrt(square);
    if (best.length === limit && similarity <= best[limit - 1].similarity) continue;
    const place = best.findIndex((other) => other.similarity < similarity);
    best.splice(place < 0 ? best.length : place, 0, { row, similarity });
    if (best.length > limit) best.pop();
  }
  return best.map(({ row }) => row);
}
