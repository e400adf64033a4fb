/** Differs from process to process, so that nobody can prepare words that collide. */
const SEED = Math.floor(Math.random() * 2 ** 32) | 0;

export const EMPTY_HASH = SEED;

/** One step of FNV-1a: the hash of a word is this over its bytes. */
export function hashByte(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, 0x01000193);
}

export function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = EMPTY_HASH;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at], 0x01000193);
  return hash;
}
