import type { PoolShare, RequestMemory } from './memory-budget.ts';
import type { MemoryPool } from './memory-pool.ts';
import { WorldsError } from './worlds-error.ts';

/** Bytes that a request may take without drawing on the pool; most requests need no more. */
const FREE_BYTES = 1 << 16;
/** Step size, in bytes, for drawing on the pool. */
const STEP_BYTES = 1 << 20;
/** Unused bytes above this return to the pool before the request ends. */
const MAX_UNUSED_BYTES = 16 << 20;
/** Divisor of the pool for the default limit of one request: 2 means one half. */
const DEFAULT_PART = 2;

/**
 * Memory budget of one request. Throws LIMIT_EXCEEDED if the request exceeds its own limit,
 * OVERLOADED if the pool of the process is exhausted.
 */
export class RequestBudget implements RequestMemory {
  private readonly pool: MemoryPool;
  private maxBytes: number;
  private claimed = 0;
  /** Bytes that may be claimed before the limit and the pool are checked. */
  private granted: number;
  private share: PoolShare | undefined;

  /**
   * @param maxBytes limit of this request; half of the pool by default, and never more than the
   * pool
   */
  constructor(pool: MemoryPool, maxBytes: number = pool.maxBytes / DEFAULT_PART) {
    this.pool = pool;
    this.maxBytes = Math.min(maxBytes, pool.maxBytes);
    this.granted = Math.min(FREE_BYTES, this.maxBytes);
  }

  /** Bytes currently claimed. */
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
    // Later claims are free: what the caller does with a result after reading it is its own
    // business.
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
    const remedy = this.maxBytes < this.pool.maxBytes ? 'raise maxMemoryBytes' : 'give the engine a larger memoryPool';
    return new WorldsError(
      'LIMIT_EXCEEDED',
      `The request needs more than ${this.maxBytes} bytes of memory; request less, or ${remedy}.`,
    );
  }
}
