/** What Node's file streams give at a time. */
export const CHUNK_BYTES = 64 * 1024;

/** A document in pieces, as a stream brings it; views, not copies. */
export function* byteChunks(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) yield bytes.subarray(start, start + CHUNK_BYTES);
}
