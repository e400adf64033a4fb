import type { PoolShare } from './memory-budget.ts';
import { throwIfAborted, WorldsError } from './worlds-error.ts';

/** Divisor of the pool for the share of all imports: 2 means one half. */
const IMPORT_PART = 2;
/** Bytes that an import may hold without drawing on the pool; most imports need no more. */
const FREE_BYTES = 1 << 16;
/** Step size, in bytes, for drawing on the pool. */
const STEP_BYTES = 1 << 20;

/** Interface of the pool to its share of imports. */
export interface PoolToShare {
  readonly maxBytes: number;
  readonly usedBytes: number;
  shareOf(holder: object): PoolShare;
  /** Returns false and draws nothing if too little is left. */
  tryDraw(share: PoolShare, bytes: number): boolean;
  giveBack(share: PoolShare, bytes: number): void;
  end(share: PoolShare): void;
}

interface Waiting {
  readonly claim: ImportClaim;
  readonly resolve: () => void;
}

/**
 * The part of a pool that imports may hold. An import that does not fit waits, between two pieces
 * of its document, until others give memory back; first come, first served.
 *
 * One import at a time, the *exempt* one, need not wait: it draws nothing, and only the engine's
 * `maxMemoryBytes` bounds it. An import larger than the share can therefore succeed, and imports
 * cannot deadlock.
 */
export class ImportShare {
  /** Size in bytes. */
  readonly maxBytes: number;
  private readonly pool: PoolToShare;
  private used = 0;
  private exempt: ImportClaim | undefined;
  private readonly waiting: Waiting[] = [];
  private isAdmitting = false;

  constructor(pool: PoolToShare) {
    this.pool = pool;
    this.maxBytes = pool.maxBytes / IMPORT_PART;
  }

  /** Bytes drawn by imports. */
  get usedBytes(): number {
    return this.used;
  }

  /** Number of imports waiting for memory. */
  get waitingImports(): number {
    return this.waiting.length;
  }

  /** Opens the account of one import; the caller must release it. */
  begin(): ImportClaim {
    return new ImportClaim(this);
  }

  /**
   * Draws the memory that a claim is missing, or makes the claim exempt. Returns false if it must
   * wait.
   */
  admit(claim: ImportClaim): boolean {
    if (this.exempt === claim) return true;
    const missing = claim.missingBytes;
    if (missing <= 0) return true;
    claim.share ??= this.pool.shareOf(claim);
    if (this.used + missing <= this.maxBytes && this.pool.tryDraw(claim.share, missing)) {
      this.used += missing;
      return true;
    }
    if (this.exempt) return false;
    this.exempt = claim;
    // The exempt import may last long if its source is slow: leave the whole share to the others.
    this.giveBack(claim, claim.share.bytes);
    return true;
  }

  /**
   * Waits until a claim is admitted. Throws ABORTED, or OVERLOADED if a deadline passes meanwhile.
   */
  async wait(claim: ImportClaim, signal: AbortSignal | undefined): Promise<void> {
    throwIfAborted(signal);
    let onAbort: (() => void) | undefined;
    try {
      await new Promise<void>((resolve) => {
        this.waiting.push({ claim, resolve });
        onAbort = resolve;
        signal?.addEventListener('abort', onAbort, { once: true });
      });
      const reason = signal?.aborted ? this.givenUp(signal) : undefined;
      if (reason) throw reason;
    } finally {
      signal?.removeEventListener('abort', onAbort!);
      const at = this.waiting.findIndex((one) => one.claim === claim);
      if (at >= 0) this.waiting.splice(at, 1);
    }
  }

  /**
   * Admits waiting imports in order while they fit. Called when the pool or the share gains room.
   */
  admitWaiting(): void {
    // Guards against re-entry: an import that becomes exempt gives memory back, which calls this
    // method.
    if (this.isAdmitting) return;
    this.isAdmitting = true;
    while (this.waiting.length > 0 && this.admit(this.waiting[0].claim)) this.waiting.shift()!.resolve();
    this.isAdmitting = false;
  }

  giveBack(claim: ImportClaim, bytes: number): void {
    if (bytes === 0 || !claim.share) return;
    this.used -= bytes;
    this.pool.giveBack(claim.share, bytes);
  }

  end(claim: ImportClaim): void {
    if (this.exempt === claim) this.exempt = undefined;
    const { share } = claim;
    claim.share = undefined;
    if (share) {
      this.used -= share.bytes;
      this.pool.end(share);
    }
    this.admitWaiting();
  }

  /**
   * Returns the reason why a waiting import ends. TIMEOUT is mapped to OVERLOADED, because a
   * deadline that passes while waiting says nothing about the import itself.
   */
  private givenUp(signal: AbortSignal): unknown {
    try {
      throwIfAborted(signal);
      return undefined;
    } catch (cause) {
      if (!(cause instanceof WorldsError) || cause.code !== 'TIMEOUT') return cause;
      return new WorldsError(
        'OVERLOADED',
        `The import timed out while it waited for memory: the imports of this process hold ${this.used} of the ${this.maxBytes} bytes that they share; repeat it later.`,
        { cause },
      );
    }
  }
}

/** Memory account of one import. */
export class ImportClaim {
  /** Managed by {@link ImportShare} only. */
  share: PoolShare | undefined;
  private readonly imports: ImportShare;
  private held = 0;

  constructor(imports: ImportShare) {
    this.imports = imports;
  }

  /**
   * Bytes to draw so that the pool covers what is held, rounded up to whole steps; negative if too
   * much is drawn.
   */
  get missingBytes(): number {
    const missing = this.held - FREE_BYTES - (this.share?.bytes ?? 0);
    return Math.ceil(missing / STEP_BYTES) * STEP_BYTES;
  }

  /**
   * Sets the bytes held by the import. Returns undefined if it may continue, otherwise a promise to
   * await before it takes more; the promise rejects with ABORTED, or with OVERLOADED if a deadline
   * passes meanwhile.
   */
  resize(bytes: number, signal: AbortSignal | undefined): Promise<void> | undefined {
    this.held = bytes;
    const { missingBytes } = this;
    if (missingBytes > -STEP_BYTES) return this.imports.admit(this) ? undefined : this.imports.wait(this, signal);
    this.imports.giveBack(this, Math.min(-missingBytes, this.share?.bytes ?? 0));
    return undefined;
  }

  /** Gives everything back; idempotent. */
  release(): void {
    this.held = 0;
    this.imports.end(this);
  }
}
