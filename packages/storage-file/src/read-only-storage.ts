import { join, resolve } from 'node:path';
import { WorldsError } from '@rdf-worlds/core';
import {
  type Checkpoint,
  type Head,
  type NamespaceStorage,
  type NamespaceStorageStats,
  type Remains,
  type Storage,
  type StorageCapabilities,
  type StoredRecord,
  storageErrors,
} from '@rdf-worlds/core/plugin';
import { corrupt, telling } from './file-errors.ts';
import { checkFormatText } from './file-store.ts';
import { type FileSystem, hasCode, readFile } from './file-system.ts';
import { HeadWatch } from './head-watch.ts';
import { namespaceDirectory } from './namespace-directory.ts';
import { listRoot, namespacesOf } from './namespace-listing.ts';
import { rootOf, rootsOf } from './namespaces-root.ts';
import { patientFileSystem } from './patient-file-system.ts';
import { type MovableRoot, ReadOnlyNamespace } from './read-only-namespace.ts';
import { checkStoragePath } from './storage-path.ts';
import { straysOf, straysOfNamespace } from './strays.ts';

/**
 * A read-only view of a directory: nothing is created, locked, synced, repaired or removed. Another
 * process may have it open for writing; its commits are followed.
 */
export class ReadOnlyStorage implements Storage {
  readonly capabilities: StorageCapabilities = { durable: true, shared: true, readOnly: true };
  readonly #fileSystem: FileSystem;
  readonly #given: string;
  readonly #namespaces = new Map<string, ReadOnlyNamespace>();
  #state: 'new' | 'opening' | 'open' | 'closed' = 'new';
  #path = '';
  /** Contains the namespaces' directories. */
  readonly #root: MovableRoot & { path: string } = { path: '', refresh: () => this.#findRoot() };
  readonly #heads: HeadWatch;
  /** Paths that do not belong to the storage, as far as they have been seen. */
  readonly #strays = new Set<string>();

  constructor(path: string, fileSystem: FileSystem) {
    checkStoragePath(path);
    this.#given = path;
    this.#fileSystem = patientFileSystem(fileSystem);
    this.#heads = new HeadWatch(this.#fileSystem);
  }

  async open(): Promise<void> {
    if (this.#state !== 'new')
      throw new WorldsError('INVALID_ARGUMENT', 'A storage can be opened only once. Create another one.');
    this.#state = 'opening';
    const absolute = resolve(this.#given);
    await telling('Opening the storage', absolute, async () => {
      this.#path = await this.#fileSystem.realPath(absolute).catch((error: unknown) => {
        if (!hasCode(error, 'ENOENT')) throw error;
        throw new WorldsError(
          'NOT_FOUND',
          `There is no directory ${absolute}, and a read-only storage does not create one. Check the path.`,
        );
      });
      const names = await this.#fileSystem.list(this.#path);
      this.#root.path = currentRoot(this.#path, names);
      await this.#checkFormat();
      for (const stray of straysOf(this.#path, names)) this.#strays.add(stray);
    });
    if (this.#state === 'opening') this.#state = 'open';
  }

  async #findRoot(): Promise<boolean> {
    const path = currentRoot(this.#path, await this.#fileSystem.list(this.#path));
    const hasMoved = path !== this.#root.path;
    this.#root.path = path;
    return hasMoved;
  }

  async #checkFormat(): Promise<void> {
    const path = join(this.#path, 'format');
    const bytes = await readFile(this.#fileSystem, path);
    if (bytes) {
      checkFormatText(Buffer.from(bytes).toString(), path);
      return;
    }
    if ((await this.#fileSystem.list(this.#root.path).catch(absentAsEmpty)).length > 0)
      throw corrupt(path, undefined, 'the file that names the format is missing.');
    throw new WorldsError(
      'NOT_FOUND',
      `There is no storage in ${this.#path}, and a read-only storage does not create one. Check the path.`,
    );
  }

  async close(): Promise<void> {
    this.#state = 'closed';
    this.#heads.wakeAll();
  }

  async *namespaces(): AsyncIterable<string> {
    this.#checkOpen();
    const listing = {
      fileSystem: this.#fileSystem,
      root: this.#root.path,
      headOf: (name: string) => this.#files(name).head(),
      onStray: (stray: string) => this.#strays.add(stray),
    };
    const check = () => this.#checkOpen();
    for await (const name of namespacesOf(listing, await listRoot(listing), check)) {
      check();
      yield name;
      check();
    }
  }

  async strays(namespace?: string): Promise<readonly string[]> {
    this.#checkOpen();
    if (namespace === undefined) return [...this.#strays];
    return straysOfNamespace(this.#fileSystem, join(this.#root.path, namespaceDirectory(namespace)));
  }

  namespace(name: string): NamespaceStorage {
    this.#checkOpen();
    return new ReadOnlyHandle(this.#files(name), this.#heads, this.#path, () => this.#checkOpen());
  }

  #files(name: string): ReadOnlyNamespace {
    const known = this.#namespaces.get(name);
    if (known) return known;
    const files = new ReadOnlyNamespace(this.#fileSystem, this.#root, name);
    this.#namespaces.set(name, files);
    return files;
  }

  #checkOpen(): void {
    if (this.#state !== 'open') throw storageErrors.notOpen();
  }
}

/** Returns the valid root among the names of a directory. */
function currentRoot(directory: string, names: readonly string[]): string {
  const [root = rootOf(directory, 0)] = rootsOf(directory, names);
  return root.path;
}

function absentAsEmpty(error: unknown): string[] {
  if (hasCode(error, 'ENOENT')) return [];
  throw error;
}

/**
 * A namespace, valid until its storage is closed. Everything that would write throws UNSUPPORTED.
 */
class ReadOnlyHandle implements NamespaceStorage {
  readonly #files: ReadOnlyNamespace;
  readonly #heads: HeadWatch;
  readonly #path: string;
  /** Throws if the storage is not open. */
  readonly #check: () => void;

  constructor(files: ReadOnlyNamespace, heads: HeadWatch, path: string, check: () => void) {
    this.#files = files;
    this.#heads = heads;
    this.#path = path;
    this.#check = check;
  }

  async head(): Promise<Head> {
    this.#check();
    return this.#files.head();
  }

  async *read(after: Head, signal?: AbortSignal): AsyncIterable<StoredRecord> {
    this.#check();
    yield* this.#files.read(after, this.#check, signal);
  }

  async checkpoint(): Promise<Checkpoint | undefined> {
    this.#check();
    return this.#files.checkpoint(this.#check);
  }

  async *watch(signal: AbortSignal): AsyncIterable<Head> {
    this.#check();
    yield* this.#heads.watch(this.#files, signal, this.#check);
  }

  async stats(): Promise<NamespaceStorageStats> {
    this.#check();
    return this.#files.stats();
  }

  async remains(): Promise<Remains | undefined> {
    this.#check();
    return this.#files.remains(this.#check);
  }

  append(): Promise<Head> {
    return this.#refuse();
  }

  writeCheckpoint(): Promise<void> {
    return this.#refuse();
  }

  truncate(): Promise<void> {
    return this.#refuse();
  }

  drop(): Promise<void> {
    return this.#refuse();
  }

  async #refuse(): Promise<never> {
    this.#check();
    throw new WorldsError(
      'UNSUPPORTED',
      `The storage ${this.#path} was opened with readOnly, so it cannot be written. Write in the process that has it open for writing, or open it without readOnly once none has.`,
    );
  }
}
