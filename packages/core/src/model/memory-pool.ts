import { WorldsError } from './worlds-error.ts';

/** The part of a pool that one request holds. */
export interface PoolShare {
  bytes: number;
}

/**
 * The memory that all requests of a process may take together; each draws its own by a `RequestBudget`. What a
 * request holds comes back when it ends, or when the collector finds that nobody will read its result any more.
 */
export class MemoryPool {
  /** In bytes. */
  readonly maxBytes: number;
  private used = 0;
  private readonly abandoned = new FinalizationRegistry<PoolShare>((share) => this.giveBack(share, share.bytes));

  /** Throws INVALID_ARGUMENT unless `maxBytes` is above 0; it may be `Infinity`. */
  constructor(maxBytes: number) {
    if (typeof maxBytes !== 'number' || !(maxBytes > 0))
      throw new WorldsError('INVALID_ARGUMENT', `The size of a MemoryPool is ${String(maxBytes)}; give bytes above 0.`);
    this.maxBytes = maxBytes;
  }

  /** What requests hold at the moment, in bytes. */
  get usedBytes(): number {
    return this.used;
  }

  /** Begins a share that comes back by itself when `holder` is collected. */
  shareOf(holder: object): PoolShare {
    const share: PoolShare = { bytes: 0 };
    this.abandoned.register(holder, share, share);
    return share;
  }

  /** Enlarges a share. Throws OVERLOADED when the other requests leave no room. */
  draw(share: PoolShare, bytes: number): void {
    if (this.used + bytes > this.maxBytes) {
      throw new WorldsError(
        'OVERLOADED',
        `The requests of this process hold ${this.used} of the ${this.maxBytes} bytes that they may take together, and this one needs ${bytes} more; repeat it later, or ask for less.`,
      );
    }
    this.used += bytes;
    share.bytes += bytes;
  }

  giveBack(share: PoolShare, bytes: number): void {
    this.used -= bytes;
    share.bytes -= bytes;
  }

  /** Ends a share. */
  end(share: PoolShare): void {
    this.giveBack(share, share.bytes);
    this.abandoned.unregister(share);
  }
}
