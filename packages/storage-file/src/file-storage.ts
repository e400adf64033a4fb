import { dirname, join } from 'node:path';
import { WorldsError } from '@rdf-worlds/core';
import type {
  Checkpoint,
  ConfirmHead,
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
} from '@rdf-worlds/core/plugin';
import { requireKnownFields, requireOptions, storageErrors } from '@rdf-worlds/core/plugin';
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

/** Options of {@link fileStorage}. */
export interface FileStorageOptions {
  /** The directory, absolute or relative to the process's working directory. Created if missing. */
  readonly path: string;
  /**
   * Opens the storage read-only: the directory must exist, and nothing is written to it, not even a
   * lock. For processes beside the one that has the directory open for writing, whose commits are
   * followed, and for disks that are read-only or full. Everything that would write throws
   * UNSUPPORTED.
   */
  readonly readOnly?: boolean | undefined;
  /**
   * Size in bytes above which a log file takes no more commits. The file is removed once all its
   * records are truncated. 16 MiB by default.
   */
  readonly maxLogFileBytes?: number | undefined;
  /**
   * Maximum number of log files kept open between appends and while readers pause. 256 by default.
   */
  readonly maxOpenFiles?: number | undefined;
  /**
   * How long this process may go without renewing its lock before a process that cannot observe it,
   * on another machine or in another container, takes the directory over. A process paused for
   * longer may get CONFLICT at its next write. After a crash, such an opener waits for this long.
   * In milliseconds, from 100 to 3,600,000; 10,000 by default.
   */
  readonly leaseMs?: number | undefined;
  /**
   * Asserts that the process holding the directory has ended, so that it is taken over without
   * waiting. Still throws CONFLICT if that process is seen running on this machine. False by
   * default.
   */
  readonly takeOver?: boolean | undefined;
  /** Replaces `node:fs`; for tests. */
  readonly fileSystem?: FileSystem | undefined;
}

/**
 * Returns a storage in a local directory: one log plus checkpoints per namespace, as described in
 * docs/reference/storage-format.md. Acknowledged data survives the end of the process and a power
 * cut, provided that the disk keeps what it reports as durable. Only one process at a time can open
 * a directory; within that process, several storages can.
 */
export function fileStorage(options: FileStorageOptions): Storage {
  requireOptions(options, 'fileStorage', "fileStorage({ path: './data' })");
  const { readOnly = false, ...others } = options;
  if (typeof readOnly !== 'boolean')
    throw new WorldsError('INVALID_ARGUMENT', `readOnly must be true or false, not ${JSON.stringify(readOnly)}.`);
  requireKnownFields(others, OPTIONS, 'fileStorage');
  if (!readOnly) return new FileStorage(others);
  if (others.takeOver)
    throw new WorldsError(
      'INVALID_ARGUMENT',
      'takeOver writes, so it cannot be combined with readOnly: pass one of the two.',
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
    if (this.#state !== 'new')
      throw new WorldsError('INVALID_ARGUMENT', 'A storage can be opened only once. Create another one.');
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
      // The caller of `open` received the error.
      const store = await this.#opening?.catch(() => undefined);
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

  /** Identifies the directory as opened by this process. */
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
    throw new WorldsError('INVALID_ARGUMENT', `${name} must be an integer of at least 1, not ${value}.`);
}

/** A namespace as seen by one storage, valid until that storage is closed. */
class FileNamespace implements NamespaceStorage {
  readonly #name: string;
  readonly #files: NamespaceFiles;
  /** Throws if the storage is not open. */
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

  async writeCheckpoint(
    at: Head,
    segments: AsyncIterable<Segment> | Iterable<Segment>,
    confirm?: ConfirmHead,
  ): Promise<void> {
    this.#check();
    return this.#files.writeCheckpoint(at, segments, confirm, this.#check);
  }

  async truncate(upTo: Head): Promise<void> {
    this.#check();
    return this.#files.truncate(upTo);
  }

  async stats(): Promise<NamespaceStorageStats> {
    this.#check();
    return this.#files.stats();
  }

  async drop(expected?: Head): Promise<void> {
    this.#check();
    return this.#files.drop(expected);
  }

  async remains(): Promise<Remains | undefined> {
    this.#check();
    const { fileSystem, directory } = this.#files.options;
    return telling('Reading the remains of a namespace', directory, () =>
      remainsOf(fileSystem, directory, this.#name, this.#check),
    );
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
