import type { DirectoryLock } from './file-system.ts';

/**
 * Runs a read. Throws CONFLICT instead of its error once another process has moved the files away.
 */
export async function whileHeld<T>(lock: DirectoryLock, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    lock.check();
    throw error;
  }
}

/** Runs a write. Throws CONFLICT, whatever its outcome, once another process has the directory. */
export async function acknowledged<T>(lock: DirectoryLock, write: () => Promise<T>): Promise<T> {
  lock.check();
  const result = await whileHeld(lock, write);
  lock.check();
  return result;
}
