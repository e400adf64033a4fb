import { Buffer, deflating } from '#platform';
import { WorldsError } from '../model/worlds-error.ts';
import type { PlatformBytes } from '../platform/platform.ts';
import type { ArenaBlock } from './arena-block.ts';
import { CHUNK_BYTES, lengthAt, prefixBytes, viewOf } from './byte-arena.ts';
import type { PackedColumn } from './packed-column.ts';
import { fastHash, type HashKey } from './term-hash.ts';

/** Number of terms per step of a kernel. */
const STEP = 4096;
/** Smaller blocks are stored as they are. */
const MIN_DEFLATED_BYTES = 256;

/** Consecutive texts in compressed form: at most a chunk of the arena, or one longer text. */
export interface PackedBlock {
  readonly terms: number;
  /** Bytes of the texts as the arena has them. */
  readonly byteLength: number;
  /** The texts, deflated if that makes them smaller. */
  readonly stored: Uint8Array;
}

export interface PackedTexts {
  readonly blocks: readonly PackedBlock[];
  readonly lengths: Uint32Array;
  /** The hash of each text under the key: see `fastHash`. */
  readonly hashes: Uint32Array;
}

/**
 * Compresses texts in the format of the arena, in blocks that can be read one by one. A kernel:
 * yields every 4,096 terms and after each block.
 */
export function* packTexts(
  texts: readonly Uint8Array[],
  count: number,
  key: HashKey,
): Generator<void, PackedTexts, void> {
  const packer = new TextPacker(count);
  for (const piece of texts) {
    const view = viewOf(piece);
    let from = 0;
    for (let at = 0; at < piece.length; ) {
      if (packer.terms % STEP === STEP - 1) yield;
      const length = lengthAt(piece, at);
      const start = at + prefixBytes(length);
      const next = Math.ceil((start + length) / 4) * 4;
      if (packer.used + next - from > CHUNK_BYTES) {
        packer.collect(piece.subarray(from, at));
        yield* packer.close();
        from = at;
      }
      packer.add(length, fastHash(view, start, start + length, key));
      if (next - at > CHUNK_BYTES) {
        // Deflating it would take long in one step.
        yield* packer.closeWith(piece.subarray(at, next));
        from = next;
      }
      at = next;
    }
    packer.collect(piece.subarray(from));
  }
  yield* packer.close();
  return packer;
}

class TextPacker implements PackedTexts {
  readonly blocks: PackedBlock[] = [];
  readonly hashes: Uint32Array;
  /** Number of terms so far. */
  terms = 0;
  /** Number of bytes collected for the open block. */
  used = 0;
  readonly lengths: Uint32Array;
  private readonly bytes = Buffer.alloc(CHUNK_BYTES);
  /** Number of terms in the closed blocks. */
  private closed = 0;

  constructor(count: number) {
    this.lengths = new Uint32Array(count);
    this.hashes = new Uint32Array(count);
  }

  add(length: number, hash: number): void {
    this.lengths[this.terms] = length;
    this.hashes[this.terms++] = hash;
  }

  collect(part: Uint8Array): void {
    this.bytes.set(part, this.used);
    this.used += part.length;
  }

  /** Ends the open block. */
  *close(): Generator<void, void, void> {
    if (this.used === 0) return;
    const raw = this.bytes.subarray(0, this.used);
    this.used = 0;
    yield* this.push(raw.length, deflated(raw));
  }

  /** Ends the open block, which has nothing but one long text. */
  *closeWith(text: Uint8Array): Generator<void, void, void> {
    yield* this.push(text.length, text);
  }

  private *push(byteLength: number, stored: Uint8Array): Generator<void, void, void> {
    this.blocks.push({ terms: this.terms - this.closed, byteLength, stored });
    this.closed = this.terms;
    yield;
  }
}

/** Returns a compressed copy, or a copy if it would not be smaller. */
function deflated(raw: Uint8Array): Uint8Array {
  if (deflating && raw.length >= MIN_DEFLATED_BYTES) {
    const stored = deflating.deflate(raw);
    if (stored.length < raw.length) return stored;
  }
  // `slice` of a Buffer does not copy.
  return new Uint8Array(raw);
}

/** Memory that the blocks of one segment refer to, until all of them are read. */
export class PackedMemory {
  private readonly bytes: number;
  private unread = 0;

  constructor(bytes: number) {
    this.bytes = bytes;
  }

  get byteLength(): number {
    return this.unread > 0 ? this.bytes : 0;
  }

  refer(): void {
    this.unread++;
  }

  release(): void {
    this.unread--;
  }
}

/** A block of texts in storage, which is decompressed when one of them is first read. */
export class StoredBlock implements ArenaBlock {
  readonly terms: number;
  readonly byteLength: number;
  readonly memory: PackedMemory;
  private readonly stored: Uint8Array;
  /** The decompressed texts, for other arenas that share the block. */
  private texts: PlatformBytes | undefined;
  /** The lengths of the texts of all blocks of the segment. */
  private readonly allLengths: PackedColumn;
  private readonly first: number;

  /** @param first the index of its first text among those of the segment */
  constructor(
    { terms, byteLength, stored }: PackedBlock,
    first: number,
    allLengths: PackedColumn,
    memory: PackedMemory,
  ) {
    // Long texts are not compressed, so that none is decompressed in one long step.
    if (stored.length > byteLength || (byteLength > CHUNK_BYTES && stored.length < byteLength))
      throw new RangeError('A block of stored terms is not one.');
    this.terms = terms;
    this.byteLength = byteLength;
    this.stored = stored;
    this.memory = memory;
    this.first = first;
    this.allLengths = allLengths;
    memory.refer();
  }

  /** Returns the lengths of the texts. */
  lengths(): Uint32Array {
    return this.allLengths.valuesWithin(this.first, this.first + this.terms);
  }

  /** Returns the texts. Throws CORRUPT if they do not have the lengths that were announced. */
  read(): PlatformBytes {
    if (this.texts === undefined) {
      this.texts = this.decompressed();
      this.memory.release();
    }
    return this.texts;
  }

  private decompressed(): PlatformBytes {
    const { stored, byteLength } = this;
    const texts =
      stored.length === byteLength
        ? Buffer.from(stored.buffer, stored.byteOffset, stored.length)
        : inflated(stored, byteLength);
    if (texts.length !== byteLength) throw damaged();
    let at = 0;
    for (const expected of this.lengths()) {
      if (lengthAt(texts, at) !== expected) throw damaged();
      at = Math.ceil((at + prefixBytes(expected) + expected) / 4) * 4;
    }
    if (at !== byteLength) throw damaged();
    return texts;
  }
}

function inflated(stored: Uint8Array, byteLength: number): PlatformBytes {
  if (!deflating)
    throw new WorldsError(
      'UNSUPPORTED',
      'Browsers cannot read terms that Node has compressed, such as those of a backup.',
    );
  try {
    return deflating.inflate(stored, byteLength);
  } catch (cause) {
    throw damaged(cause);
  }
}

function damaged(cause?: unknown): WorldsError {
  return new WorldsError(
    'CORRUPT',
    'The texts of some terms are damaged, although their checksum is right. Restore the namespace from a backup.',
    { cause },
  );
}
