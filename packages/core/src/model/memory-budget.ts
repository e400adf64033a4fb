/** Counts memory, and throws LIMIT_EXCEEDED or OVERLOADED if too much is claimed. */
export interface MemoryBudget {
  /** Claims bytes; a negative number releases them. */
  claimMemory(bytes: number): void;
}

/** Memory budget of one request; all work for the request claims from it. */
export interface RequestMemory extends MemoryBudget {
  /** Lowers the limit in bytes; a limit above the current one has no effect. */
  lowerLimit(maxBytes: number): void;
  /** Releases everything at the end of the request; later calls and claims have no effect. */
  release(): void;
}

/** Part of a `MemoryPool` held by one request. */
export interface PoolShare {
  bytes: number;
}

/**
 * Length in UTF-16 units from which a text is claimed while it lives, even as an intermediate
 * result.
 */
export const LARGE_TEXT = 1 << 16;

/** Returns an upper bound, in bytes, for the memory of a string of this many UTF-16 units. */
export function textBytes(length: number): number {
  return length * 2;
}
