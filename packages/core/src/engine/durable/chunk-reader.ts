import type { Hash } from 'node:crypto';
import { Slicer } from '../../storage/slicer.ts';

/** Bytes hashed between two looks at the clock. */
const STEP = 1 << 20;

/** Takes pieces of a given length from a stream, each in its own memory, and hashes them. */
export class ChunkReader {
  private readonly chunks: AsyncIterator<Uint8Array>;
  private readonly hash: Hash;
  private readonly slicer = new Slicer();
  private rest: Uint8Array = new Uint8Array(0);

  constructor(chunks: AsyncIterable<Uint8Array>, hash: Hash) {
    this.chunks = chunks[Symbol.asyncIterator]();
    this.hash = hash;
  }

  /** Undefined if the stream ends before. */
  async take(length: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
    // Allocates only what has arrived: a damaged length must not take all memory.
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

  /** Whether nothing is left. */
  async isAtEnd(): Promise<boolean> {
    return !(await this.fill());
  }

  /** Closes the stream, read or not. */
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
