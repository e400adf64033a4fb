import type { PoolShare, RequestMemory } from './memory-budget.ts';
import type { MemoryPool } from './memory-pool.ts';
import { WorldsError } from './worlds-error.ts';

/** What a request may take without drawing on the pool: most requests never do. */
const FREE_BYTES = 1 << 16;
/** The pool is drawn on in steps of this size. */
const STEP_BYTES = 1 << 20;
/** More unused bytes than this go back to the pool before the request ends. */
const MAX_UNUSED_BYTES = 16 << 20;
/** One request may take this part of the pool (1 of 2) where nobody sets a limit. */
const DEFAULT_PART = 2;

/**
 * The memory of one request. Throws LIMIT_EXCEEDED when the request takes more than its own limit,
 * OVERLOADED when the pool of the process is short.
 */
export class RequestBudget implements RequestMemory {
  private readonly pool: MemoryPool;
  private maxBytes: number;
  private claimed = 0;
  /** What may be claimed before the limit and the pool are looked at. */
  private granted: number;
  private share: PoolShare | undefined;

  /**
   * @param maxBytes limit of this request; half of the pool when not given, and never more than the
   *   pool
   */
  constructor(pool: MemoryPool, maxBytes: number = pool.maxBytes / DEFAULT_PART) {
    this.pool = pool;
    this.maxBytes = Math.min(maxBytes, pool.maxBytes);
    this.granted = Math.min(FREE_BYTES, this.maxBytes);
  }

  /** What is claimed at the moment. */
  get claimedBytes(): number {
    return this.claimed;
  }

  claimMemory(bytes: number): void {
    this.claimed += bytes;
    if (this.claimed > this.granted) this.draw();
    else if (bytes < 0 && this.share && this.granted - this.claimed > MAX_UNUSED_BYTES) this.giveBack(this.share);
  }

  lowerLimit(maxBytes: number): void {
    this.maxBytes = Math.min(this.maxBytes, maxBytes);
    this.granted = Math.min(this.granted, this.maxBytes);
  }

  release(): void {
    const { share } = this;
    this.share = undefined;
    // What a caller still does with a result that was read to its end is the caller's own.
    this.granted = Number.POSITIVE_INFINITY;
    if (share) this.pool.end(share);
  }

  private draw(): void {
    if (this.claimed > this.maxBytes) throw this.exceeded();
    const missing = this.claimed - this.granted;
    const bytes = Math.min(Math.ceil(missing / STEP_BYTES) * STEP_BYTES, this.maxBytes - this.granted);
    this.share ??= this.pool.shareOf(this);
    this.pool.draw(this.share, bytes);
    this.granted += bytes;
  }

  private giveBack(share: PoolShare): void {
    const unused = Math.floor((this.granted - this.claimed) / STEP_BYTES) * STEP_BYTES;
    const bytes = Math.min(unused, share.bytes);
    this.granted -= bytes;
    this.pool.giveBack(share, bytes);
  }

  private exceeded(): WorldsError {
    return new WorldsError(
      'LIMIT_EXCEEDED',
      `The request needs more than ${this.maxBytes} bytes of memory; ask for less, or raise maxMemoryBytes.`,
    );
  }
}
