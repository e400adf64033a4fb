/** Random per process, so that nobody can construct colliding words. */
const SEED = Math.floor(Math.random() * 2 ** 32) | 0;

export const EMPTY_HASH = SEED;

/**
 * FNV-1a over the bytes of a word. Code that reads words byte by byte computes the same hash
 * incrementally.
 */
export function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = EMPTY_HASH;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at], 0x01000193);
  return hash;
}
