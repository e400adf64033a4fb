import { runAtOnce } from '../contracts/slicer.ts';
import type { TermBytes } from '../contracts/term-bytes.ts';
import { WorldsError } from '../model/worlds-error.ts';
import type { PlatformBytes } from '../platform/platform.ts';
import { ByteArena, lengthAt, prefixBytes, viewOf } from './byte-arena.ts';
import { HashedTerms } from './hashed-terms.ts';
import { NumberRanges } from './number-ranges.ts';
import type { StoredBlock } from './packed-texts.ts';
import type { StoredHashes, StoredTerms } from './stored-terms.ts';
import { fastHash, type HashKey, strongHash } from './term-hash.ts';
import { identityOf, LOCAL_BIT, type TermMeta } from './term-meta.ts';
import { FIRST_SLOTS, insert, mix, rehash, slotsFor, slotsUpTo } from './term-slots.ts';
import { Uint32Column } from './uint32-column.ts';

/** Above this many terms, the single shard is split into many, so that no rehash takes long. */
const SPLIT_AT = 1 << 14;
const SHARD_BITS = 8;
/** Number of terms handled per step of a kernel. */
const STEP = 4096;
/**
 * A probe sequence of this length practically never occurs by chance; it indicates terms chosen to
 * collide.
 */
const SUSPICIOUS_PROBES = 192;

/**
 * A table that was read from storage is indexed when that pays: a few terms are found by comparing
 * the hashes of all. Fewer terms are indexed immediately, because that takes a few milliseconds;
 * more, because the first commit should not have to do it in one step.
 */
export const LATE_HASHING = { least: 1 << 16, most: 1 << 20 };
/** Comparing all hashes takes about a fiftieth of the time of indexing them. */
const MAX_SCANS = 40;
/**
 * If hashes are not stored, comparing all texts takes about an eighth of the time of hashing them.
 */
const MAX_TEXT_SCANS = 6;

/**
 * Maps terms to numbers and back. Terms are (meta, bytes) pairs, numbered 1, 2, 3 and so on in the
 * order of insertion. A number can be *free*: its term was removed, and no other term ever gets it.
 *
 * Layout: one byte arena, two columns (arena position, meta) and an open-addressing hash of (hash,
 * number) pairs in shards that grow one at a time. Memory per term: 8 bytes in columns, about 14 in
 * the hash, and its text plus 1 to 5 bytes.
 */
export class TermTable {
  private secret: HashKey;
  private arena = new ByteArena();
  private positions = new Uint32Column();
  private metas = new Uint32Column();
  private shards: Int32Array[] = [new Int32Array(FIRST_SLOTS * 2)];
  private shardTerms: Uint32Array = new Uint32Array(1);
  private shardShift = 32;
  /** True once the table has switched to the hash that resists chosen input. */
  strong = false;
  private freeNumbers = 0;
  /**
   * True as long as no number has ever been free: the bytes are then contiguous, in the order of
   * the numbers.
   */
  private gapless = true;
  /** While the terms read from storage are not in the hash table: the rest of that work. */
  private hashing: Generator<void, void, void> | undefined;
  /** Meanwhile, the hashes of all terms, if they are stored. */
  private unindexed: HashedTerms | undefined;
  /** Number of lookups that compared all terms. */
  private scans = 0;

  constructor(key: HashKey) {
    this.secret = key;
    this.positions.push(0);
    this.metas.push(0);
  }

  /** The key of its hashes. */
  get key(): HashKey {
    return this.secret;
  }

  /** The highest number assigned so far. */
  get size(): number {
    return this.metas.length - 1;
  }

  /** The number of terms. */
  get living(): number {
    return this.size - this.freeNumbers;
  }

  get isGapless(): boolean {
    return this.gapless;
  }

  /** Returns whether a number up to `size` is free. */
  isFree(number: number): boolean {
    return this.metas.get(number) === 0;
  }

  /** Returns the first number in `number .. last` that is not free, or `last` + 1. */
  nextLiving(number: number, last: number): number {
    return this.metas.nextNonZero(number, last + 1);
  }

  metaOf(number: number): TermMeta {
    return this.metas.get(number);
  }

  bufferOf(number: number): PlatformBytes {
    return this.arena.bufferAt(this.positions.get(number));
  }

  /** The same bytes as {@link bufferOf}, for `hash` and `find`. */
  viewOf(number: number): DataView {
    return this.arena.viewAt(this.positions.get(number));
  }

  /** Sets `at` to the location of a term's bytes; `at.kind` and `at.reference` are not changed. */
  locate(number: number, at: TermBytes): void {
    const position = this.positions.get(number);
    const buffer = this.arena.bufferAt(position);
    const offset = this.arena.offsetAt(position);
    const length = lengthAt(buffer, offset);
    at.buffer = buffer;
    at.view = this.arena.viewAt(position);
    at.start = offset + prefixBytes(length);
    at.end = at.start + length;
  }

  /** Returns the offset of a term's bytes in {@link bufferOf}. */
  startOf(number: number): number {
    const position = this.positions.get(number);
    const offset = this.arena.offsetAt(position);
    return offset + prefixBytes(lengthAt(this.arena.bufferAt(position), offset));
  }

  lengthOf(number: number): number {
    const position = this.positions.get(number);
    return lengthAt(this.arena.bufferAt(position), this.arena.offsetAt(position));
  }

  /**
   * Returns the hash of a term's bytes, for `find` and `add`. Tables with the same key and the same
   * `strong` return the same hash.
   */
  hash(bytes: DataView, start: number, end: number): number {
    return this.strong ? strongHash(bytes, start, end, this.key) : fastHash(bytes, start, end, this.key);
  }

  /** Returns the number of a term, or 0. */
  find(meta: TermMeta, bytes: DataView, start: number, end: number, hash: number): number {
    const identity = identityOf(meta);
    if (this.hashing) {
      if (this.scans < (this.unindexed ? MAX_SCANS : MAX_TEXT_SCANS))
        return this.scan(identity, bytes, start, end, hash);
      hash = this.hashed(bytes, start, end);
    }
    const mixed = mix(hash, identity);
    const slots = this.shards[this.shardShift === 32 ? 0 : mixed >>> this.shardShift];
    const mask = slots.length - 1;
    for (let at = (mixed << 1) & mask; ; at = (at + 2) & mask) {
      const number = slots[at + 1];
      if (number === 0) return 0;
      if (slots[at] === mixed && this.equals(number, identity, bytes, start, end)) return number;
    }
  }

  /**
   * Adds a term and returns its number. Requires that `find` returned 0. Throws LIMIT_EXCEEDED
   * after 2^30 terms.
   */
  add(meta: TermMeta, bytes: DataView, start: number, end: number, hash: number): number {
    if (this.hashing) hash = this.hashed(bytes, start, end);
    const number = this.metas.length;
    if (number >= LOCAL_BIT) throw noNumbers();
    this.positions.push(this.arena.append(bytes, start, end));
    this.metas.push(meta);
    this.enter(meta, hash, number);
    return number;
  }

  /** Adds a term under a free number. Requires that `find` returned 0. */
  addAt(number: number, meta: TermMeta, bytes: DataView, start: number, end: number, hash: number): void {
    if (this.hashing) hash = this.hashed(bytes, start, end);
    this.positions.set(number, this.arena.append(bytes, start, end));
    this.metas.set(number, meta);
    this.freeNumbers--;
    this.enter(meta, hash, number);
  }

  /**
   * Adds a term under the next number. If the term has a number already, that number becomes free.
   */
  addNewest(meta: TermMeta, bytes: DataView, start: number, end: number, hash: number): number {
    if (this.hashing) hash = this.hashed(bytes, start, end);
    const old = this.find(meta, bytes, start, end, hash);
    if (old === 0) return this.add(meta, bytes, start, end, hash);
    const number = this.metas.length;
    this.positions.push(this.arena.append(bytes, start, end));
    this.metas.push(meta);
    const mixed = mix(hash, identityOf(meta));
    const slots = this.shards[this.shardShift === 32 ? 0 : mixed >>> this.shardShift];
    let at = (mixed << 1) & (slots.length - 1);
    while (slots[at + 1] !== old) at = (at + 2) & (slots.length - 1);
    slots[at + 1] = number;
    this.metas.set(old, 0);
    this.positions.set(old, 0);
    this.freeNumbers++;
    this.gapless = false;
    return number;
  }

  /** Raises `size` and leaves the skipped numbers free. */
  skipTo(size: number): void {
    if (size <= this.size) return;
    this.freeNumbers += size - this.size;
    this.gapless = false;
    this.positions.extendTo(size + 1);
    this.metas.extendTo(size + 1);
  }

  /**
   * Returns a table of the terms up to a number, under the same numbers. Requires that the next
   * term was added by {@link add}. The two tables share memory, so this one must not change
   * afterwards. A kernel.
   */
  *upTo(size: number): Generator<void, TermTable, void> {
    yield* this.hashStored();
    const copy = new TermTable(this.key);
    copy.strong = this.strong;
    copy.gapless = this.gapless;
    copy.freeNumbers = this.freeNumbers;
    copy.arena = this.arena.upTo(this.positions.get(size + 1));
    copy.positions = this.positions.upTo(size + 1);
    yield;
    copy.metas = this.metas.upTo(size + 1);
    copy.shardShift = this.shardShift;
    copy.shardTerms = this.shardTerms.slice();
    yield;
    const changed = new Set<number>();
    for (let number = size + 1; number <= this.size; number++) {
      if (number % STEP === 0) yield;
      if (this.isFree(number)) {
        copy.freeNumbers--;
        continue;
      }
      const start = this.startOf(number);
      const hash = this.hash(this.viewOf(number), start, start + this.lengthOf(number));
      const shard = this.shardShift === 32 ? 0 : mix(hash, identityOf(this.metas.get(number))) >>> this.shardShift;
      copy.shardTerms[shard]--;
      changed.add(shard);
    }
    copy.shards = [];
    for (const [shard, slots] of this.shards.entries()) {
      copy.shards.push(changed.has(shard) ? slotsUpTo(slots, size) : slots.slice());
      if (shard % 16 === 15) yield;
    }
    return copy;
  }

  private enter(meta: TermMeta, hash: number, number: number): void {
    const mixed = mix(hash, identityOf(meta));
    let shard = this.shardShift === 32 ? 0 : mixed >>> this.shardShift;
    // The maximum load factor is 5/8.
    if (++this.shardTerms[shard] * 16 > this.shards[shard].length * 5) {
      if (this.shardShift === 32 && this.shardTerms[shard] >= SPLIT_AT) {
        this.split();
        shard = mixed >>> this.shardShift;
        this.shardTerms[shard]++;
      } else {
        this.shards[shard] = rehash(this.shards[shard]);
      }
    }
    const probes = insert(this.shards[shard], mixed, number);
    if (probes > SUSPICIOUS_PROBES && !this.strong) this.changeToStrong();
  }

  /**
   * Appends stored terms without copying or decompressing their texts. Requires that the table has
   * none of them. Takes over the key of stored hashes. Builds the hash table once, at its final
   * size, or later: see {@link LATE_HASHING}. A kernel: yields every 4,096 terms. Throws a
   * RangeError if metas, texts and numbers are inconsistent.
   */
  *adopt(parts: readonly StoredTerms[]): Generator<void, void, void> {
    yield* this.hashStored();
    yield* this.takeOverKey(parts);
    const count = sizeOf(parts);
    const isLate = count >= LATE_HASHING.least && count <= LATE_HASHING.most;
    const withoutHash = sizeOf(parts.filter(({ hashes }) => !this.ownHashes(hashes)));
    const hashed = isLate && withoutHash >= LATE_HASHING.least ? undefined : yield* this.hashedTerms(count);
    for (const part of parts) {
      const { texts } = part;
      const numbers = new NumberRanges(this.size + 1, part.metas.length, part.ranges);
      if (texts instanceof Uint8Array) yield* this.adoptTexts(texts, part.metas, numbers, hashed);
      else yield* this.adoptBlocks(texts, part, numbers, hashed);
      numbers.end();
    }
    if (!hashed) this.hashing = this.hashAll();
    else if (!isLate) yield* this.indexAll(hashed);
    else {
      this.unindexed = hashed;
      this.hashing = this.indexUnindexed(hashed);
    }
  }

  private *adoptTexts(
    texts: Uint8Array,
    metas: Uint32Array,
    numbers: NumberRanges,
    hashed: HashedTerms | undefined,
  ): Generator<void, void, void> {
    const first = this.arena.adopt(texts);
    const view = viewOf(texts);
    let at = 0;
    for (let i = 0; i < metas.length; i++) {
      if (i % STEP === STEP - 1) yield;
      const number = numbers.next();
      if (number !== this.metas.length) this.skipTo(number - 1);
      const length = lengthAt(texts, at);
      const start = at + prefixBytes(length);
      const end = start + length;
      if (!(end <= texts.length)) throw new RangeError('Stored terms end in the middle of a term.');
      this.positions.push(first + at / 4);
      this.metas.push(metas[i]);
      hashed?.add(number, mix(this.hash(view, start, end), identityOf(metas[i])));
      at = Math.ceil(end / 4) * 4;
    }
    if (at !== texts.length) throw new RangeError('Stored terms have texts without metas.');
  }

  private *adoptBlocks(
    blocks: readonly StoredBlock[],
    { metas, hashes }: StoredTerms,
    numbers: NumberRanges,
    hashed: HashedTerms | undefined,
  ): Generator<void, void, void> {
    const values = this.ownHashes(hashes);
    const positions = this.arena.adoptBlocks(blocks);
    let end = 0;
    for (const [b, block] of blocks.entries()) {
      const begin = end;
      end += block.terms;
      if (end > metas.length) throw new RangeError('Stored terms have texts without metas.');
      // The lengths become positions.
      const placed = block.lengths();
      if (placesOf(placed, positions[b]) !== positions[b] + block.byteLength / 4)
        throw new RangeError('Stored terms have other lengths than their texts.');
      for (let at = begin; at < end; ) {
        const [first, count] = numbers.take(end - at);
        this.skipTo(first - 1);
        this.positions.pushAll(placed.subarray(at - begin, at - begin + count));
        const added = metas.subarray(at, at + count);
        this.metas.pushAll(added);
        if (hashed) hashed.addAll(first, values?.subarray(at, at + count) ?? this.hashesOf(first, count), added);
        at += count;
      }
      yield;
    }
    if (end !== metas.length) throw new RangeError('Stored terms have metas without texts.');
  }

  /** Computes the hashes of consecutive terms from their texts. */
  private hashesOf(first: number, count: number): Uint32Array {
    const hashes = new Uint32Array(count);
    for (let i = 0; i < count; i++) hashes[i] = this.hashOf(first + i);
    return hashes;
  }

  /** Returns stored hashes if they are those that the table computes. */
  private ownHashes(hashes: StoredHashes | undefined): Uint32Array | undefined {
    if (!hashes || this.strong) return undefined;
    return hashes.key.low === this.key.low && hashes.key.high === this.key.high ? hashes.values : undefined;
  }

  /** Replaces the key by that of the most stored hashes, so that they need not be computed. */
  private *takeOverKey(parts: readonly StoredTerms[]): Generator<void, void, void> {
    const most = parts.filter(({ hashes }) => hashes).sort((a, b) => b.metas.length - a.metas.length)[0]?.hashes;
    if (!most || this.ownHashes(most) || sizeOf(parts) < this.living) return;
    this.secret = most.key;
    yield* this.hashAll();
  }

  private *indexUnindexed(hashed: HashedTerms): Generator<void, void, void> {
    yield* this.indexAll(hashed);
    this.unindexed = this.hashing = undefined;
  }

  private hashOf(number: number): number {
    const start = this.startOf(number);
    return this.hash(this.viewOf(number), start, start + this.lengthOf(number));
  }

  /** Whether terms that were read from storage are still to be hashed: see `hashStored`. */
  get isUnhashed(): boolean {
    return this.hashing !== undefined;
  }

  /**
   * Hashes the terms that were read from storage, unless they are. A kernel; other calls may come
   * in between, and complete it.
   */
  *hashStored(): Generator<void, void, void> {
    while (this.hashing && !this.hashing.next().done) yield;
  }

  private *hashAll(): Generator<void, void, void> {
    yield* this.indexAll(yield* this.hashedTerms(0));
    this.hashing = undefined;
  }

  /**
   * Completes the hashing of stored terms. Returns the hash of a term, which may change by that.
   */
  private hashed(bytes: DataView, start: number, end: number): number {
    runAtOnce(this.hashStored());
    return this.hash(bytes, start, end);
  }

  /** Returns the number of a term, or 0, by comparing all terms. */
  private scan(identity: number, bytes: DataView, start: number, end: number, hash: number): number {
    this.scans++;
    if (this.unindexed) {
      const { unindexed } = this;
      const mixed = mix(hash, identity);
      for (let i = unindexed.indexOf(mixed, 0); i >= 0; i = unindexed.indexOf(mixed, i + 1)) {
        if (this.equals(unindexed.numberAt(i), identity, bytes, start, end)) return unindexed.numberAt(i);
      }
      return 0;
    }
    const { size } = this;
    for (let number = this.nextLiving(1, size); number <= size; number = this.nextLiving(number + 1, size)) {
      if (this.equals(number, identity, bytes, start, end)) return number;
    }
    return 0;
  }

  /**
   * Yields the texts of the terms `first .. last` in their stored form: see `packed-terms.ts`.
   * Requires a gapless table.
   */
  *pieces(first: number, last: number): Generator<Uint8Array, void, void> {
    const { arena, positions } = this;
    for (let number = first; number <= last; ) {
      const chunk = arena.chunkOf(positions.get(number));
      let low = number;
      for (let high = last; low < high; ) {
        const middle = (low + high + 1) >>> 1;
        if (arena.chunkOf(positions.get(middle)) === chunk) low = middle;
        else high = middle - 1;
      }
      yield arena.piece(positions.get(number), positions.get(low));
      number = low + 1;
    }
  }

  /**
   * Returns whether the bytes of one term are directly followed by those of another, in the same
   * buffer.
   */
  isBeside(number: number, next: number): boolean {
    const { arena, positions } = this;
    const position = positions.get(number);
    const length = lengthAt(arena.bufferAt(position), arena.offsetAt(position));
    const end = position + Math.ceil((prefixBytes(length) + length) / 4);
    return positions.get(next) === end && arena.chunkOf(position) === arena.chunkOf(end);
  }

  /** Returns the texts of contiguous terms in their stored form. */
  piece(first: number, last: number): Uint8Array {
    return this.arena.piece(this.positions.get(first), this.positions.get(last));
  }

  get byteLength(): number {
    let total = this.arena.byteLength + this.positions.byteLength + this.metas.byteLength;
    for (const shard of this.shards) total += shard.byteLength;
    return total + (this.unindexed?.byteLength ?? 0);
  }

  private equals(number: number, identity: number, bytes: DataView, start: number, end: number): boolean {
    if (identityOf(this.metas.get(number)) !== identity) return false;
    const position = this.positions.get(number);
    const buffer = this.arena.bufferAt(position);
    let at = this.arena.offsetAt(position);
    const length = lengthAt(buffer, at);
    if (length !== end - start) return false;
    at += prefixBytes(length);
    const view = this.arena.viewAt(position);
    let i = start;
    for (const last = end - 3; i < last; i += 4, at += 4) {
      if (view.getInt32(at, true) !== bytes.getInt32(i, true)) return false;
    }
    for (; i < end; i++, at++) if (buffer[at] !== bytes.getUint8(i)) return false;
    return true;
  }

  /** Splits the single shard into many. The newest term is not included; it is not inserted yet. */
  private split(): void {
    const [old] = this.shards;
    this.shardShift = 32 - SHARD_BITS;
    this.shardTerms = new Uint32Array(1 << SHARD_BITS);
    for (let at = 0; at < old.length; at += 2) if (old[at + 1]) this.shardTerms[old[at] >>> this.shardShift]++;
    this.shards = Array.from(this.shardTerms, (terms) => new Int32Array(2 * slotsFor(terms)));
    for (let at = 0; at < old.length; at += 2) {
      if (old[at + 1]) insert(this.shards[old[at] >>> this.shardShift], old[at], old[at + 1]);
    }
  }

  private changeToStrong(): void {
    this.strong = true;
    runAtOnce(this.hashAll());
  }

  /** Returns the hashes of all terms, with capacity for `room` more. A kernel. */
  private *hashedTerms(room: number): Generator<void, HashedTerms, void> {
    const { size } = this;
    const hashed = new HashedTerms(this.living + room);
    for (let number = this.nextLiving(1, size); number <= size; number = this.nextLiving(number + 1, size)) {
      if (number % STEP === STEP - 1) yield;
      hashed.add(number, mix(this.hashOf(number), identityOf(this.metas.get(number))));
    }
    return hashed;
  }

  /** Rebuilds the shards at their final size. A kernel. */
  private *indexAll(hashed: HashedTerms): Generator<void, void, void> {
    const { length, mixes } = hashed;
    const shift = length > SPLIT_AT ? 32 - SHARD_BITS : 32;
    const terms = new Uint32Array(shift === 32 ? 1 : 1 << SHARD_BITS);
    for (let i = 0; i < length; i++) terms[shift === 32 ? 0 : mixes[i] >>> shift]++;
    const shards = Array.from(terms, (count) => new Int32Array(2 * slotsFor(count)));
    let probes = 0;
    for (let start = 0; start < length; start += STEP) {
      yield;
      probes = Math.max(probes, hashed.insertInto(shards, shift, start, Math.min(start + STEP, length)));
    }
    this.shardShift = shift;
    this.shardTerms = terms;
    this.shards = shards;
    if (probes > SUSPICIOUS_PROBES && !this.strong) this.changeToStrong();
  }
}

/**
 * Replaces the lengths of consecutive texts by their positions. Returns the position after them.
 */
function placesOf(lengths: Uint32Array, position: number): number {
  for (let i = 0; i < lengths.length; i++) {
    const length = lengths[i];
    lengths[i] = position;
    position += Math.ceil((prefixBytes(length) + length) / 4);
  }
  return position;
}

function sizeOf(parts: readonly StoredTerms[]): number {
  return parts.reduce((sum, { metas }) => sum + metas.length, 0);
}

function noNumbers(): WorldsError {
  return new WorldsError(
    'LIMIT_EXCEEDED',
    'The namespace has used all of its 2^30 term ids; export its worlds to a new namespace.',
  );
}
