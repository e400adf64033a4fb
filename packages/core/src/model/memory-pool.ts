import { ImportShare } from './import-share.ts';
import type { PoolShare } from './memory-budget.ts';
import { WorldsError } from './worlds-error.ts';

/**
 * Memory that all requests of a process share. Queries, updates, writes, searches and result
 * writers draw theirs through a `RequestBudget`, imports from the share {@link imports}. A
 * request's memory returns to the pool when it ends, or when its abandoned result is
 * garbage-collected.
 */
export class MemoryPool {
  /** Size in bytes. */
  readonly maxBytes: number;
  /** The part of the pool that imports may hold. */
  readonly imports: ImportShare;
  private used = 0;
  private readonly abandoned = new FinalizationRegistry<PoolShare>((share) => this.giveBack(share, share.bytes));

  /** Throws INVALID_ARGUMENT unless `maxBytes` is above 0; `Infinity` is allowed. */
  constructor(maxBytes: number) {
    if (typeof maxBytes !== 'number' || !(maxBytes > 0))
      throw new WorldsError(
        'INVALID_ARGUMENT',
        `The size of a MemoryPool is ${String(maxBytes)}; pass a number of bytes above 0.`,
      );
    this.maxBytes = maxBytes;
    this.imports = new ImportShare(this);
  }

  /** Bytes currently held by requests. */
  get usedBytes(): number {
    return this.used;
  }

  /** Opens a share that is returned automatically when `holder` is garbage-collected. */
  shareOf(holder: object): PoolShare {
    const share: PoolShare = { bytes: 0 };
    this.abandoned.register(holder, share, share);
    return share;
  }

  /** Enlarges a share. Throws OVERLOADED if the other requests leave too little room. */
  draw(share: PoolShare, bytes: number): void {
    if (!this.tryDraw(share, bytes)) {
      throw new WorldsError(
        'OVERLOADED',
        `The requests of this process hold ${this.used} of the ${this.maxBytes} bytes that they share, and this one needs ${bytes} more; repeat it later, or request less.`,
      );
    }
  }

  /** Enlarges a share. Returns false and changes nothing if too little is left. */
  tryDraw(share: PoolShare, bytes: number): boolean {
    if (this.used + bytes > this.maxBytes) return false;
    this.used += bytes;
    share.bytes += bytes;
    return true;
  }

  /** Shrinks a share; its bytes return to the pool. Admits waiting imports. */
  giveBack(share: PoolShare, bytes: number): void {
    this.used -= bytes;
    share.bytes -= bytes;
    if (this.imports.waitingImports > 0) this.imports.admitWaiting();
  }

  /** Closes a share and returns its memory. */
  end(share: PoolShare): void {
    this.giveBack(share, share.bytes);
    this.abandoned.unregister(share);
  }
}
