import type { ImportClaim } from '../model/import-share.ts';
import type { MemoryReservation } from './memory-limit.ts';

/**
 * Memory of an import until it commits. Counted twice: against `maxMemoryBytes`, because it becomes
 * part of the namespace, and against the memory pool, so that concurrent imports do not add up.
 */
export class ImportMemory {
  private readonly claim: ImportClaim;
  private readonly reservation: MemoryReservation | undefined;
  private readonly signal: AbortSignal;

  /** @param reservation undefined if the engine has no `maxMemoryBytes` */
  constructor(claim: ImportClaim, reservation: MemoryReservation | undefined, signal: AbortSignal) {
    this.claim = claim;
    this.reservation = reservation;
    this.signal = signal;
  }

  /**
   * Sets the size in bytes. If other imports hold the imports' share of the pool, returns a promise
   * that must be awaited before more memory is used; it rejects with ABORTED or OVERLOADED. Throws
   * LIMIT_EXCEEDED above `maxMemoryBytes`.
   */
  resize(bytes: number): Promise<void> | undefined {
    this.reservation?.resize(bytes);
    return this.claim.resize(bytes, this.signal);
  }

  /**
   * Reduces the reservation to `bytes`, because from now on the namespace counts the rows itself.
   * The pool's memory is returned on release.
   */
  handOver(bytes: number): void {
    this.reservation?.resize(bytes);
  }

  release(): void {
    this.claim.release();
    this.reservation?.release();
  }
}
