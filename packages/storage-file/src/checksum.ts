import { crc32 as zlibCrc32 } from 'node:zlib';

/** CRC-32 (ISO 3309, as zlib and PNG have it) of bytes that follow on those of `seed`. */
export function crc32(bytes: Uint8Array, seed = 0): number {
  // zlib answers 0 instead of the seed if an empty array has no memory behind it.
  return bytes.byteLength === 0 ? seed : zlibCrc32(bytes, seed);
}
