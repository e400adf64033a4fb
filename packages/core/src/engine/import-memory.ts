import type { ImportClaim } from '../model/import-share.ts';
import type { MemoryReservation } from './memory-limit.ts';

/**
 * What an import holds until it is committed. It is counted twice: it is a part of
 * `maxMemoryBytes`, since it becomes the namespace's, and is drawn on the pool, so that imports
 * under way do not add up.
 */
export class ImportMemory {
  private readonly claim: ImportClaim;
  private readonly reservation: MemoryReservation | undefined;
  private readonly signal: AbortSignal;

  /** @param reservation undefined where the engine has no `maxMemoryBytes` */
  constructor(claim: ImportClaim, reservation: MemoryReservation | undefined, signal: AbortSignal) {
    this.claim = claim;
    this.reservation = reservation;
    this.signal = signal;
  }

  /**
   * Sets its size in bytes. Returns a promise to await before the import takes more, when others
   * hold the share of imports. Throws LIMIT_EXCEEDED above `maxMemoryBytes`; the promise rejects
   * with ABORTED and OVERLOADED.
   */
  resize(bytes: number): Promise<void> | undefined {
    this.reservation?.resize(bytes);
    return this.claim.resize(bytes, this.signal);
  }

  /**
   * From here on the namespace counts the rows itself, and `bytes` remain. The pool gets all back
   * at the end.
   */
  handOver(bytes: number): void {
    this.reservation?.resize(bytes);
  }

  release(): void {
    this.claim.release();
    this.reservation?.release();
  }
}
