import { setTimeout } from 'node:timers/promises';
import { type FileSystem, hasCode } from './file-system.ts';

/** Delays before each retry, in milliseconds: about a second in total. */
const DELAYS_MS = [1, 2, 5, 10, 20, 50, 100, 200, 300, 300];

/** Transient failures that had no effect. */
const PASSING = ['EINTR', 'EAGAIN', 'EBUSY', 'EMFILE', 'ENFILE'];

/**
 * Wraps a file system and retries operations on paths that failed for a transient reason: too many
 * open files, an interruption, a file briefly held by another program. `closeOne` closes a file
 * that is currently not needed, and resolves to false if there is none.
 */
export function patientFileSystem(inner: FileSystem, closeOne: () => Promise<boolean> = async () => false): FileSystem {
  async function patiently<T>(run: () => Promise<T>): Promise<T> {
    for (const delayMs of DELAYS_MS) {
      try {
        return await run();
      } catch (error) {
        if (!hasCode(error, ...PASSING)) throw error;
        if (hasCode(error, 'EMFILE') && (await closeOne())) continue;
        await setTimeout(delayMs);
      }
    }
    return run();
  }

  return {
    open: (path, mode) => patiently(() => inner.open(path, mode)),
    rename: (from, to) => patiently(() => inner.rename(from, to)),
    unlink: (path) => patiently(() => inner.unlink(path)),
    makeDirectory: (path) => patiently(() => inner.makeDirectory(path)),
    removeDirectory: (path) => patiently(() => inner.removeDirectory(path)),
    // Safe to retry: with too many open files the directory could not be opened, so no sync has
    // failed.
    syncDirectory: (path) => patiently(() => inner.syncDirectory(path)),
    list: (path) => patiently(() => inner.list(path)),
    size: (path) => patiently(() => inner.size(path)),
    realPath: (path) => patiently(() => inner.realPath(path)),
    lock: (directory, options) => inner.lock(directory, options),
    watch: inner.watch && ((directory, onChange, onEnd) => inner.watch!(directory, onChange, onEnd)),
  };
}
