const CHUNK_BITS = 16;
const CHUNK_LENGTH = 1 << CHUNK_BITS;
const CHUNK_MASK = CHUNK_LENGTH - 1;
const FIRST_LENGTH = 16;
/** Shared by all chunks that contain only zeros; never written to. */
let zeros: Uint32Array | undefined;

/**
 * A growing column of uint32. The first chunk starts small and doubles, so that small namespaces
 * stay small; later chunks have a fixed size and are never copied, so that large ones grow without
 * pauses.
 */
export class Uint32Column {
  private readonly chunks: Uint32Array[] = [new Uint32Array(FIRST_LENGTH)];
  length = 0;

  get(index: number): number {
    return this.chunks[index >>> CHUNK_BITS][index & CHUNK_MASK];
  }

  set(index: number, value: number): void {
    const chunkIndex = index >>> CHUNK_BITS;
    if (this.chunks[chunkIndex] === zeros) this.chunks[chunkIndex] = new Uint32Array(CHUNK_LENGTH);
    this.chunks[chunkIndex][index & CHUNK_MASK] = value;
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

  pushAll(values: Uint32Array): void {
    for (let from = 0; from < values.length; ) {
      const offset = this.length & CHUNK_MASK;
      const count = Math.min(values.length - from, CHUNK_LENGTH - offset);
      this.extendTo(this.length + count);
      const chunkIndex = (this.length - count) >>> CHUNK_BITS;
      if (this.chunks[chunkIndex] === zeros) this.chunks[chunkIndex] = new Uint32Array(CHUNK_LENGTH);
      this.chunks[chunkIndex].set(values.subarray(from, from + count), offset);
      from += count;
    }
  }

  /** Appends zeros up to `length` values; whole chunks of zeros take no memory. */
  extendTo(length: number): void {
    while (this.length < length) {
      const chunkIndex = this.length >>> CHUNK_BITS;
      const start = chunkIndex << CHUNK_BITS;
      const end = Math.min(length, start + CHUNK_LENGTH);
      const chunk = this.chunks[chunkIndex];
      if (chunk === undefined && end - start === CHUNK_LENGTH) {
        zeros ??= new Uint32Array(CHUNK_LENGTH);
        this.chunks.push(zeros);
      } else if (chunk === undefined) {
        this.chunks.push(new Uint32Array(CHUNK_LENGTH));
      } else if (end - start > chunk.length) {
        let grownLength = chunk.length;
        while (grownLength < end - start) grownLength *= 2;
        const grown = new Uint32Array(grownLength);
        grown.set(chunk);
        this.chunks[chunkIndex] = grown;
      }
      this.length = end;
    }
  }

  /** Returns the first index in `index .. end - 1` whose value is not 0, or `end`. */
  nextNonZero(index: number, end: number): number {
    for (let at = index; at < end; ) {
      const chunk = this.chunks[at >>> CHUNK_BITS];
      const chunkEnd = Math.min(end, (at | CHUNK_MASK) + 1);
      if (chunk !== zeros) for (; at < chunkEnd; at++) if (chunk[at & CHUNK_MASK] !== 0) return at;
      at = chunkEnd;
    }
    return end;
  }

  /** Returns a column of the values before `length`. Whole chunks of zeros are shared. */
  upTo(length: number): Uint32Column {
    const copy = new Uint32Column();
    const count = Math.max(1, Math.ceil(length / CHUNK_LENGTH));
    copy.chunks.length = 0;
    for (const chunk of this.chunks.slice(0, count)) copy.chunks.push(chunk === zeros ? chunk : chunk.slice());
    copy.length = length;
    const last = copy.chunks[count - 1];
    if (length < count * CHUNK_LENGTH && last === zeros) copy.chunks[count - 1] = new Uint32Array(CHUNK_LENGTH);
    else if (last !== zeros) last.fill(0, length - (count - 1) * CHUNK_LENGTH);
    return copy;
  }

  get byteLength(): number {
    let total = 0;
    for (const chunk of this.chunks) if (chunk !== zeros) total += chunk.byteLength;
    return total;
  }
}
