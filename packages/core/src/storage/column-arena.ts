/** Columns of so many rows or fewer are kept in the JavaScript heap itself, where making one costs next to nothing. */
const HEAP_ROWS = 16;
const FIRST_CHUNK_BYTES = 1 << 10;
const MAX_CHUNK_BYTES = 1 << 16;
/** A column of more than this part of a chunk has a buffer of its own. */
const CHUNK_PART = 8;

/**
 * Makes columns of ids, all zero, for one user. Making a buffer takes longer than most short queries have for a pattern, so small columns
 * share buffers; large ones, which live longer and are worth it, do not.
 */
export class ColumnArena {
  private chunk: ArrayBuffer | undefined;
  private used = 0;

  /** A column of `rows` zeros that nobody else has. */
  column(rows: number): Uint32Array {
    if (rows <= HEAP_ROWS) return new Uint32Array(rows);
    const bytes = rows * Uint32Array.BYTES_PER_ELEMENT;
    if (bytes * CHUNK_PART > MAX_CHUNK_BYTES) return new Uint32Array(rows);
    if (this.chunk === undefined || this.used + bytes > this.chunk.byteLength) this.chunk = this.nextChunk(bytes);
    const column = new Uint32Array(this.chunk, this.used, rows);
    this.used += bytes;
    return column;
  }

  private nextChunk(bytes: number): ArrayBuffer {
    const size = this.chunk === undefined ? FIRST_CHUNK_BYTES : Math.min(MAX_CHUNK_BYTES, this.chunk.byteLength * 4);
    this.used = 0;
    return new ArrayBuffer(Math.max(size, bytes));
  }
}
