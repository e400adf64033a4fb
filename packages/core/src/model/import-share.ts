import type { PoolShare } from './memory-budget.ts';
import { throwIfAborted, WorldsError } from './worlds-error.ts';

/** All imports together may hold this part of the pool (1 of 2). */
const IMPORT_PART = 2;
/** What an import may hold without drawing on the pool: most imports never do. */
const FREE_BYTES = 1 << 16;
/** The pool is drawn on in steps of this size. */
const STEP_BYTES = 1 << 20;

/** The pool as its share of imports sees it. */
export interface PoolToShare {
  readonly maxBytes: number;
  readonly usedBytes: number;
  shareOf(holder: object): PoolShare;
  /** Returns false and draws nothing when there is too little left. */
  tryDraw(share: PoolShare, bytes: number): boolean;
  giveBack(share: PoolShare, bytes: number): void;
  end(share: PoolShare): void;
}

interface Waiting {
  readonly claim: ImportClaim;
  readonly resolve: () => void;
}

/**
 * The part of a pool that imports may hold. An import that does not fit waits between two pieces of
 * its document until others give back, in the order of arrival.
 *
 * One import at a time need not wait: the *exempt* one draws nothing, and the engine's
 * `maxMemoryBytes` alone bounds it. So an import larger than the share works, and imports cannot
 * wait for each other without end.
 */
export class ImportShare {
  /** In bytes. */
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

  /** What imports have drawn, in bytes. */
  get usedBytes(): number {
    return this.used;
  }

  /** How many imports wait for memory. */
  get waitingImports(): number {
    return this.waiting.length;
  }

  /** Begins the account of one import; the caller must release it. */
  begin(): ImportClaim {
    return new ImportClaim(this);
  }

  /** Draws what a claim lacks, or makes it the exempt one. Returns false when it must wait. */
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
    // One with a slow source may last for long: the others have the whole share meanwhile.
    this.giveBack(claim, claim.share.bytes);
    return true;
  }

  /**
   * Waits until a claim is admitted. Throws ABORTED, or OVERLOADED when a deadline passes
   * meanwhile.
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
   * Admits imports that wait, as long as they fit. Called whenever the pool or the share got room.
   */
  admitWaiting(): void {
    // An import that becomes the exempt one gives back, which leads here again.
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
   * Why a waiting import ends. A deadline that passes while it waits says nothing about the import
   * itself.
   */
  private givenUp(signal: AbortSignal): unknown {
    try {
      throwIfAborted(signal);
      return undefined;
    } catch (cause) {
      if (!(cause instanceof WorldsError) || cause.code !== 'TIMEOUT') return cause;
      return new WorldsError(
        'OVERLOADED',
        `The import waited for memory until its time was over: the imports of this process hold ${this.used} of the ${this.maxBytes} bytes that they may take together; repeat it later.`,
        { cause },
      );
    }
  }
}

/** What one import holds. */
export class ImportClaim {
  /** For the {@link ImportShare} alone. */
  share: PoolShare | undefined;
  private readonly imports: ImportShare;
  private held = 0;

  constructor(imports: ImportShare) {
    this.imports = imports;
  }

  /** What it lacks to hold what it holds, in whole steps. */
  get missingBytes(): number {
    const missing = this.held - FREE_BYTES - (this.share?.bytes ?? 0);
    return Math.ceil(missing / STEP_BYTES) * STEP_BYTES;
  }

  /**
   * Sets what the import holds, in bytes. Returns undefined when it may go on, else a promise to
   * await before it takes more, which rejects with ABORTED, or with OVERLOADED when a deadline
   * passes meanwhile.
   */
  resize(bytes: number, signal: AbortSignal | undefined): Promise<void> | undefined {
    this.held = bytes;
    const { missingBytes } = this;
    if (missingBytes > -STEP_BYTES) return this.imports.admit(this) ? undefined : this.imports.wait(this, signal);
    this.imports.giveBack(this, Math.min(-missingBytes, this.share?.bytes ?? 0));
    return undefined;
  }

  /** Gives everything back; a second call does nothing. */
  release(): void {
    this.held = 0;
    this.imports.end(this);
  }
}
