/** Bits for each key: about one in 16 other keys then seems to be in the set. */
const BITS_PER_KEY = 16;
const MIN_BITS = 1024;

/**
 * A set of ids that may seem to have more than it has, but never fewer: one bit by hash. Tells
 * without a search that a small run has no rows of a key, which is true of most keys.
 */
export class KeyFilter {
  private readonly bits: Uint8Array;
  private readonly shift: number;

  /** @param count number of keys to be added */
  constructor(count: number) {
    const log = 32 - Math.clz32(Math.max(MIN_BITS, count * BITS_PER_KEY) - 1);
    this.bits = new Uint8Array(2 ** (log - 3));
    this.shift = 32 - log;
  }

  add(keys: Uint32Array): void {
    for (let i = 0; i < keys.length; i++) {
      const hash = Math.imul(keys[i], 0x9e3779b1) >>> this.shift;
      this.bits[hash >>> 3] |= 1 << (hash & 7);
    }
  }

  mayHave(key: number): boolean {
    const hash = Math.imul(key, 0x9e3779b1) >>> this.shift;
    return (this.bits[hash >>> 3] & (1 << (hash & 7))) !== 0;
  }
}
