import { Buffer } from '#platform';

/** Length in bytes of every chunk but the last. */
export const CHUNK_BYTES = 1 << 16;
/** Initial capacity; most results are short, and Node cuts buffers below 4 KiB from larger ones. */
const FIRST_BYTES = 1 << 11;
/** Later capacity, with room for a row that crosses the end of a chunk. */
const NEXT_BYTES = CHUNK_BYTES + (1 << 14);
/** Up to this many bytes, a copy loop is faster than a call. */
const LOOP_BYTES = 256;

/**
 * Collects bytes and returns them in chunks of {@link CHUNK_BYTES}. To write directly, call
 * `reserve`, write to `bytes` from `length` on, and advance `length`.
 */
export class ChunkBuffer {
  bytes = Buffer.allocUnsafe(FIRST_BYTES);
  length = 0;

  get isFull(): boolean {
    return this.length >= CHUNK_BYTES;
  }

  reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(this.bytes.length * 2, this.length + more));
    this.bytes.copy(grown, 0, 0, this.length);
    this.bytes = grown;
  }

  append(source: Uint8Array, start = 0, end = source.length): void {
    this.reserve(end - start);
    const { bytes } = this;
    if (end - start > LOOP_BYTES) {
      bytes.set(source.subarray(start, end), this.length);
      this.length += end - start;
      return;
    }
    let { length } = this;
    for (let i = start; i < end; i++) bytes[length++] = source[i];
    this.length = length;
  }

  appendText(text: string): void {
    // A UTF-16 code unit takes at most 3 bytes in UTF-8. For long texts, computing the exact length
    // pays off.
    this.reserve(text.length <= CHUNK_BYTES ? text.length * 3 : Buffer.byteLength(text));
    this.length += this.bytes.write(text, this.length, 'utf8');
  }

  /** Yields full chunks and, with `isLast`, the rest. Yielded chunks are never modified again. */
  *take({ isLast = false } = {}): Generator<Uint8Array> {
    const { bytes, length } = this;
    let start = 0;
    for (; length - start >= CHUNK_BYTES; start += CHUNK_BYTES) yield bytes.subarray(start, start + CHUNK_BYTES);
    if (isLast) {
      if (length > start) yield bytes.subarray(start, length);
      return;
    }
    this.bytes = Buffer.allocUnsafeSlow(Math.max(NEXT_BYTES, length - start));
    this.length = bytes.copy(this.bytes, 0, start, length);
  }
}
