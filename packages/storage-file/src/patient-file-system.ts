import { setTimeout } from 'node:timers/promises';
import { type FileSystem, hasCode } from './file-system.ts';

/** Delays before another attempt, in milliseconds: about a second in all. */
const DELAYS_MS = [1, 2, 5, 10, 20, 50, 100, 200, 300, 300];

/** Failures that pass by themselves, and did nothing. */
const PASSING = ['EINTR', 'EAGAIN', 'EBUSY', 'EMFILE', 'ENFILE'];

/**
 * A file system that repeats operations on paths which failed for a reason that passes: too many
 * open files, an interruption, a file that another program holds for a moment. `closeOne` closes a
 * file that is not needed at the moment, and resolves to false if there is none.
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
    // Too many open files: the directory could not be opened, so that no sync has failed.
    syncDirectory: (path) => patiently(() => inner.syncDirectory(path)),
    list: (path) => patiently(() => inner.list(path)),
    size: (path) => patiently(() => inner.size(path)),
    realPath: (path) => patiently(() => inner.realPath(path)),
    lock: (directory, options) => inner.lock(directory, options),
  };
}
