import { ImportShare } from './import-share.ts';
import type { PoolShare } from './memory-budget.ts';
import { WorldsError } from './worlds-error.ts';

/**
 * The memory that all requests of a process may take together. Queries, updates, writes, searches
 * and writers of results draw theirs by a `RequestBudget`, imports from the share of
 * {@link imports}. What a request holds returns to the pool when it ends, or when the collector
 * finds that nobody will read its result.
 */
export class MemoryPool {
  /** In bytes. */
  readonly maxBytes: number;
  /** What imports may hold of it. */
  readonly imports: ImportShare;
  private used = 0;
  private readonly abandoned = new FinalizationRegistry<PoolShare>((share) => this.giveBack(share, share.bytes));

  /** Throws INVALID_ARGUMENT unless `maxBytes` is above 0; it may be `Infinity`. */
  constructor(maxBytes: number) {
    if (typeof maxBytes !== 'number' || !(maxBytes > 0))
      throw new WorldsError('INVALID_ARGUMENT', `The size of a MemoryPool is ${String(maxBytes)}; give bytes above 0.`);
    this.maxBytes = maxBytes;
    this.imports = new ImportShare(this);
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
    if (!this.tryDraw(share, bytes)) {
      throw new WorldsError(
        'OVERLOADED',
        `The requests of this process hold ${this.used} of the ${this.maxBytes} bytes that they may take together, and this one needs ${bytes} more; repeat it later, or ask for less.`,
      );
    }
  }

  /** Enlarges a share. Returns false and changes nothing when there is too little left. */
  tryDraw(share: PoolShare, bytes: number): boolean {
    if (this.used + bytes > this.maxBytes) return false;
    this.used += bytes;
    share.bytes += bytes;
    return true;
  }

  giveBack(share: PoolShare, bytes: number): void {
    this.used -= bytes;
    share.bytes -= bytes;
    if (this.imports.waitingImports > 0) this.imports.admitWaiting();
  }

  /** Ends a share. */
  end(share: PoolShare): void {
    this.giveBack(share, share.bytes);
    this.abandoned.unregister(share);
  }
}
