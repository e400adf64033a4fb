import { join } from 'node:path';
import type { WorldsError } from '@rdf-worlds/core';
import { type StorageErrorListener, storageErrors } from '@rdf-worlds/core/plugin';
import { BackgroundWork } from './background-work.ts';
import { corrupt, newerVersion, telling } from './file-errors.ts';
import { type DirectoryLock, type FileSystem, readFile, replaceFile } from './file-system.ts';
import type { LockOptions } from './lock-options.ts';
import { namespaceDirectory } from './namespace-directory.ts';
import { NamespaceFiles } from './namespace-files.ts';
import { listRoot, namespacesOf, requireNoLink } from './namespace-listing.ts';
import { NamespaceNames } from './namespace-names.ts';
import { fencedRoot, type NamespacesRoot, rootsOf } from './namespaces-root.ts';
import { OpenLogs } from './open-logs.ts';
import { patientFileSystem } from './patient-file-system.ts';
import { FORMAT, makeDirectories } from './storage-path.ts';
import { straysOf, straysOfNamespace } from './strays.ts';
import { Trash } from './trash.ts';
import { whileHeld } from './while-held.ts';

/**
 * Version 2: files are bound to their namespace, and logs are sealed where they continue in another
 * file.
 */
const VERSION = 2;

export interface FileStoreOptions extends LockOptions {
  readonly maxLogFileBytes: number;
  readonly maxOpenFiles: number;
}

/** An open directory: its lock and the namespaces accessed so far. */
export class FileStore {
  readonly #fileSystem: FileSystem;
  readonly #path: string;
  readonly #options: FileStoreOptions;
  /** The namespaces that are still referenced or whose files are in use. */
  readonly #namespaces = new Map<string, WeakRef<NamespaceFiles>>();
  /**
   * Namespaces that exist, retained so that their logs stay known and are closed with the store;
   * and those whose drop is in doubt.
   */
  readonly #needed = new Set<NamespaceFiles>();
  readonly #forgotten = new FinalizationRegistry<string>((name) => {
    if (this.#namespaces.get(name)?.deref() === undefined) this.#namespaces.delete(name);
  });
  readonly #openLogs: OpenLogs;
  readonly #listeners = new Set<StorageErrorListener>();
  /** The last failure of each namespace before the first listener was added. */
  readonly #unheard = new Map<string | null, WorldsError>();
  readonly #lock: DirectoryLock;
  readonly #root: NamespacesRoot;
  readonly #trash: Trash;
  readonly #names: NamespaceNames;
  /** Paths that do not belong to the storage, as far as they have been seen. */
  readonly #strays: Set<string>;
  #isClosing = false;

  private constructor(
    fileSystem: FileSystem,
    path: string,
    options: FileStoreOptions,
    lock: DirectoryLock,
    { root, strays }: PreparedDirectory,
  ) {
    this.#openLogs = new OpenLogs(options.maxOpenFiles);
    this.#fileSystem = patientFileSystem(fileSystem, () => this.#openLogs.closeOne());
    this.#path = path;
    this.#options = options;
    this.#lock = lock;
    this.#root = root;
    this.#strays = new Set(strays);
    const removal = new BackgroundWork(trashPath(path), (error) => this.#report(error, null));
    this.#trash = new Trash(this.#fileSystem, trashPath(path), removal);
    this.#names = new NamespaceNames({ fileSystem: this.#fileSystem, parent: root.path, trash: this.#trash.path });
  }

  /** Opens an existing directory. */
  static open(fileSystem: FileSystem, path: string, options: FileStoreOptions): Promise<FileStore> {
    return telling('Opening the storage', path, async () => {
      const { leaseMs, takeOver } = options;
      const lock = await fileSystem.lock(path, { leaseMs, takeOver });
      try {
        const prepared = await preparedDirectory(patientFileSystem(fileSystem), path, lock);
        const store = new FileStore(fileSystem, path, options, lock, prepared);
        await store.#trash.empty();
        return store;
      } catch (error) {
        await lock.release().catch(() => undefined); // The caller needs the first failure.
        throw error;
      }
    });
  }

  /**
   * Increases with every takeover from a holder that may still be running; 0 before the first one.
   */
  get epoch(): number {
    return this.#root.epoch;
  }

  namespace(name: string): NamespaceFiles {
    // Stops a listing in progress, which would load namespaces that are never closed.
    if (this.#isClosing) throw storageErrors.notOpen();
    const known = this.#namespaces.get(name)?.deref();
    if (known) return known;
    const files: NamespaceFiles = new NamespaceFiles(name, {
      fileSystem: this.#fileSystem,
      directory: join(this.#root.path, namespaceDirectory(name)),
      names: this.#names,
      trash: this.#trash,
      epoch: this.epoch,
      lock: this.#lock,
      maxLogFileBytes: this.#options.maxLogFileBytes,
      openLogs: this.#openLogs,
      onBackgroundError: (error) => this.#report(error, name),
      onNeeded: (isNeeded) => {
        if (isNeeded) this.#needed.add(files);
        else this.#needed.delete(files);
      },
    });
    this.#namespaces.set(name, new WeakRef(files));
    this.#forgotten.register(files, name);
    return files;
  }

  /** See `Storage.onBackgroundError`. */
  onBackgroundError(listener: StorageErrorListener): () => void {
    for (const [namespace, error] of this.#unheard) listener(error, namespace);
    this.#unheard.clear();
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #report(error: WorldsError | null, namespace: string | null): void {
    if (!error) this.#unheard.delete(namespace);
    else if (this.#listeners.size === 0) this.#unheard.set(namespace, error);
    for (const listener of this.#listeners) listener(error, namespace);
  }

  async *namespaces(): AsyncGenerator<string> {
    const listing = {
      fileSystem: this.#fileSystem,
      root: this.#root.path,
      headOf: (name: string) => this.namespace(name).head(),
      onStray: (stray: string) => this.#strays.add(stray),
    };
    const directories = await whileHeld(this.#lock, () => listRoot(listing));
    // Without the lock, a namespace may seem missing because the next holder moved it.
    yield* namespacesOf(listing, directories, () => this.#lock.check());
  }

  /** See `Storage.strays`. */
  async strays(namespace: string | undefined): Promise<readonly string[]> {
    if (namespace === undefined) return [...this.#strays];
    return straysOfNamespace(this.#fileSystem, join(this.#root.path, namespaceDirectory(namespace)));
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    const known = [...this.#namespaces.values()].flatMap((each) => each.deref() ?? []);
    const outcomes = await Promise.allSettled(known.map((each) => each.close()));
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    // Once the lock is released it can no longer be determined whether this process was superseded.
    const failure =
      failed && (await whileHeld(this.#lock, () => Promise.reject(failed.reason)).catch((error) => error));
    await telling('Releasing the lock', this.#path, () => this.#lock.release());
    if (failed) throw failure;
  }
}

const trashPath = (path: string): string => join(path, 'trash');

interface PreparedDirectory {
  readonly root: NamespacesRoot;
  /** See {@link straysOf}. */
  readonly strays: readonly string[];
}

/**
 * Prepares the directory for its new holder and returns the root of the namespaces. A crash may
 * happen after any step.
 */
async function preparedDirectory(
  fileSystem: FileSystem,
  path: string,
  lock: DirectoryLock,
): Promise<PreparedDirectory> {
  const names = await fileSystem.list(path);
  const roots = rootsOf(path, names);
  for (const root of roots) await requireNoLink(fileSystem, root.path);
  const version = await formatVersion(fileSystem, path, roots);
  lock.check();
  // Before anything in the root is read, which an earlier holder could still change.
  const root = await fencedRoot(fileSystem, path, roots, lock);
  // Makes a drop durable that a process did not live to acknowledge: its effect is visible from
  // here on and must last.
  await fileSystem.syncDirectory(root.path);
  await makeDirectories(fileSystem, trashPath(path));
  await fileSystem.syncDirectory(trashPath(path));
  // From here on files of this version are written, which releases that know only an older version
  // must not treat as damaged.
  if (version < VERSION) await replaceFile(fileSystem, path, formatPath(path), Buffer.from(`${FORMAT} ${VERSION}\n`));
  lock.check();
  return { root, strays: straysOf(path, names) };
}

const formatPath = (path: string): string => join(path, 'format');

/** Returns the format version; 0 if the directory is new. Throws CORRUPT or UNSUPPORTED. */
async function formatVersion(fileSystem: FileSystem, path: string, roots: readonly NamespacesRoot[]): Promise<number> {
  const bytes = await readFile(fileSystem, formatPath(path));
  if (bytes) return checkFormatText(Buffer.from(bytes).toString(), formatPath(path));
  for (const root of roots) {
    if ((await fileSystem.list(root.path)).length > 0)
      throw corrupt(formatPath(path), undefined, 'the file that names the format is missing.');
  }
  return 0;
}

/**
 * Returns the version in the text of a format file. Throws CORRUPT, and UNSUPPORTED for a newer
 * one.
 */
export function checkFormatText(text: string, path: string): number {
  const version = new RegExp(`^${FORMAT} (\\d+)\\n$`).exec(text)?.[1];
  if (version === undefined) throw corrupt(path, 0, 'this is not a format file of RDF Worlds.');
  if (Number(version) > VERSION) throw newerVersion(path, Number(version), VERSION);
  return Number(version);
}
