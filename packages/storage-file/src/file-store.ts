import { join } from 'node:path';
import { WorldsError } from '@rdf-worlds/core';
import { corrupt, newerVersion, telling } from './file-errors.ts';
import { type DirectoryLock, type FileSystem, readFile, replaceFile } from './file-system.ts';
import type { LockOptions } from './lock-options.ts';
import type { LogAppender } from './log-appender.ts';
import { readManifest } from './manifest.ts';
import { namespaceDirectory } from './namespace-directory.ts';
import { checkLeftOver, NamespaceFiles, removeDirectory } from './namespace-files.ts';
import { fencedRoot, type NamespacesRoot, rootsOf } from './namespaces-root.ts';
import { FORMAT, makeDirectories } from './storage-path.ts';
import { whileHeld } from './while-held.ts';

const VERSION = 1;

export interface FileStoreOptions extends LockOptions {
  readonly maxLogFileBytes: number;
  readonly maxOpenFiles: number;
}

/** An open directory: its lock, and the namespaces that somebody asked for. */
export class FileStore {
  readonly #fileSystem: FileSystem;
  readonly #path: string;
  readonly #options: FileStoreOptions;
  readonly #namespaces = new Map<string, NamespaceFiles>();
  /** Logs that have their file open, those that opened it longest ago first. */
  readonly #openLogs = new Set<LogAppender>();
  readonly #lock: DirectoryLock;
  readonly #root: NamespacesRoot;

  private constructor(
    fileSystem: FileSystem,
    path: string,
    options: FileStoreOptions,
    lock: DirectoryLock,
    root: NamespacesRoot,
  ) {
    this.#fileSystem = fileSystem;
    this.#path = path;
    this.#options = options;
    this.#lock = lock;
    this.#root = root;
  }

  /** Opens an existing directory. */
  static open(fileSystem: FileSystem, path: string, options: FileStoreOptions): Promise<FileStore> {
    return telling('Opening the storage', path, async () => {
      const { leaseMs, takeOver } = options;
      const lock = await fileSystem.lock(path, { leaseMs, takeOver });
      try {
        return new FileStore(fileSystem, path, options, lock, await preparedRoot(fileSystem, path, lock));
      } catch (error) {
        await lock.release();
        throw error;
      }
    });
  }

  /** Ascends with every takeover from a holder that may still be running; 0 before the first one. */
  get epoch(): number {
    return this.#root.epoch;
  }

  namespace(name: string): NamespaceFiles {
    const known = this.#namespaces.get(name);
    if (known) return known;
    const files = new NamespaceFiles(name, {
      fileSystem: this.#fileSystem,
      directory: join(this.#root.path, namespaceDirectory(name)),
      parent: this.#root.path,
      trash: trashPath(this.#path),
      epoch: this.epoch,
      lock: this.#lock,
      maxLogFileBytes: this.#options.maxLogFileBytes,
      onOpen: (log) => this.#opened(log),
    });
    this.#namespaces.set(name, files);
    return files;
  }

  async *namespaces(): AsyncGenerator<string> {
    const root = this.#root.path;
    const directories = await whileHeld(this.#lock, () =>
      telling('Listing namespaces', root, () => this.#fileSystem.list(root)),
    );
    let failure: unknown;
    for (const directory of directories) {
      const name = await this.#nameOf(join(root, directory)).catch((error: unknown) => {
        failure ??= error; // Told when all that are in order are listed.
        return undefined;
      });
      if (name !== undefined) yield name;
    }
    this.#lock.check(); // Otherwise it may be a namespace of the next holder that is missing.
    if (failure !== undefined) throw failure;
  }

  /** The namespace in a directory; undefined when it has no record yet, or is gone. */
  async #nameOf(path: string): Promise<string | undefined> {
    const manifest = await telling('Listing namespaces', path, async () => {
      const found = await readManifest(this.#fileSystem, path);
      if (!found) await checkLeftOver(this.#fileSystem, path);
      return found;
    });
    if (!manifest) return undefined;
    const { namespace, durable } = manifest;
    return durable > 0 || (await this.namespace(namespace).head()).position > 0 ? namespace : undefined;
  }

  async close(): Promise<void> {
    const outcomes = await Promise.allSettled([...this.#namespaces.values()].map((each) => each.close()));
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    // Whether this process was superseded is not known once the lock is released.
    const failure =
      failed && (await whileHeld(this.#lock, () => Promise.reject(failed.reason)).catch((error) => error));
    await telling('Releasing the lock', this.#path, () => this.#lock.release());
    if (failed) throw failure;
  }

  /** Keeps the number of open files down: the log that opened its file first closes it, for it can open it again. */
  #opened(log: LogAppender): void {
    this.#openLogs.add(log);
    if (this.#openLogs.size <= this.#options.maxOpenFiles) return;
    for (const other of this.#openLogs) {
      if (!other.isIdle) continue;
      this.#openLogs.delete(other);
      // What fails here is the closing of a file that is durable; the next append opens it anew.
      other.releaseFile().catch((error: unknown) => other.stop(asWorldsError(error)));
      if (this.#openLogs.size <= this.#options.maxOpenFiles) return;
    }
  }
}

function asWorldsError(cause: unknown): WorldsError {
  return new WorldsError('INTERNAL', 'A file of the log could not be closed. Close the storage and open it again.', {
    cause,
  });
}

const trashPath = (path: string): string => join(path, 'trash');

/** Makes the directory ready for its new holder, and gives the root of the namespaces. Every step may be the last one before a crash. */
async function preparedRoot(fileSystem: FileSystem, path: string, lock: DirectoryLock): Promise<NamespacesRoot> {
  const roots = rootsOf(path, await fileSystem.list(path));
  const hasFormat = await checkFormat(fileSystem, path, roots);
  lock.check();
  // Before anything in it is read, which an earlier holder could still change.
  const root = await fencedRoot(fileSystem, path, roots, lock);
  // A drop that a process did not live to acknowledge: what is seen of it from here on must last.
  await fileSystem.syncDirectory(root.path);
  await emptyTrash(fileSystem, trashPath(path));
  if (!hasFormat) await replaceFile(fileSystem, path, formatPath(path), Buffer.from(`${FORMAT} ${VERSION}\n`));
  lock.check();
  return root;
}

async function emptyTrash(fileSystem: FileSystem, trash: string): Promise<void> {
  await makeDirectories(fileSystem, trash);
  await fileSystem.syncDirectory(trash);
  for (const name of await fileSystem.list(trash)) await removeDirectory(fileSystem, join(trash, name));
}

const formatPath = (path: string): string => join(path, 'format');

/** False if the directory is new. Throws CORRUPT or UNSUPPORTED. */
async function checkFormat(fileSystem: FileSystem, path: string, roots: readonly NamespacesRoot[]): Promise<boolean> {
  const bytes = await readFile(fileSystem, formatPath(path));
  if (bytes) {
    checkFormatText(Buffer.from(bytes).toString(), formatPath(path));
    return true;
  }
  for (const root of roots) {
    if ((await fileSystem.list(root.path)).length > 0)
      throw corrupt(formatPath(path), undefined, 'the file that names the format is missing.');
  }
  return false;
}

function checkFormatText(text: string, path: string): void {
  const version = new RegExp(`^${FORMAT} (\\d+)\\n$`).exec(text)?.[1];
  if (version === undefined) throw corrupt(path, 0, 'this names no format of RDF Worlds.');
  if (Number(version) > VERSION) throw newerVersion(path, Number(version), VERSION);
}
