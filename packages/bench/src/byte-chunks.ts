/** The chunk size of Node's file streams. */
export const CHUNK_BYTES = 64 * 1024;

/** Yields a document in chunks, as a stream would; views, not copies. */
export function* byteChunks(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) yield bytes.subarray(start, start + CHUNK_BYTES);
}
