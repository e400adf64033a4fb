/**
 * Rounds of random signs and a Hadamard transform. One round spreads a vector over all components,
 * but with few distinct magnitudes if it had few components; the second randomises the magnitudes.
 */
const ROUNDS = 2;
const SEED = 0x5eed_1b17;
/** Minimum code length: shorter codes distinguish vectors of few dimensions too poorly. */
const MIN_BITS = 512;
/** Maximum code length for which sums over a query's tables fit in 16 bits. */
const MAX_BITS = 8192;

/**
 * Concatenated random rotations of a vector; deterministic for a given number of dimensions. Each
 * is a product of sign flips and Hadamard transforms (Ailon and Chazelle, STOC 2006), which costs n
 * log n and preserves lengths.
 *
 * The width of one rotation is the dimensions rounded up to a power of two; there are two
 * rotations, more for short vectors, one for very long ones.
 */
export class SignRotation {
  /** Components of the result: rotations * width. */
  readonly bits: number;
  /** Components of the first half of the rotations, or of the only one. */
  readonly halfBits: number;
  readonly rotations: number;
  readonly width: number;
  private readonly dimensions: number;
  /** For each rotation and round, `width` values of +1 or -1, scaled by width ** -0.5. */
  private readonly signs: Float64Array[];

  /** Returns whether vectors of this many dimensions can be rotated. */
  static supports(dimensions: number): boolean {
    return dimensions <= MAX_BITS;
  }

  constructor(dimensions: number) {
    this.dimensions = dimensions;
    this.width = 32;
    while (this.width < dimensions) this.width *= 2;
    this.rotations = Math.max(MIN_BITS / this.width, Math.min(2, MAX_BITS / this.width));
    this.bits = this.rotations * this.width;
    this.halfBits = Math.max(1, this.rotations / 2) * this.width;
    const random = { state: SEED };
    const scale = this.width ** -0.5;
    this.signs = Array.from({ length: this.rotations * ROUNDS }, () =>
      Float64Array.from({ length: this.width }, () => (nextBit(random) ? scale : -scale)),
    );
  }

  get memoryBytes(): number {
    return this.signs.length * this.width * 8;
  }

  /**
   * Writes the rotations of the first `dimensions` components of `vector` to `out`, which must have
   * room for `bits` components.
   */
  rotate(vector: Float64Array, out: Float64Array): void {
    const { width, dimensions } = this;
    for (let rotation = 0; rotation < this.rotations; rotation++) {
      const start = rotation * width;
      const first = this.signs[rotation * ROUNDS];
      for (let at = 0; at < dimensions; at++) out[start + at] = vector[at] * first[at];
      out.fill(0, start + dimensions, start + width);
      hadamard(out, start, width);
      for (let round = 1; round < ROUNDS; round++) {
        const signs = this.signs[rotation * ROUNDS + round];
        for (let at = 0; at < width; at++) out[start + at] *= signs[at];
        hadamard(out, start, width);
      }
    }
  }
}

/**
 * Walsh-Hadamard transform of `width` values, in place and unscaled. Two levels at a time halve the
 * loads and stores.
 */
function hadamard(values: Float64Array, start: number, width: number): void {
  const end = start + width;
  let step = 1;
  for (; step * 4 <= width; step *= 4) {
    for (let group = start; group < end; group += 4 * step) {
      for (let at = group; at < group + step; at++) {
        const a = values[at];
        const b = values[at + step];
        const c = values[at + 2 * step];
        const d = values[at + 3 * step];
        values[at] = a + b + (c + d);
        values[at + step] = a - b + (c - d);
        values[at + 2 * step] = a + b - (c + d);
        values[at + 3 * step] = a - b - (c - d);
      }
    }
  }
  for (; step < width; step *= 2) {
    for (let group = start; group < end; group += 2 * step) {
      for (let at = group; at < group + step; at++) {
        const a = values[at];
        const b = values[at + step];
        values[at] = a + b;
        values[at + step] = a - b;
      }
    }
  }
}

/** Returns the top bit of a mixed counter (the finalizer of MurmurHash3). */
function nextBit(random: { state: number }): boolean {
  let mixed = (random.state = (random.state + 0x9e37_79b9) | 0);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85eb_ca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2_ae35);
  return (mixed ^ (mixed >>> 16)) < 0;
}
