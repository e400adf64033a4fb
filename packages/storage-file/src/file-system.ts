import { constants } from 'node:os';
import type { LockOptions } from './lock-options.ts';
import { UnknownOutcome } from './unknown-outcome.ts';

/** Of what the storage makes: the data is of the user that runs the process, and of nobody else. */
export const FILE_MODE = 0o600;
export const DIRECTORY_MODE = 0o700;

/**
 * The file operations that the storage needs, and all that it uses. Errors are those of `node:fs`,
 * with their `code`.
 *
 * Nothing is durable before it is synced: the content of a file by `sync` of the file, its name by
 * `syncDirectory` of the directory. What was not synced may after a power cut be there, be missing
 * or be there in part, in any order. A rename is there or not.
 */
export interface FileSystem {
  /**
   * `create` makes a file that must not exist. `replace` makes one in place of another that may be
   * there; a superseded process that still has that one open must not write to the new one. Both
   * are for reading and writing, as `write` is.
   */
  open(path: string, mode: OpenMode): Promise<OpenFile>;
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  /** Makes one directory, in one that exists. */
  makeDirectory(path: string): Promise<void>;
  removeDirectory(path: string): Promise<void>;
  /** Makes the names in a directory durable. */
  syncDirectory(path: string): Promise<void>;
  /** The names in a directory, in any order. */
  list(path: string): Promise<string[]>;
  /** The byte length of a file. */
  size(path: string): Promise<number>;
  /** The one path of an existing directory, whatever links lead to it. */
  realPath(path: string): Promise<string>;
  /**
   * Keeps other processes out of a directory until it is released. Throws CONFLICT when one has it.
   */
  lock(directory: string, options?: LockOptions): Promise<DirectoryLock>;
}

export type OpenMode = 'read' | 'write' | 'create' | 'replace';

export interface OpenFile {
  /** Writes all of the bytes at an offset. The caller does not change them meanwhile. */
  write(bytes: Uint8Array, offset: number): Promise<void>;
  /**
   * Reads at an offset until the memory is full or the file ends; gives how many bytes were read.
   */
  read(into: Uint8Array, offset: number): Promise<number>;
  /** Makes content and length durable. */
  sync(): Promise<void>;
  truncate(byteLength: number): Promise<void>;
  size(): Promise<number>;
  close(): Promise<void>;
}

/** Exclusive use of a directory by one process. */
export interface DirectoryLock {
  /** The fencing token: larger than that of every earlier holder of the directory. */
  readonly number: number;
  /**
   * Throws CONFLICT once another process has taken the directory over. One synchronous look at the
   * directory; a commit may be acknowledged only if this returns after the commit was synced.
   */
  check(): void;
  /**
   * The lowest epoch that the root of the namespaces must have, so that no earlier holder that may
   * still be running can name a file in it. 0 if all of them are known to have ended. At most
   * `number`.
   */
  readonly requiredEpoch: number;
  release(): Promise<void>;
}

/** The name of a system error. Node has none for EDQUOT, and calls it an unknown error. */
export function codeOf(error: unknown): string | undefined {
  const { code, errno } = (error ?? {}) as NodeJS.ErrnoException;
  return errno === -constants.errno.EDQUOT ? 'EDQUOT' : code;
}

/** Whether an error of a file system has one of the codes. */
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

/** The whole content of a file; undefined when there is none of this name. */
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
 * Closes a file whose content no longer depends on it: it was only read, was synced, or is given
 * up. The operating system frees the descriptor whatever it answers, and a late write error that it
 * may report here was already reported by the sync.
 */
export async function discard(file: Pick<OpenFile, 'close'>): Promise<void> {
  await file.close().catch(() => undefined);
}

/** Errors after which a rename did not happen. After any other, nobody knows. */
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

/** Renames a file. Throws an {@link UnknownOutcome} if it may have happened although it failed. */
export async function renameFile(fileSystem: FileSystem, from: string, to: string): Promise<void> {
  await fileSystem.rename(from, to).catch((error: unknown) => {
    throw hasCode(error, ...REFUSALS) ? error : new UnknownOutcome(error);
  });
}

/** Makes the names in a directory durable. Throws an {@link UnknownOutcome}; it may be repeated. */
export async function syncNames(fileSystem: FileSystem, directory: string): Promise<void> {
  await fileSystem.syncDirectory(directory).catch((error: unknown) => {
    throw new UnknownOutcome(error);
  });
}

/**
 * Makes a file, or replaces one in one step, durably: whoever opens `path`, at any time and after
 * any crash, finds the old content or the new one. Writes to `path.tmp` first. Throws an
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
