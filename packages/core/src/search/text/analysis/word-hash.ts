/** Differs from process to process, so that nobody can prepare words that collide. */
const SEED = Math.floor(Math.random() * 2 ** 32) | 0;

export const EMPTY_HASH = SEED;

/**
 * FNV-1a over the bytes of a word. Whoever reads words byte by byte computes the same as it goes.
 */
export function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = EMPTY_HASH;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at], 0x01000193);
  return hash;
}
