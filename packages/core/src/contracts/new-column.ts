/**
 * Columns of at most this many rows live in the JavaScript heap itself, where allocation costs next
 * to nothing.
 */
export const HEAP_ROWS = 16;
const CHUNK_BYTES = 1 << 14;
/** Columns longer than this get a buffer of their own. */
const SHARED_ROWS = CHUNK_BYTES / Uint32Array.BYTES_PER_ELEMENT / 8;

let chunk: ArrayBuffer | undefined;
let used = 0;

/**
 * Returns a short-lived column of ids, all zero. Allocating a buffer takes longer than a short
 * query may spend on a pattern, so short columns share buffers: each takes the next free part, and
 * no part is reused. A shared buffer lives as long as any of its columns, so long-lived data needs
 * a buffer of its own.
 */
export function newColumn(rows: number): Uint32Array {
  if (rows <= HEAP_ROWS || rows > SHARED_ROWS) return new Uint32Array(rows);
  const bytes = rows * Uint32Array.BYTES_PER_ELEMENT;
  if (chunk === undefined || used + bytes > CHUNK_BYTES) {
    chunk = new ArrayBuffer(CHUNK_BYTES);
    used = 0;
  }
  const column = new Uint32Array(chunk, used, rows);
  used += bytes;
  return column;
}
