/**
 * Columns of so many rows or fewer are kept in the JavaScript heap itself, where making one costs
 * next to nothing.
 */
export const HEAP_ROWS = 16;
const CHUNK_BYTES = 1 << 14;
/** Longer columns have a buffer of their own. */
const SHARED_ROWS = CHUNK_BYTES / Uint32Array.BYTES_PER_ELEMENT / 8;

let chunk: ArrayBuffer | undefined;
let used = 0;

/**
 * A column of ids, all zero, for rows on their way: one that goes soon. Making a buffer takes
 * longer than a short query has for a pattern, so short columns share buffers, one after the other,
 * and no part of one is ever used twice. A buffer stays as long as any of its columns: what is kept
 * has one of its own.
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
