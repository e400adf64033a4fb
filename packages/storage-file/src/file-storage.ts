import { dirname, join } from 'node:path';
import type {
  Checkpoint,
  Head,
  LogRecord,
  NamespaceStorage,
  NamespaceStorageStats,
  Remains,
  Segment,
  Storage,
  StorageCapabilities,
  StorageErrorListener,
  StoredRecord,
} from '@rdf-worlds/core';
import { requireKnownFields, storageErrors, WorldsError } from '@rdf-worlds/core';
import { telling } from './file-errors.ts';
import type { FileStore } from './file-store.ts';
import type { FileSystem } from './file-system.ts';
import { checkLockOptions, DEFAULT_LEASE_MS } from './lock-options.ts';
import type { NamespaceFiles } from './namespace-files.ts';
import { rebuildNamespace } from './namespace-rebuild.ts';
import { remainsOf } from './namespace-remains.ts';
import { nodeFileSystem } from './node-file-system.ts';
import { closeStore, openStore } from './open-stores.ts';
import { patientFileSystem } from './patient-file-system.ts';
import { ReadOnlyStorage } from './read-only-storage.ts';
import { checkStoragePath, readyDirectory } from './storage-path.ts';

export interface FileStorageOptions {
  /** The directory, absolute or relative to the process. It is made when it is missing. */
  readonly path: string;
  /**
   * Only reads: the directory must be there, and nothing is written to it, not even a lock. For
   * disks that are read-only or full, and to look into a directory that another process has open:
   * each namespace is as it was when it was first asked for. Everything that would write is
   * UNSUPPORTED.
   */
  readonly readOnly?: boolean | undefined;
  /**
   * A file of a log that is larger takes no more commits, and goes when all of its records were
   * truncated. 16 MiB by default.
   */
  readonly maxLogFileBytes?: number | undefined;
  /** How many files of logs stay open between appends, and while readers pause. 256 by default. */
  readonly maxOpenFiles?: number | undefined;
  /**
   * How long this process may go without renewing its lock before another one that cannot look at
   * it, on another machine or in another container, takes the directory over. A process that was
   * paused for longer may meet CONFLICT at its next write. After a crash, such an opener waits for
   * as long. In milliseconds, from 100 to 3,600,000; 10,000 by default.
   */
  readonly leaseMs?: number | undefined;
  /**
   * States that the process which has the directory has ended: it is taken over without waiting.
   * Still CONFLICT if that process is seen to be running on this machine. False by default.
   */
  readonly takeOver?: boolean | undefined;
  /** In place of `node:fs`: for tests. */
  readonly fileSystem?: FileSystem | undefined;
}

/**
 * A storage in a directory of this machine: a log and checkpoints a namespace, as
 * docs/reference/storage-format.md describes them. What it acknowledges outlives the process and a
 * power cut, as far as the disk keeps what it calls durable. One process at a time has a directory
 * open; within it, several storages may.
 */
export function fileStorage(options: FileStorageOptions): Storage {
  const { readOnly = false, ...others } = options;
  if (typeof readOnly !== 'boolean')
    throw new WorldsError('INVALID_ARGUMENT', `readOnly is true or false, not ${JSON.stringify(readOnly)}.`);
  requireKnownFields(others, OPTIONS, 'fileStorage');
  if (!readOnly) return new FileStorage(others);
  if (others.takeOver)
    throw new WorldsError(
      'INVALID_ARGUMENT',
      'takeOver is for writing, and readOnly does not write: name one of them.',
    );
  return new ReadOnlyStorage(others.path, others.fileSystem ?? nodeFileSystem);
}

const OPTIONS = ['path', 'maxLogFileBytes', 'maxOpenFiles', 'leaseMs', 'takeOver', 'fileSystem'];

class FileStorage implements Storage {
  readonly capabilities: StorageCapabilities = { durable: true, shared: false };
  readonly #options: Required<Omit<FileStorageOptions, 'readOnly'>>;
  #state: 'new' | 'open' | 'closed' = 'new';
  #path = '';
  #opening: Promise<FileStore> | undefined;
  #store: FileStore | undefined;
  #closing: Promise<void> | undefined;

  constructor({
    path,
    maxLogFileBytes = 16 * 2 ** 20,
    maxOpenFiles = 256,
    leaseMs = DEFAULT_LEASE_MS,
    takeOver = false,
    fileSystem = nodeFileSystem,
  }: Omit<FileStorageOptions, 'readOnly'>) {
    checkStoragePath(path);
    checkAtLeastOne('maxLogFileBytes', maxLogFileBytes);
    checkAtLeastOne('maxOpenFiles', maxOpenFiles);
    checkLockOptions({ leaseMs, takeOver });
    this.#options = { path, maxLogFileBytes, maxOpenFiles, leaseMs, takeOver, fileSystem };
  }

  async open(): Promise<void> {
    if (this.#state !== 'new') throw new WorldsError('INVALID_ARGUMENT', 'A storage is opened once. Make another one.');
    this.#state = 'open';
    const { fileSystem, path } = this.#options;
    const opening = (async () => {
      this.#path = await readyDirectory(patientFileSystem(fileSystem), path);
      return openStore(fileSystem, this.#path, this.#options);
    })();
    this.#opening = opening;
    this.#store = await opening;
  }

  close(): Promise<void> {
    this.#state = 'closed';
    this.#closing ??= (async () => {
      const store = await this.#opening?.catch(() => undefined); // Whoever opened was told.
      if (store) await closeStore(this.#options.fileSystem, this.#path);
    })();
    return this.#closing;
  }

  onBackgroundError(listener: StorageErrorListener): () => void {
    return this.#opened.onBackgroundError(listener);
  }

  async *namespaces(): AsyncIterable<string> {
    for await (const name of this.#opened.namespaces()) {
      yield name;
      this.#opened;
    }
  }

  async strays(namespace?: string): Promise<readonly string[]> {
    return this.#opened.strays(namespace);
  }

  /** The directory as this process has it open. */
  get place(): object {
    return this.#opened;
  }

  namespace(name: string): NamespaceStorage {
    return new FileNamespace(name, this.#opened.namespace(name), () => this.#opened);
  }

  get #opened(): FileStore {
    if (this.#state !== 'open' || !this.#store) throw storageErrors.notOpen();
    return this.#store;
  }
}

function checkAtLeastOne(name: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 1)
    throw new WorldsError('INVALID_ARGUMENT', `${name} is a whole number of at least 1, not ${value}.`);
}

/** A namespace as one storage sees it: until that is closed. */
class FileNamespace implements NamespaceStorage {
  readonly #name: string;
  readonly #files: NamespaceFiles;
  /** Throws when the storage is not open. */
  readonly #check: () => void;

  constructor(name: string, files: NamespaceFiles, check: () => void) {
    this.#name = name;
    this.#files = files;
    this.#check = check;
  }

  async head(): Promise<Head> {
    this.#check();
    return this.#files.head();
  }

  async append(expected: Head, records: readonly LogRecord[]): Promise<Head> {
    this.#check();
    return this.#files.append(expected, records);
  }

  async *read(after: Head, signal?: AbortSignal): AsyncIterable<StoredRecord> {
    this.#check();
    yield* this.#files.read(after, this.#check, signal);
  }

  async checkpoint(): Promise<Checkpoint | undefined> {
    this.#check();
    return this.#files.checkpoint(this.#check);
  }

  async writeCheckpoint(at: Head, segments: AsyncIterable<Segment> | Iterable<Segment>): Promise<void> {
    this.#check();
    return this.#files.writeCheckpoint(at, segments, this.#check);
  }

  async truncate(upTo: Head): Promise<void> {
    this.#check();
    return this.#files.truncate(upTo);
  }

  async stats(): Promise<NamespaceStorageStats> {
    this.#check();
    return this.#files.stats();
  }

  async drop(): Promise<void> {
    this.#check();
    return this.#files.drop();
  }

  async remains(): Promise<Remains | undefined> {
    this.#check();
    const { fileSystem, directory } = this.#files.options;
    return telling('Reading what is left', directory, () => remainsOf(fileSystem, directory, this.#name, this.#check));
  }

  async rebuild(at: Head, segments: AsyncIterable<Segment> | Iterable<Segment>): Promise<string> {
    this.#check();
    const { fileSystem, directory, lock, onBackgroundError } = this.#files.options;
    const place = { fileSystem, directory, copies: join(dirname(dirname(directory)), 'salvaged') };
    const check = (): void => {
      this.#check();
      lock.check();
    };
    return this.#files.withFilesAlone(() =>
      telling('Rebuilding a namespace', directory, () =>
        rebuildNamespace(place, this.#name, {
          ...{ at, segments, check },
          onBackgroundError,
        }),
      ),
    );
  }
}
