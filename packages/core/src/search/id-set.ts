import { IdMap } from './id-map.ts';

/** A bitmap takes at most this many bits per member; sparser ids go to a hash table. */
const BITS_PER_MEMBER = 256;
const MIN_WORDS = 64;

/**
 * Set of ids for many lookups: a bitmap if the ids are dense enough, else a hash table. Takes at
 * most 32 bytes per member.
 */
export class IdSet {
  private readonly words: Uint32Array;
  /** Members beyond the bitmap. */
  private sparse: IdMap | undefined;

  /**
   * Creates an empty set.
   *
   * @param largest the largest id to expect; greater ones are allowed
   * @param count the number of members to expect
   */
  constructor(largest: number, count: number) {
    const words = (largest >>> 5) + 1;
    this.words = new Uint32Array(words <= Math.max(MIN_WORDS, (count * BITS_PER_MEMBER) / 32) ? words : 0);
  }

  static of(ids: ReadonlySet<number>): IdSet {
    let largest = 0;
    for (const id of ids) if (id > largest) largest = id;
    const set = new IdSet(largest, ids.size);
    for (const id of ids) set.add(id);
    return set;
  }

  has(id: number): boolean {
    const at = id >>> 5;
    if (at < this.words.length) return (this.words[at] & (1 << (id & 31))) !== 0;
    return this.sparse?.has(id) ?? false;
  }

  add(id: number): void {
    const at = id >>> 5;
    if (at < this.words.length) this.words[at] |= 1 << (id & 31);
    else (this.sparse ??= new IdMap()).set(id, 0);
  }
}
