const FIRST_SLOTS = 16;
/**
 * A shard of this size is split instead of enlarged, so no single step rehashes more than about
 * 12,000 words.
 */
const MAX_SLOTS = 16_384;

/** A shard whose words share this many bits is enlarged after all: its words collide. */
const MAX_DEPTH = 16;

/** Access to the words whose numbers the table holds. */
export interface HashedWords {
  hashOf(word: number): number;
  isWord(word: number, space: number, bytes: Uint8Array, length: number): boolean;
  /** Whether a word is to be dropped. */
  isGone(word: number): boolean;
}

/** Open-addressing table with linear probing, at most 3/4 full. */
class Shard {
  /**
   * 8 bits of the hash, never 0; 0 is a free slot. Avoids most comparisons of non-matching words.
   */
  readonly tags: Uint8Array;
  readonly words: Uint32Array;
  /** Number of leading hash bits shared by all its words. */
  readonly depth: number;
  count = 0;

  constructor(slots: number, depth: number) {
    this.tags = new Uint8Array(slots);
    this.words = new Uint32Array(slots);
    this.depth = depth;
  }

  insert(hash: number, word: number): void {
    const mask = this.tags.length - 1;
    let slot = hash & mask;
    while (this.tags[slot] !== 0) slot = (slot + 1) & mask;
    this.tags[slot] = tagOf(hash);
    this.words[slot] = word;
    this.count++;
  }
}

const tagOf = (hash: number): number => (hash >>> 14) & 0xff || 1;

/**
 * Word numbers by hash: an extendible hash table. The leading bits of the hash select a shard, and
 * only a full shard is split, so growing never causes a long pause. About 9 bytes per word; 80 when
 * empty.
 */
export class HashShards {
  private readonly owner: HashedWords;
  private shards = [new Shard(FIRST_SLOTS, 0)];
  private bits = 0;

  /** @param expected number of words that will be added, so that the table need not grow */
  constructor(owner: HashedWords, expected = 0) {
    this.owner = owner;
    if (expected * 4 > FIRST_SLOTS * 3) this.reserve(expected);
  }

  get byteLength(): number {
    let bytes = 0;
    for (const shard of new Set(this.shards)) bytes += shard.tags.byteLength + shard.words.byteLength;
    return bytes;
  }

  /** Returns the word with this hash, or -1. */
  find(hash: number, space: number, bytes: Uint8Array, length: number): number {
    const { tags, words } = this.shards[this.shardOf(hash)];
    const mask = tags.length - 1;
    const tag = tagOf(hash);
    for (let slot = hash & mask; tags[slot] !== 0; slot = (slot + 1) & mask)
      if (tags[slot] === tag && this.owner.isWord(words[slot], space, bytes, length)) return words[slot];
    return -1;
  }

  /** Adds a word, which must be absent. */
  add(hash: number, word: number): void {
    let shard = this.shards[this.shardOf(hash)];
    while ((shard.count + 1) * 4 > shard.tags.length * 3) {
      if (shard.tags.length < MAX_SLOTS || shard.depth === MAX_DEPTH)
        this.replace(shard, [this.refill(shard, shard.tags.length * 2, shard.depth)]);
      else this.split(shard);
      shard = this.shards[this.shardOf(hash)];
    }
    shard.insert(hash, word);
  }

  /**
   * Drops the words that are gone, shard by shard; yields the number of slots visited after each.
   */
  *purge(): Generator<number, void> {
    for (const shard of new Set(this.shards)) {
      // A shard replaced in the meantime has already lost them.
      if (this.shards.includes(shard)) this.replace(shard, [this.refill(shard, shard.tags.length, shard.depth)]);
      yield shard.tags.length;
    }
  }

  /** Sets the shards of an empty table to the size for a number of words. */
  private reserve(expected: number): void {
    let slots = FIRST_SLOTS;
    while (slots < MAX_SLOTS && expected * 4 > slots * 3) slots *= 2;
    // Shards get unequal numbers of words: one that overflows is split as usual.
    while (this.bits < MAX_DEPTH && expected * 8 > slots * 5 * 2 ** this.bits) this.bits++;
    this.shards = Array.from({ length: 1 << this.bits }, () => new Shard(slots, this.bits));
  }

  private shardOf(hash: number): number {
    // A shift by 32 is a no-op in JavaScript.
    return this.bits === 0 ? 0 : hash >>> (32 - this.bits);
  }

  private split(shard: Shard): void {
    if (shard.depth === this.bits) {
      this.shards = this.shards.flatMap((each) => [each, each]);
      this.bits++;
    }
    const depth = shard.depth + 1;
    const bitOf = (word: number) => (this.owner.hashOf(word) >>> (32 - depth)) & 1;
    this.replace(shard, [
      this.refill(shard, MAX_SLOTS, depth, (word) => bitOf(word) === 0),
      this.refill(shard, MAX_SLOTS, depth, (word) => bitOf(word) === 1),
    ]);
  }

  private refill(from: Shard, slots: number, depth: number, keeps?: (word: number) => boolean): Shard {
    const shard = new Shard(slots, depth);
    for (let slot = 0; slot < from.tags.length; slot++) {
      if (from.tags[slot] === 0) continue;
      const word = from.words[slot];
      if (!this.owner.isGone(word) && (!keeps || keeps(word))) shard.insert(this.owner.hashOf(word), word);
    }
    return shard;
  }

  /** Replaces a shard by one shard or by two halves. */
  private replace(old: Shard, fresh: readonly Shard[]): void {
    for (let at = 0; at < this.shards.length; at++) {
      if (this.shards[at] !== old) continue;
      this.shards[at] = fresh.length === 1 ? fresh[0] : fresh[(at >>> (this.bits - fresh[0].depth)) & 1];
    }
  }
}
