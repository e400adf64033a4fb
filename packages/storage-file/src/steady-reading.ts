import { WorldsError } from '@rdf-worlds/core';
import { hasCode } from './file-system.ts';

const MAX_READS = 5;

/**
 * Reads files that another process may be writing. Retries if something seems damaged or missing:
 * an append seen in part is complete by then, whereas damage persists.
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
