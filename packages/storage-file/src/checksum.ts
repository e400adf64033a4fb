import { crc32 as zlibCrc32 } from 'node:zlib';

/** CRC-32 (ISO 3309, as zlib and PNG have it) of bytes that follow on those of `seed`. */
export const crc32 = (bytes: Uint8Array, seed = 0): number => zlibCrc32(bytes, seed);
