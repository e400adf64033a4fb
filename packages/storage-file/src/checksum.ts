import { crc32 as zlibCrc32 } from 'node:zlib';

/** Returns the CRC-32 (ISO 3309, as in zlib and PNG) of bytes that continue those of `seed`. */
export function crc32(bytes: Uint8Array, seed = 0): number {
  // zlib returns 0 instead of the seed for an empty array without a backing buffer.
  return bytes.byteLength === 0 ? seed : zlibCrc32(bytes, seed);
}
