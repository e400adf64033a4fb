import { Buffer } from '#platform';
import { copyBytes } from '../contracts/term-bytes.ts';
import { WorldsError } from '../model/worlds-error.ts';
import type { ArenaBlock } from './arena-block.ts';

const CHUNK_BITS = 18;
/** Small enough to be decompressed in one step, when one of its strings is first read. */
export const CHUNK_BYTES = 1 << CHUNK_BITS;
const FIRST_BYTES = 256;
/** Positions are in units of 4 bytes, so that a uint32 addresses 16 GiB. */
const ALIGNMENT = 4;
/** Minimum length for a native copy, which has a fixed cost and allocates two views. */
const NATIVE_COPY_FROM = 256;
const MAX_POSITION = 0xffff_ffff;

/**
 * The memory of chunks that hold one string alone. It never changes, so arenas share it: a copy of
 * megabytes takes longer than a slice.
 */
const LARGE_CHUNKS = new WeakSet<ArrayBufferLike>();

/**
 * An append-only arena of byte strings, each addressed by a position that fits a uint32. A string
 * never crosses a chunk boundary; one larger than a chunk gets its own buffer, which occupies as
 * many chunk slots as it covers. The padding between strings is 0: chunks are written to storage as
 * they are.
 */
export class ByteArena {
  private readonly chunks: (Buffer | undefined)[] = [];
  /** Parallel to `chunks`. */
  private readonly views: (DataView | undefined)[] = [];
  /** By index of the chunk: those that are not decompressed yet. */
  private readonly stored = new Map<number, ArenaBlock>();
  /** What the compressed chunks refer to. */
  private readonly memories = new Set<ArenaBlock['memory']>();
  /** Where the next string goes, as a byte offset from the start of the arena. */
  private end = 0;
  /** The chunk that starts below full size: the first one, or the first after adopted memory. */
  private smallChunk = 0;
  private allocated = 0;

  /**
   * Appends the bytes `start .. end - 1` and returns their position. Copies them, unless they are a
   * {@link largeChunk} or in one of another arena.
   */
  append(bytes: DataView, start: number, end: number): number {
    const length = end - start;
    const shared = length > CHUNK_BYTES && LARGE_CHUNKS.has(bytes.buffer) ? Buffer.from(bytes.buffer) : undefined;
    let at = this.reserve(length + prefixBytes(length), shared);
    const position = this.end / ALIGNMENT;
    if (position > MAX_POSITION) throw full();
    const chunk = Math.floor(this.end / CHUNK_BYTES);
    const buffer = this.chunks[chunk]!;
    this.end = Math.ceil((this.end + length + prefixBytes(length)) / ALIGNMENT) * ALIGNMENT;
    if (shared) return position;

    at = writeLength(buffer, at, length);
    if (length > NATIVE_COPY_FROM) {
      buffer.set(new Uint8Array(bytes.buffer, bytes.byteOffset + start, length), at);
    } else {
      copyBytes(bytes, start, end, this.views[chunk]!, at);
    }
    return position;
  }

  /**
   * Takes ownership of strings in the format of {@link piece} without copying them; the arena owns
   * their whole buffer from now on. Returns the position of the first string; the others follow at
   * the same distances.
   */
  adopt(bytes: Uint8Array): number {
    const first = this.chunks.length;
    const { buffer, byteOffset, byteLength } = bytes;
    // Each slot's buffer extends to the end, since strings may cross slot boundaries here.
    for (let start = 0; start < byteLength; start += CHUNK_BYTES) {
      this.put(this.chunks.length, Buffer.from(buffer, byteOffset + start, byteLength - start));
    }
    this.allocated += buffer.byteLength;
    this.smallChunk = this.chunks.length;
    this.end = this.chunks.length * CHUNK_BYTES;
    if (this.end / ALIGNMENT > MAX_POSITION) throw full();
    return (first * CHUNK_BYTES) / ALIGNMENT;
  }

  /**
   * Takes over compressed strings, each block as one chunk. Returns the position of the first
   * string of each block. Throws a RangeError if a block does not fit in a chunk and has several
   * strings.
   */
  adoptBlocks(blocks: readonly ArenaBlock[]): number[] {
    const positions: number[] = [];
    for (const block of blocks) {
      const { byteLength, terms, memory } = block;
      if (byteLength > CHUNK_BYTES && terms > 1) throw new RangeError('A block of stored terms is too long.');
      const chunk = this.chunks.length;
      const slots = Math.ceil(byteLength / CHUNK_BYTES);
      if ((chunk + slots) * (CHUNK_BYTES / ALIGNMENT) > MAX_POSITION) throw full();
      positions.push(chunk * (CHUNK_BYTES / ALIGNMENT));
      this.stored.set(chunk, block);
      this.memories.add(memory);
      this.allocated += byteLength;
      for (let slot = 0; slot < slots; slot++) {
        this.chunks.push(undefined);
        this.views.push(undefined);
      }
    }
    this.smallChunk = this.chunks.length;
    this.end = this.chunks.length * CHUNK_BYTES;
    return positions;
  }

  /** Decompresses a chunk. */
  private readStored(chunk: number): void {
    const block = this.stored.get(chunk)!;
    this.put(chunk, block.read());
    this.stored.delete(chunk);
    if (block.memory.byteLength === 0) this.memories.delete(block.memory);
  }

  /**
   * Returns an arena of the strings before a position, which must be the position of a string that
   * was appended here. Shares the memory of all chunks but the last.
   */
  upTo(position: number): ByteArena {
    const copy = new ByteArena();
    copy.end = position * ALIGNMENT;
    copy.smallChunk = this.smallChunk;
    copy.allocated = this.allocated;
    const last = Math.floor(copy.end / CHUNK_BYTES);
    for (let chunk = 0; chunk < last; chunk++) {
      copy.chunks.push(this.chunks[chunk]);
      copy.views.push(this.views[chunk]);
      const block = this.stored.get(chunk);
      if (block) copy.stored.set(chunk, block);
    }
    for (const memory of this.memories) copy.memories.add(memory);
    const offset = copy.end % CHUNK_BYTES;
    for (const dropped of this.chunks.slice(offset > 0 ? last + 1 : last)) copy.allocated -= dropped?.length ?? 0;
    if (offset > 0) {
      const kept = Buffer.alloc(this.chunks[last]!.length);
      this.chunks[last]!.copy(kept, 0, 0, offset);
      copy.put(last, kept);
    }
    return copy;
  }

  /** Returns the buffer that contains the string at a position. */
  bufferAt(position: number): Buffer {
    const chunk = position >>> (CHUNK_BITS - 2);
    if (this.chunks[chunk] === undefined) this.readStored(chunk);
    return this.chunks[chunk]!;
  }

  /** The same bytes as {@link bufferAt}, for reading several at once. */
  viewAt(position: number): DataView {
    const chunk = position >>> (CHUNK_BITS - 2);
    if (this.views[chunk] === undefined) this.readStored(chunk);
    return this.views[chunk]!;
  }

  /** Returns the chunk number of a position. It never decreases from one string to a later one. */
  chunkOf(position: number): number {
    return position >>> (CHUNK_BITS - 2);
  }

  /**
   * Returns the offset of a string's length prefix in its buffer; decode it with {@link lengthAt}
   * and {@link prefixBytes}.
   */
  offsetAt(position: number): number {
    return (position & (CHUNK_BYTES / ALIGNMENT - 1)) * ALIGNMENT;
  }

  /**
   * Returns the strings from one position to another in the same chunk, both included, in their
   * stored form: each starts at a multiple of 4.
   */
  piece(first: number, last: number): Uint8Array {
    const buffer = this.bufferAt(first);
    const start = this.offsetAt(last);
    const length = lengthAt(buffer, start);
    const end = Math.ceil((start + prefixBytes(length) + length) / ALIGNMENT) * ALIGNMENT;
    return buffer.subarray(this.offsetAt(first), end);
  }

  /** Includes chunks that are not decompressed yet, because any reader may do that. */
  get byteLength(): number {
    let total = this.allocated;
    for (const { byteLength } of this.memories) total += byteLength;
    return total;
  }

  /**
   * Reserves `size` contiguous bytes at `this.end`, which may advance to the next chunk. Returns
   * the offset within that chunk's buffer. `shared` is the chunk to use if it is not a new one.
   */
  private reserve(size: number, shared?: Buffer): number {
    let chunkIndex = Math.floor(this.end / CHUNK_BYTES);
    let offset = this.end % CHUNK_BYTES;
    if (offset + size > CHUNK_BYTES && offset > 0) {
      this.end = (chunkIndex + 1) * CHUNK_BYTES;
      chunkIndex++;
      offset = 0;
    }
    const chunk = this.chunks[chunkIndex];
    if (size > CHUNK_BYTES) {
      this.put(chunkIndex, shared ?? newLargeChunk(size));
      this.allocated += this.chunks[chunkIndex]!.length;
      for (let covered = CHUNK_BYTES; covered < size; covered += CHUNK_BYTES) {
        this.chunks.push(undefined);
        this.views.push(undefined);
      }
    } else if (chunk === undefined) {
      this.put(chunkIndex, this.allocate(chunkIndex === this.smallChunk ? smallLength(size) : CHUNK_BYTES));
    } else if (offset + size > chunk.length) {
      const grown = this.allocate(smallLength(offset + size));
      chunk.copy(grown, 0, 0, offset);
      this.allocated -= chunk.length;
      this.put(chunkIndex, grown);
    }
    return offset;
  }

  private allocate(bytes: number): Buffer {
    this.allocated += bytes;
    return Buffer.alloc(bytes);
  }

  private put(chunkIndex: number, chunk: Buffer): void {
    this.chunks[chunkIndex] = chunk;
    this.views[chunkIndex] = viewOf(chunk);
  }
}

function full(): WorldsError {
  return new WorldsError(
    'LIMIT_EXCEEDED',
    'The terms of one namespace reached 16 GiB; spread its worlds over several namespaces.',
  );
}

/** Returns the smallest power of two that is at least `bytes`, limited to the chunk size. */
function smallLength(bytes: number): number {
  let length = FIRST_BYTES;
  while (length < bytes) length *= 2;
  return Math.min(length, CHUNK_BYTES);
}

/** Returns a chunk for one string that takes more than {@link CHUNK_BYTES}, its length included. */
function newLargeChunk(size: number): Buffer {
  const chunk = Buffer.alloc(Math.ceil(size / ALIGNMENT) * ALIGNMENT);
  LARGE_CHUNKS.add(chunk.buffer);
  return chunk;
}

/**
 * Returns a text of more than {@link CHUNK_BYTES} in the form in which arenas keep it, so that
 * {@link ByteArena.append} need not copy it, with the offsets of its start and end.
 */
export function largeChunk(text: string): { readonly chunk: Buffer; readonly start: number; readonly end: number } {
  const length = Buffer.byteLength(text);
  const chunk = newLargeChunk(length + prefixBytes(length));
  const start = writeLength(chunk, 0, length);
  chunk.write(text, start, 'utf8');
  return { chunk, start, end: start + length };
}

/** Writes the length prefix of a string and returns the offset behind it. */
function writeLength(buffer: Uint8Array, at: number, length: number): number {
  let rest = length;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) buffer[at++] = (rest & 0x7f) | 0x80;
  buffer[at++] = rest;
  return at;
}

/** Returns a view of all bytes of an array. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/**
 * Returns the length of the string whose prefix is at `offset`: 7 bits per byte, least significant
 * first.
 */
export function lengthAt(buffer: Uint8Array, offset: number): number {
  let byte = buffer[offset];
  if (byte < 0x80) return byte;
  let length = byte & 0x7f;
  for (let scale = 0x80; byte >= 0x80; scale *= 0x80) {
    byte = buffer[++offset];
    length += (byte & 0x7f) * scale;
  }
  return length;
}

/** Returns the size of a length prefix in bytes. */
export function prefixBytes(length: number): number {
  if (length < 0x80) return 1;
  if (length < 0x4000) return 2;
  if (length < 0x20_0000) return 3;
  if (length < 0x1000_0000) return 4;
  return 5;
}
