import { dirname, join, resolve } from 'node:path';
import type { WorldsError } from '@rdf-worlds/core';
import { corrupt, newerVersion, telling } from './file-errors.ts';
import { type DirectoryLock, type FileSystem, hasCode, readFile, replaceFile } from './file-system.ts';
import { readManifest } from './manifest.ts';
import { namespaceDirectory } from './namespace-directory.ts';
import { checkLeftOver, foreignManifest, NamespaceFiles, removeDirectory } from './namespace-files.ts';
import { OpenLogs } from './open-logs.ts';

const FORMAT = 'rdf-worlds-storage';
/** 2: files are bound to their namespace, and logs are sealed where they continue in another file. */
const VERSION = 2;

export interface FileStoreOptions {
  readonly maxLogFileBytes: number;
  readonly maxOpenFiles: number;
}

/** Receives a failure that fails no call, and the namespace that it belongs to, if it is of one. */
export type BackgroundErrorListener = (error: WorldsError, namespace: string | null) => void;

/** Makes a directory and those above it, durably. */
export async function makeDirectories(fileSystem: FileSystem, path: string): Promise<void> {
  try {
    await fileSystem.makeDirectory(path);
  } catch (error) {
    if (hasCode(error, 'EEXIST')) {
      await fileSystem.list(path); // Throws ENOTDIR for a file.
      await syncParent(fileSystem, path);
      return;
    }
    if (!hasCode(error, 'ENOENT') || dirname(path) === path) throw error;
    await makeDirectories(fileSystem, dirname(path));
    await makeDirectories(fileSystem, path);
    return;
  }
  await fileSystem.syncDirectory(dirname(path));
}

/** A directory that is there may have been made by a process that was killed before its name was durable. */
async function syncParent(fileSystem: FileSystem, path: string): Promise<void> {
  await fileSystem.syncDirectory(dirname(path)).catch((error: unknown) => {
    // Of a directory that this process may not read it made no names either.
    if (!hasCode(error, 'EACCES', 'EPERM')) throw error;
  });
}

/** An open directory: its lock, and the namespaces that somebody asked for. */
export class FileStore {
  readonly #fileSystem: FileSystem;
  readonly #path: string;
  readonly #options: FileStoreOptions;
  readonly #namespaces = new Map<string, NamespaceFiles>();
  readonly #openLogs: OpenLogs;
  readonly #listeners = new Set<BackgroundErrorListener>();
  readonly #lock: DirectoryLock;

  private constructor(fileSystem: FileSystem, path: string, options: FileStoreOptions, lock: DirectoryLock) {
    this.#fileSystem = fileSystem;
    this.#path = path;
    this.#options = options;
    this.#lock = lock;
    this.#openLogs = new OpenLogs(options.maxOpenFiles);
  }

  /** Opens an existing directory. */
  static open(fileSystem: FileSystem, path: string, options: FileStoreOptions): Promise<FileStore> {
    return telling('Opening the storage', path, async () => {
      const lock = await fileSystem.lock(path);
      try {
        const store = new FileStore(fileSystem, path, options, lock);
        await store.#prepare();
        return store;
      } catch (error) {
        await lock.release();
        throw error;
      }
    });
  }

  namespace(name: string): NamespaceFiles {
    const known = this.#namespaces.get(name);
    if (known) return known;
    const files = new NamespaceFiles(name, {
      fileSystem: this.#fileSystem,
      directory: join(this.#parent, namespaceDirectory(name)),
      parent: this.#parent,
      trash: this.#trash,
      maxLogFileBytes: this.#options.maxLogFileBytes,
      openLogs: this.#openLogs,
      checkLock: () => this.#lock.check(),
      epoch: 0,
      onBackgroundError: (error, namespace) => this.#report(error, namespace),
    });
    this.#namespaces.set(name, files);
    return files;
  }

  /** Calls a listener with failures that fail no call, until the returned function is called. */
  onBackgroundError(listener: BackgroundErrorListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #report(error: WorldsError, namespace: string | null): void {
    for (const listener of this.#listeners) listener(error, namespace);
  }

  async *namespaces(): AsyncGenerator<string> {
    const directories = await telling('Listing namespaces', this.#parent, () => this.#fileSystem.list(this.#parent));
    let failure: unknown;
    for (const directory of directories) {
      const name = await this.#nameOf(directory).catch((error: unknown) => {
        failure ??= error; // Told when all that are in order are listed.
        return undefined;
      });
      if (name !== undefined) yield name;
    }
    if (failure !== undefined) throw failure;
  }

  /** The namespace in a directory; undefined if it has no record yet, is gone, or never was one. */
  async #nameOf(directory: string): Promise<string | undefined> {
    const path = join(this.#parent, directory);
    const manifest = await telling('Listing namespaces', path, async () => {
      try {
        const found = await readManifest(this.#fileSystem, path);
        if (!found) await checkLeftOver(this.#fileSystem, path);
        return found;
      } catch (error) {
        if (hasCode(error, 'ENOTDIR')) return undefined; // A file that is none of ours.
        throw error;
      }
    });
    if (!manifest) return undefined;
    const { namespace, durable } = manifest;
    if (namespaceDirectory(namespace) !== directory) throw foreignManifest(path, manifest);
    return durable > 0 || (await this.namespace(namespace).head()).position > 0 ? namespace : undefined;
  }

  async close(): Promise<void> {
    const outcomes = await Promise.allSettled([...this.#namespaces.values()].map((each) => each.close()));
    await telling('Releasing the lock', this.#path, () => this.#lock.release());
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  }

  get #parent(): string {
    return join(this.#path, 'namespaces');
  }

  get #trash(): string {
    return join(this.#path, 'trash');
  }

  async #prepare(): Promise<void> {
    await makeDirectories(this.#fileSystem, this.#parent);
    await makeDirectories(this.#fileSystem, this.#trash);
    await this.#checkFormat();
    // A drop that a process did not live to acknowledge: what is seen of it from here on must last.
    await this.#fileSystem.syncDirectory(this.#trash);
    await this.#fileSystem.syncDirectory(this.#parent);
    for (const name of await this.#fileSystem.list(this.#trash))
      await removeDirectory(this.#fileSystem, join(this.#trash, name));
  }

  async #checkFormat(): Promise<void> {
    const path = join(this.#path, 'format');
    const bytes = await readFile(this.#fileSystem, path);
    if (bytes) {
      const version = checkFormatText(Buffer.from(bytes).toString(), path);
      // From here on files of this version are written, which releases that know only the older one
      // must not take for damaged.
      if (version < VERSION) return this.#writeFormat(path);
      // Its name may not be durable yet.
      return this.#fileSystem.syncDirectory(this.#path);
    }
    const [someNamespace] = await this.#fileSystem.list(this.#parent);
    if (someNamespace !== undefined) throw corrupt(path, undefined, 'the file that names the format is missing.');
    await this.#writeFormat(path);
  }

  #writeFormat(path: string): Promise<void> {
    return replaceFile(this.#fileSystem, this.#path, path, Buffer.from(`${FORMAT} ${VERSION}\n`));
  }
}

/** Gives the version. Throws CORRUPT, and UNSUPPORTED for a newer one. */
export function checkFormatText(text: string, path: string): number {
  const version = new RegExp(`^${FORMAT} (\\d+)\\n$`).exec(text)?.[1];
  if (version === undefined) throw corrupt(path, 0, 'this names no format of RDF Worlds.');
  if (Number(version) > VERSION) throw newerVersion(path, Number(version), VERSION);
  return Number(version);
}

/** The path as the storage uses it: absolute, and made if it is missing. */
export async function readyDirectory(fileSystem: FileSystem, path: string): Promise<string> {
  const absolute = resolve(path);
  return telling('Opening the storage', absolute, async () => {
    await makeDirectories(fileSystem, absolute);
    return fileSystem.realPath(absolute);
  });
}
