import { identityOf } from './term-meta.ts';
import { insert, mix } from './term-slots.ts';

/** Term numbers with their hashes, for building an index in one pass. */
export class HashedTerms {
  length = 0;
  readonly mixes: Int32Array;
  private readonly numbers: Uint32Array;

  constructor(capacity: number) {
    this.mixes = new Int32Array(capacity);
    this.numbers = new Uint32Array(capacity);
  }

  get byteLength(): number {
    return this.mixes.byteLength + this.numbers.byteLength;
  }

  /** Returns the first place from `from` on of a hash, or -1. */
  indexOf(mixed: number, from: number): number {
    return this.mixes.indexOf(mixed, from);
  }

  numberAt(index: number): number {
    return this.numbers[index];
  }

  add(number: number, mixed: number): void {
    this.mixes[this.length] = mixed;
    this.numbers[this.length++] = number;
  }

  /** Adds consecutive numbers with the hashes of their texts. */
  addAll(first: number, hashes: Uint32Array, metas: Uint32Array): void {
    const { mixes, numbers, length } = this;
    for (let i = 0; i < metas.length; i++) {
      mixes[length + i] = mix(hashes[i], identityOf(metas[i]));
      numbers[length + i] = first + i;
    }
    this.length += metas.length;
  }

  /**
   * Inserts the entries `start .. end - 1` into their shards. Returns the longest probe sequence.
   */
  insertInto(shards: readonly Int32Array[], shift: number, start: number, end: number): number {
    const { mixes, numbers } = this;
    let probes = 0;
    for (let i = start; i < end; i++) {
      const mixed = mixes[i];
      probes = Math.max(probes, insert(shards[shift === 32 ? 0 : mixed >>> shift], mixed, numbers[i]));
    }
    return probes;
  }
}
