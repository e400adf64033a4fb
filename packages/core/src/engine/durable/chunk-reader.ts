import type { PlatformHash } from '#platform';
import { Slicer } from '../../contracts/slicer.ts';

/** Bytes hashed between two checks of the clock. */
const STEP = 1 << 20;

/** Reads pieces of given lengths from a stream, copies them and hashes them. */
export class ChunkReader {
  private readonly chunks: AsyncIterator<Uint8Array>;
  private readonly hash: PlatformHash;
  private readonly slicer = new Slicer();
  private rest: Uint8Array = new Uint8Array(0);

  constructor(chunks: AsyncIterable<Uint8Array>, hash: PlatformHash) {
    this.chunks = chunks[Symbol.asyncIterator]();
    this.hash = hash;
  }

  /** Reads `length` bytes; undefined if the stream ends before. */
  async take(length: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
    // Allocates the result only when all parts have arrived, so that a damaged length cannot
    // exhaust the memory.
    const parts: Uint8Array[] = [];
    let missing = length;
    while (missing > 0) {
      if (!(await this.fill())) return undefined;
      const part = this.rest.subarray(0, Math.min(missing, STEP));
      this.rest = this.rest.subarray(part.length);
      this.hash.update(part);
      parts.push(part);
      missing -= part.length;
      if (this.slicer.due) await this.slicer.pause();
    }
    const taken = new Uint8Array(length);
    let at = 0;
    for (const part of parts) {
      taken.set(part, at);
      at += part.length;
    }
    return taken;
  }

  /** Whether the stream has ended. */
  async isAtEnd(): Promise<boolean> {
    return !(await this.fill());
  }

  /** Closes the stream, whether or not it was read to the end. */
  async close(): Promise<void> {
    await this.chunks.return?.();
  }

  private async fill(): Promise<boolean> {
    while (this.rest.length === 0) {
      const next = await this.chunks.next();
      if (next.done) return false;
      this.rest = next.value;
    }
    return true;
  }
}
