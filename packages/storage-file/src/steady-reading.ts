import { setTimeout } from 'node:timers/promises';
import { WorldsError } from '@rdf-worlds/core';
import { hasCode } from './file-system.ts';

/** Pauses before each further attempt, in milliseconds. */
const IMMEDIATE_MS = [0, 0, 0, 0];
/** The same for files that are needed as they are now: about half a second in total. */
const PATIENT_MS = [0, 0, 1, 2, 5, 10, 20, 50, 100, 100, 200];

export interface Steadiness {
  /** Whether it is worth waiting for a process that writes very often. */
  readonly isPatient?: boolean;
  /** Called before each further attempt. */
  readonly beforeRetry?: () => Promise<unknown>;
}

/**
 * Reads files that another process may be writing. Retries if something seems damaged or missing:
 * an append seen in part is complete by then, whereas damage persists.
 */
export async function steadily<T>(
  read: () => Promise<T>,
  { isPatient = false, beforeRetry }: Steadiness = {},
): Promise<T> {
  for (const pauseMs of isPatient ? PATIENT_MS : IMMEDIATE_MS) {
    try {
      return await read();
    } catch (error) {
      const mayBeMoving = hasCode(error, 'ENOENT') || (error instanceof WorldsError && error.code === 'CORRUPT');
      if (!mayBeMoving) throw error;
    }
    if (pauseMs > 0) await setTimeout(pauseMs);
    await beforeRetry?.();
  }
  return read();
}
