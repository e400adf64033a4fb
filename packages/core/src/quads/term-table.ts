import type { TermBytes } from '../storage/term-bytes.ts';
import { ByteArena, lengthAt, prefixBytes } from './byte-arena.ts';
import { fastHash, type HashKey, strongHash } from './term-hash.ts';
import { identityOf, type TermMeta } from './term-meta.ts';
import { Uint32Column } from './uint32-column.ts';

/** Slots of the first shard at the beginning; a power of two, small enough for the JavaScript heap to hold it. */
const FIRST_SLOTS = 8;
/** Above so many terms the one shard becomes many, so that no rehash takes long. */
const SPLIT_AT = 1 << 14;
const SHARD_BITS = 8;
/** A probe sequence of this length happens by chance once in an age; then somebody chose the terms. */
const SUSPICIOUS_PROBES = 192;

/**
 * Terms by number and numbers by term: (meta, bytes) pairs, numbered 1, 2, 3 and so on in the order of their arrival.
 *
 * Layout: one byte arena, two columns (arena position, meta) and an open-addressing hash of (hash, number) pairs in shards
 * that grow one at a time. Bytes per term: 8 in columns, about 14 in the hash, and its text with 1 to 5 bytes more.
 */
export class TermTable {
  private readonly key: HashKey;
  private readonly arena = new ByteArena();
  private readonly positions = new Uint32Column();
  private readonly metas = new Uint32Column();
  private shards: Int32Array[] = [new Int32Array(FIRST_SLOTS * 2)];
  private shardTerms: Uint32Array = new Uint32Array(1);
  private shardShift = 32;
  /** True once the table has changed to the hash that withstands chosen input. */
  strong = false;

  constructor(key: HashKey) {
    this.key = key;
    this.positions.push(0);
    this.metas.push(0);
  }

  /** The highest number in use. */
  get size(): number {
    return this.metas.length - 1;
  }

  metaOf(number: number): TermMeta {
    return this.metas.get(number);
  }

  bufferOf(number: number): Buffer {
    return this.arena.bufferAt(this.positions.get(number));
  }

  /** The same bytes as {@link bufferOf}, for `hash` and `find`. */
  viewOf(number: number): DataView {
    return this.arena.viewAt(this.positions.get(number));
  }

  /** Where a term's bytes are; `at.kind` and `at.reference` stay as they are. */
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

  /** Where a term's bytes begin in {@link bufferOf}. */
  startOf(number: number): number {
    const position = this.positions.get(number);
    const offset = this.arena.offsetAt(position);
    return offset + prefixBytes(lengthAt(this.arena.bufferAt(position), offset));
  }

  lengthOf(number: number): number {
    const position = this.positions.get(number);
    return lengthAt(this.arena.bufferAt(position), this.arena.offsetAt(position));
  }

  /** The hash of a term's bytes, for `find` and `add`. Tables with the same key and the same `strong` agree on it. */
  hash(bytes: DataView, start: number, end: number): number {
    return this.strong ? strongHash(bytes, start, end, this.key) : fastHash(bytes, start, end, this.key);
  }

  /** The number of a term, or 0. */
  find(meta: TermMeta, bytes: DataView, start: number, end: number, hash: number): number {
    const identity = identityOf(meta);
    const mixed = mix(hash, identity);
    const slots = this.shards[this.shardShift === 32 ? 0 : mixed >>> this.shardShift];
    const mask = slots.length - 1;
    for (let at = (mixed << 1) & mask; ; at = (at + 2) & mask) {
      const number = slots[at + 1];
      if (number === 0) return 0;
      if (slots[at] === mixed && this.equals(number, identity, bytes, start, end)) return number;
    }
  }

  /** Adds a term that `find` has not found, and returns its number. */
  add(meta: TermMeta, bytes: DataView, start: number, end: number, hash: number): number {
    const number = this.metas.length;
    this.positions.push(this.arena.append(bytes, start, end));
    this.metas.push(meta);
    const mixed = mix(hash, identityOf(meta));
    let shard = this.shardShift === 32 ? 0 : mixed >>> this.shardShift;
    // At most 5 of 8 slots are in use.
    if (++this.shardTerms[shard] * 16 > this.shards[shard].length * 5) {
      if (this.shardShift === 32 && number >= SPLIT_AT) {
        this.split();
        shard = mixed >>> this.shardShift;
        this.shardTerms[shard]++;
      } else {
        this.shards[shard] = rehash(this.shards[shard]);
      }
    }
    const probes = insert(this.shards[shard], mixed, number);
    if (probes > SUSPICIOUS_PROBES && !this.strong) this.changeToStrong();
    return number;
  }

  /** The texts of the terms `first .. last` as they are stored: see `packed-terms.ts`. */
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

  get byteLength(): number {
    let total = this.arena.byteLength + this.positions.byteLength + this.metas.byteLength;
    for (const shard of this.shards) total += shard.byteLength;
    return total;
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

  /** From one shard to many; all terms but the newest, which is not inserted yet. */
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
    const mixedOf = (number: number) => {
      const start = this.startOf(number);
      const hash = this.hash(this.viewOf(number), start, start + this.lengthOf(number));
      return mix(hash, identityOf(this.metas.get(number)));
    };
    this.shardTerms.fill(0);
    for (let number = 1; number <= this.size; number++) {
      this.shardTerms[this.shardShift === 32 ? 0 : mixedOf(number) >>> this.shardShift]++;
    }
    this.shards = Array.from(this.shardTerms, (terms) => new Int32Array(2 * slotsFor(terms)));
    for (let number = 1; number <= this.size; number++) {
      const mixed = mixedOf(number);
      insert(this.shards[this.shardShift === 32 ? 0 : mixed >>> this.shardShift], mixed, number);
    }
  }
}

/** Folds the identity into a hash of bytes: "1"^^xsd:integer and "1"^^xsd:decimal must not share a bucket. */
function mix(hash: number, identity: number): number {
  const mixed = Math.imul(hash ^ Math.imul(identity, 0x9e3779b1), 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}

function slotsFor(terms: number): number {
  let slots = FIRST_SLOTS;
  while ((terms + 1) * 8 > slots * 5) slots *= 2;
  return slots;
}

function rehash(slots: Int32Array): Int32Array {
  const grown = new Int32Array(slots.length * 2);
  for (let at = 0; at < slots.length; at += 2) if (slots[at + 1]) insert(grown, slots[at], slots[at + 1]);
  return grown;
}

/** Puts a pair into the first free slot and returns how many slots were looked at. */
function insert(slots: Int32Array, mixed: number, number: number): number {
  const mask = slots.length - 1;
  let probes = 1;
  let at = (mixed << 1) & mask;
  for (; slots[at + 1] !== 0; at = (at + 2) & mask) probes++;
  slots[at] = mixed;
  slots[at + 1] = number;
  return probes;
}
