/**
 * A small seeded random number generator, so that a failing run can be reproduced (mulberry32,
 * public domain).
 */
export class SeededRandom {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** Returns the next number, 0 <= n < 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** Returns the next integer, 0 <= n < `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  /** Returns one of `choices`, which must not be empty. */
  pick<Choice>(choices: readonly Choice[]): Choice {
    return choices[this.below(choices.length)];
  }

  /** Returns true with a probability from 0 to 1. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }
}
