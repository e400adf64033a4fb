/** A secret key for the hashes of one engine, so that outsiders cannot construct collisions. */
export interface HashKey {
  readonly low: number;
  readonly high: number;
}

/**
 * The default hash: multiply and fold, four bytes per step (a DataView reads them in one load),
 * over the whole string (a tail-only hash is many times slower on typed literals). Returns a signed
 * 32-bit integer. Keyed, but not resistant to a determined adversary: see {@link strongHash}.
 */
export function fastHash(bytes: DataView, start: number, end: number, key: HashKey): number {
  let hash = key.low ^ (end - start);
  let at = start;
  for (const last = end - 3; at < last; at += 4) {
    hash = Math.imul(hash ^ bytes.getInt32(at, true), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  let rest = 0;
  for (let shift = 0; at < end; at++, shift += 8) rest |= bytes.getUint8(at) << shift;
  hash = Math.imul(hash ^ rest ^ key.high, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/**
 * HalfSipHash-1-3 (Aumasson and Bernstein, SipHash: a fast short-input PRF), the keyed hash that a
 * table switches to when its probe sequences indicate deliberate collisions of the fast hash.
 */
export function strongHash(bytes: DataView, start: number, end: number, key: HashKey): number {
  let v0 = key.low;
  let v1 = key.high;
  let v2 = 0x6c796765 ^ key.low;
  let v3 = 0x74656462 ^ key.high;
  const words = (end - start) >>> 2;
  let at = start;
  // The message words, then the last word with the length, then three finalization rounds.
  for (let round = 0; round < words + 4; round++) {
    let word = 0;
    if (round < words) {
      word = bytes.getInt32(at, true);
      at += 4;
    } else if (round === words) {
      word = (end - start) << 24;
      for (let shift = 0; at < end; at++, shift += 8) word |= bytes.getUint8(at) << shift;
    } else if (round === words + 1) {
      v2 ^= 0xff;
    }
    v3 ^= word;
    v0 = (v0 + v1) | 0;
    v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
    v0 = (v0 << 16) | (v0 >>> 16);
    v2 = (v2 + v3) | 0;
    v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
    v0 = (v0 + v3) | 0;
    v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
    v2 = (v2 + v1) | 0;
    v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
    v2 = (v2 << 16) | (v2 >>> 16);
    v0 ^= word;
  }
  return v1 ^ v3;
}
