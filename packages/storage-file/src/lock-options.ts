import { WorldsError } from '@rdf-worlds/core';

/** How a directory is locked against other processes. */
export interface LockOptions {
  /**
   * How long a holder may go without renewing its lock before a process that cannot observe it
   * takes the directory over. In milliseconds; 10,000 by default.
   */
  readonly leaseMs?: number | undefined;
  /** Take over without waiting from a holder that cannot be observed. False by default. */
  readonly takeOver?: boolean | undefined;
}

export const DEFAULT_LEASE_MS = 10_000;
/**
 * With a shorter lease, a garbage collection or a slow sync would look like the end of the holder.
 */
const MIN_LEASE_MS = 100;
export const MAX_LEASE_MS = 3_600_000;

/** Throws INVALID_ARGUMENT. */
export function checkLockOptions({ leaseMs, takeOver }: LockOptions): void {
  if (leaseMs !== undefined && !(Number.isInteger(leaseMs) && leaseMs >= MIN_LEASE_MS && leaseMs <= MAX_LEASE_MS))
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `leaseMs must be an integer of milliseconds from ${MIN_LEASE_MS} to ${MAX_LEASE_MS}, not ${leaseMs}.`,
    );
  if (takeOver !== undefined && typeof takeOver !== 'boolean')
    throw new WorldsError('INVALID_ARGUMENT', `takeOver must be true or false, not ${JSON.stringify(takeOver)}.`);
}
