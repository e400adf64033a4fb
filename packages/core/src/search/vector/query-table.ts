import type { SignRotation } from './sign-rotation.ts';

/** Largest table entry: eight of them must fit in a byte. */
const MAX_ENTRY = 31;
/**
 * Standard deviations by which a bound exceeds the estimate: of the rows at the edge of the result,
 * one in 160 is missed.
 */
const CERTAINTY = 2.5;
/**
 * The same for head and middle of a code, which only save time: one in 330. A higher value would
 * cause most tails to be read.
 */
const MIDDLE_CERTAINTY = 2.75;
/** The same for the head: less than one in a thousand. */
const HEAD_CERTAINTY = 3;
/**
 * Variance of one component of sign(r) * q, for a random rotation of r and q of length 1, q
 * orthogonal to r. The angle between a unit vector r and its signs has the cosine sqrt(2 / pi), so
 * 1 - 2 / pi of q's square falls on what the signs add to r.
 */
const SIGN_NOISE = 1 - 2 / Math.PI;

/**
 * Lookup tables of a query for the codes around one centre c: upper bounds of similarities.
 *
 * A row's vector is x = c + r. Its code holds the signs of the rotated r, the factor f = |r|^2 /
 * sum
 * |rotated r| and the offset r * c. With q' = q - c, q * x = q * c + q' * r + c * r, and q' * r is
 * estimated by f * (sum of the components of the rotated q', signed as in r). The estimate is
 * unbiased, with a standard deviation of f times a constant (Gao and Long, RaBitQ, SIGMOD 2024). So
 * the upper bound is f * (sum + constant) + offset + q * c, where the sum consists of one small
 * number per four bits of the code.
 */
export class QueryTable {
  /** For each code byte, 16 entries for its low and 16 for its high four bits; each 0..31. */
  readonly nibbles: Uint8Array;
  /** For the sum over the head of a code, which is the first half of head and middle. */
  readonly headScale: number;
  readonly headBias: number;
  /** For the sum over head and middle. */
  readonly middleScale: number;
  readonly middleBias: number;
  /** For the sum over the whole code. */
  readonly scale: number;
  readonly bias: number;
  readonly base: number;
  private sums: Uint8Array | undefined;

  /** `query` must have length 1; `centre` is in the same space. */
  constructor(query: Float64Array, centre: Float64Array, rotation: SignRotation) {
    const { bits, halfBits, rotations, width } = rotation;
    const headBits = halfBits / 2;
    const difference = query.slice();
    let base = 0;
    let square = 0;
    for (let at = 0; at < query.length; at++) {
      difference[at] -= centre[at];
      base += query[at] * centre[at];
      square += difference[at] * difference[at];
    }
    const rotated = new Float64Array(bits);
    rotation.rotate(difference, rotated);

    let widest = 0;
    for (let at = 0; at < bits; at += 4) widest = Math.max(widest, spread(rotated, at));
    // With q = c every entry is 0, whatever the step.
    const step = widest === 0 ? 1 : (2 * widest) / MAX_ENTRY;
    this.nibbles = new Uint8Array(bits * 4);
    const values = new Float64Array(16);
    let lowest = 0;
    let middleLowest = 0;
    let headLowest = 0;
    for (let at = 0; at < bits; at += 4) {
      const half = spread(rotated, at);
      lowest += half;
      if (at < halfBits) middleLowest = lowest;
      if (at < headBits) headLowest = lowest;
      // Entry e adds the components whose bit in e is 1 and subtracts the others; it starts with
      // all bits 0.
      values[0] = half - rotated[at] - rotated[at + 1] - rotated[at + 2] - rotated[at + 3];
      for (let bit = 0; bit < 4; bit++)
        for (let entry = 0; entry < 1 << bit; entry++)
          values[(1 << bit) + entry] = values[entry] + 2 * rotated[at + bit];
      for (let entry = 0; entry < 16; entry++) this.nibbles[at * 4 + entry] = values[entry] / step + 0.5;
    }
    // Rounding an entry adds an error, uniform over a step.
    const roundingNoise = (bits / 4) * (step * step * (1 / 12));
    const signNoise = rotations * SIGN_NOISE * square;
    // Half of a rotation reveals nothing about the other half, so the variance of its error is at
    // most its own share of the square.
    const wholes = Math.floor(headBits / width);
    const headNoise = (wholes * SIGN_NOISE + headBits / width - wholes) * square + (roundingNoise * headBits) / bits;
    const times = bits / headBits;
    this.headScale = Math.fround(times * step);
    this.headBias = Math.fround(times * (HEAD_CERTAINTY * Math.sqrt(headNoise) - headLowest));
    this.base = Math.fround(base);
    this.scale = Math.fround(step);
    this.bias = Math.fround(CERTAINTY * Math.sqrt(signNoise + roundingNoise) - lowest);
    if (halfBits === bits) {
      this.middleScale = this.scale;
      this.middleBias = this.bias;
    } else {
      // The sum over half the rotations counts twice, and so does its error, of half the variance.
      this.middleScale = Math.fround(2 * step);
      this.middleBias = Math.fround(MIDDLE_CERTAINTY * Math.sqrt(2 * (signNoise + roundingNoise)) - 2 * middleLowest);
    }
  }

  /** `nibbles` by whole bytes: 256 entries per code byte. Computed on first use. */
  get byteSums(): Uint8Array {
    if (this.sums) return this.sums;
    const { nibbles } = this;
    const sums = new Uint8Array(nibbles.length * 8);
    for (let table = 0; table < nibbles.length; table += 32)
      for (let byte = 0; byte < 256; byte++)
        sums[table * 8 + byte] = nibbles[table + (byte & 15)] + nibbles[table + 16 + (byte >>> 4)];
    this.sums = sums;
    return sums;
  }
}

/** Returns the largest possible sum of four signed components. */
function spread(components: Float64Array, at: number): number {
  return (
    Math.abs(components[at]) +
    Math.abs(components[at + 1]) +
    Math.abs(components[at + 2]) +
    Math.abs(components[at + 3])
  );
}
