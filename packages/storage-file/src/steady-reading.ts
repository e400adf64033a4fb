import { WorldsError } from '@rdf-worlds/core';
import { hasCode } from './file-system.ts';

const MAX_READS = 5;

/**
 * Reads files that another process may be writing. What looks damaged or is missing is read again:
 * an append that was seen in part is whole by then, and damage stays.
 */
export async function steadily<T>(read: () => Promise<T>): Promise<T> {
  for (let readsLeft = MAX_READS; ; readsLeft--) {
    try {
      return await read();
    } catch (error) {
      const mayBeMoving = hasCode(error, 'ENOENT') || (error instanceof WorldsError && error.code === 'CORRUPT');
      if (!mayBeMoving || readsLeft === 1) throw error;
    }
  }
}
