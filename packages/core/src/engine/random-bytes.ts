const POOL_BYTES = 4_096;

/**
 * Returns random bytes from a pool that is filled by a single call of `crypto.getRandomValues`. A
 * call costs more than encoding a small commit, and each commit needs an id and a scope. No byte is
 * returned twice.
 */
export function pooledRandomBytes(): (length: number) => Uint8Array {
  const pool = new Uint8Array(POOL_BYTES);
  let used = POOL_BYTES;
  return (length) => {
    if (length > POOL_BYTES) return crypto.getRandomValues(new Uint8Array(length));
    if (used + length > POOL_BYTES) {
      crypto.getRandomValues(pool);
      used = 0;
    }
    const bytes = pool.slice(used, used + length);
    used += length;
    return bytes;
  };
}
