/** Counts memory, and throws LIMIT_EXCEEDED or OVERLOADED when there is too much of it. */
export interface MemoryBudget {
  /** Claims bytes; a negative number gives them back. */
  claimMemory(bytes: number): void;
}

/** The memory of one request: everything that works for the request claims of it. */
export interface RequestMemory extends MemoryBudget {
  /** Lowers the limit in bytes; a higher one than before changes nothing. */
  lowerLimit(maxBytes: number): void;
  /** Gives everything back at the end of the request; later calls and claims do nothing. */
  release(): void;
}

/** The part of a `MemoryPool` that one request holds. */
export interface PoolShare {
  bytes: number;
}

/**
 * From this length on, in UTF-16 units, a text is claimed while it lives, also when it is only an
 * intermediate result.
 */
export const LARGE_TEXT = 1 << 16;

/** An upper bound, in bytes, for the memory of a string with this number of UTF-16 units. */
export function textBytes(length: number): number {
  return length * 2;
}
