import type { SeededRandom } from '@rdf-worlds/testkit';

/**
 * Vectors with independent normal components, plus `common` in every component: with 0 the hardest
 * there are, for nothing about them helps.
 */
export function gaussianVectors(random: SeededRandom, count: number, dimensions: number, common = 0): Float32Array[] {
  return Array.from({ length: count }, () =>
    Float32Array.from({ length: dimensions }, () => common + gaussian(random)),
  );
}

/** Vectors around `centres` directions. */
export function clusteredVectors(
  random: SeededRandom,
  count: number,
  centres: readonly Float32Array[],
  noise: number,
): Float32Array[] {
  return Array.from({ length: count }, () =>
    random.pick(centres).map((component) => component + noise * gaussian(random)),
  );
}

/** Box and Muller. */
function gaussian(random: SeededRandom): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}
