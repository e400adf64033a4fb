/**
 * Seeded random numbers, identical on every machine: integer arithmetic only (a Weyl sequence
 * through the finalizer of MurmurHash3).
 */
export class RandomNumbers {
  private state: number;

  constructor(seed: number) {
    this.state = mix(seed | 0);
  }

  /** Returns an integer 0 <= n < `end`; `end` is an integer from 1 to 2^32. */
  below(end: number): number {
    this.state = (this.state + 0x9e37_79b9) | 0;
    return Math.floor(((mix(this.state) >>> 0) * end) / 0x1_0000_0000);
  }

  /** Returns an integer `start` <= n <= `last`. */
  between(start: number, last: number): number {
    return start + this.below(last - start + 1);
  }

  /** Returns one of `choices`, which must not be empty. */
  pick<Choice>(choices: readonly Choice[]): Choice {
    return choices[this.below(choices.length)];
  }

  /**
   * Returns `count` distinct elements of `choices`, or all if there are fewer, in the order of
   * `choices`.
   */
  sample<Choice>(choices: readonly Choice[], count: number): Choice[] {
    const taken: Choice[] = [];
    for (let i = 0; i < choices.length && taken.length < count; i++) {
      if (this.below(choices.length - i) < count - taken.length) taken.push(choices[i]);
    }
    return taken;
  }
}

function mix(bits: number): number {
  bits = Math.imul(bits ^ (bits >>> 16), 0x85eb_ca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2_ae35);
  return bits ^ (bits >>> 16);
}
