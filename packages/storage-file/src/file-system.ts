import { constants } from 'node:os';
import type { LockOptions } from './lock-options.ts';
import { UnknownOutcome } from './unknown-outcome.ts';

/**
 * Modes of the files and directories created: accessible only to the user that runs the process.
 */
export const FILE_MODE = 0o600;
export const DIRECTORY_MODE = 0o700;

/**
 * The complete set of file operations that the storage uses. Errors are those of `node:fs`, with
 * their `code`.
 *
 * Nothing is durable until it is synced: the content of a file by `sync` of the file, its name by
 * `syncDirectory` of the directory. After a power cut, unsynced changes may be present, missing or
 * partially present, in any order. A rename either happened or did not.
 */
export interface FileSystem {
  /**
   * `create` creates a file that must not exist. `replace` creates one in place of an existing one,
   * if any; a superseded process that still has the old file open must not be able to write to the
   * new one. Both open for reading and writing, like `write`.
   */
  open(path: string, mode: OpenMode): Promise<OpenFile>;
  /** Renames a file or directory atomically; a file replaces an existing one. */
  rename(from: string, to: string): Promise<void>;
  /** Removes the name of a file. Its content stays while the file is open. */
  unlink(path: string): Promise<void>;
  /** Creates one directory in an existing one. */
  makeDirectory(path: string): Promise<void>;
  /** Removes an empty directory. */
  removeDirectory(path: string): Promise<void>;
  /** Makes the names in a directory durable. */
  syncDirectory(path: string): Promise<void>;
  /** Returns the names in a directory, in any order. */
  list(path: string): Promise<string[]>;
  /** Returns the length of a file in bytes. */
  size(path: string): Promise<number>;
  /** Returns the canonical path of an existing directory, with links resolved. */
  realPath(path: string): Promise<string>;
  /**
   * Locks a directory against other processes until released. Throws CONFLICT if another process
   * holds it.
   */
  lock(directory: string, options?: LockOptions): Promise<DirectoryLock>;
  /**
   * Implement for a file system that tells of changes. Calls `onChange` soon after files in the
   * directory were created, written or removed, several changes at once or some not at all; calls
   * `onEnd` once if it can tell no more. Does not keep the process running. Returns a function that
   * ends it; undefined if the directory cannot be watched.
   */
  watch?(directory: string, onChange: () => void, onEnd: () => void): (() => void) | undefined;
}

/**
 * How a file is opened: `read` and `write` require that it exists, and `write` also allows reading;
 * for the others see {@link FileSystem.open}.
 */
export type OpenMode = 'read' | 'write' | 'create' | 'replace';

/** An open file. Offsets and lengths are in bytes. */
export interface OpenFile {
  /** Writes all of the bytes at an offset. The caller must not modify them meanwhile. */
  write(bytes: Uint8Array, offset: number): Promise<void>;
  /**
   * Reads at an offset until the buffer is full or the file ends. Returns the number of bytes read.
   */
  read(into: Uint8Array, offset: number): Promise<number>;
  /** Makes content and length durable. */
  sync(): Promise<void>;
  /** Sets the length of the file. */
  truncate(byteLength: number): Promise<void>;
  /** Returns the length of the file. */
  size(): Promise<number>;
  /** Closes the file without making it durable. Called once. */
  close(): Promise<void>;
}

/** Exclusive use of a directory by one process. */
export interface DirectoryLock {
  /** The fencing token: greater than that of every earlier holder of the directory. */
  readonly number: number;
  /**
   * Throws CONFLICT once another process has taken the directory over. Checks the directory once,
   * synchronously. A commit may be acknowledged only if this returns after the commit was synced.
   */
  check(): void;
  /**
   * The minimum epoch of the namespaces' root, chosen so that no earlier holder that may still be
   * running can name a file in it. 0 if all earlier holders have certainly ended. At most `number`.
   */
  readonly requiredEpoch: number;
  /** Lets other processes lock the directory. */
  release(): Promise<void>;
}

/**
 * Returns the name of a system error. Node has no name for EDQUOT and reports it as an unknown
 * error.
 */
export function codeOf(error: unknown): string | undefined {
  const { code, errno } = (error ?? {}) as NodeJS.ErrnoException;
  return errno === -constants.errno.EDQUOT ? 'EDQUOT' : code;
}

/** Returns whether a file-system error has one of the codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  const code = codeOf(error);
  return code !== undefined && codes.includes(code);
}

export async function exists(fileSystem: FileSystem, path: string): Promise<boolean> {
  try {
    await fileSystem.size(path);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}

/** Returns the whole content of a file; undefined if it does not exist. */
export async function readFile(fileSystem: FileSystem, path: string): Promise<Uint8Array | undefined> {
  let file: OpenFile;
  try {
    file = await fileSystem.open(path, 'read');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
  try {
    const bytes = new Uint8Array(await file.size());
    return bytes.subarray(0, await file.read(bytes, 0));
  } finally {
    await discard(file);
  }
}

/**
 * Closes a file whose content no longer depends on the outcome: it was only read, was synced, or is
 * abandoned. The operating system frees the descriptor in any case, and a late write error reported
 * here was already reported by the sync.
 */
export async function discard(file: Pick<OpenFile, 'close'>): Promise<void> {
  await file.close().catch(() => undefined);
}

/**
 * Errors after which a rename certainly did not happen. After any other error the outcome is
 * unknown.
 */
const REFUSALS = [
  'ENOSPC',
  'EDQUOT',
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOENT',
  'EBUSY',
  'EMFILE',
  'ENFILE',
  'ENAMETOOLONG',
];

/** Renames a file. Throws an {@link UnknownOutcome} if the rename failed but may have happened. */
export async function renameFile(fileSystem: FileSystem, from: string, to: string): Promise<void> {
  await fileSystem.rename(from, to).catch((error: unknown) => {
    throw hasCode(error, ...REFUSALS) ? error : new UnknownOutcome(error);
  });
}

/** Makes the names in a directory durable. Throws an {@link UnknownOutcome}; may be retried. */
export async function syncNames(fileSystem: FileSystem, directory: string): Promise<void> {
  await fileSystem.syncDirectory(directory).catch((error: unknown) => {
    throw new UnknownOutcome(error);
  });
}

/**
 * Creates or replaces a file atomically and durably: opening `path`, at any time and after any
 * crash, finds either the old or the new content. Writes to `path.tmp` first. Throws an
 * {@link UnknownOutcome} if either may be found.
 */
export async function replaceFile(
  fileSystem: FileSystem,
  directory: string,
  path: string,
  content: Uint8Array,
): Promise<void> {
  const temporary = `${path}.tmp`;
  const file = await fileSystem.open(temporary, 'replace');
  try {
    await file.write(content, 0);
    await file.sync();
  } finally {
    await discard(file);
  }
  await renameFile(fileSystem, temporary, path);
  await syncNames(fileSystem, directory);
}
