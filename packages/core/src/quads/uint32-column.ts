const CHUNK_BITS = 16;
const CHUNK_LENGTH = 1 << CHUNK_BITS;
const CHUNK_MASK = CHUNK_LENGTH - 1;
const FIRST_LENGTH = 16;

/**
 * A growing column of uint32. The first chunk starts tiny and doubles, so that a small namespace stays small; later chunks have
 * one size and are never copied, so that a large one grows without a pause.
 */
export class Uint32Column {
  private readonly chunks: Uint32Array[] = [new Uint32Array(FIRST_LENGTH)];
  length = 0;

  get(index: number): number {
    return this.chunks[index >>> CHUNK_BITS][index & CHUNK_MASK];
  }

  set(index: number, value: number): void {
    this.chunks[index >>> CHUNK_BITS][index & CHUNK_MASK] = value;
  }

  push(value: number): void {
    const index = this.length++;
    const chunkIndex = index >>> CHUNK_BITS;
    const offset = index & CHUNK_MASK;
    let chunk = this.chunks[chunkIndex];
    if (chunk === undefined) {
      chunk = new Uint32Array(CHUNK_LENGTH);
      this.chunks.push(chunk);
    } else if (offset === chunk.length) {
      const grown = new Uint32Array(chunk.length * 2);
      grown.set(chunk);
      this.chunks[chunkIndex] = chunk = grown;
    }
    chunk[offset] = value;
  }

  get byteLength(): number {
    let total = 0;
    for (const chunk of this.chunks) total += chunk.byteLength;
    return total;
  }
}
