import { randomBytes } from 'node:crypto';
import { WorldsError } from '@rdf-worlds/core';
import {
  type Checkpoint,
  type ConfirmHead,
  checkLogRecords,
  type Head,
  type LogRecord,
  type NamespaceStorageStats,
  NO_HEAD,
  type Segment,
  type StoredRecord,
  type StoredSegment,
  sameHead,
  samePlace,
  storageErrors,
} from '@rdf-worlds/core/plugin';
import { type BackgroundListener, BackgroundWork } from './background-work.ts';
import { fileError, telling } from './file-errors.ts';
import type { DirectoryLock, FileSystem } from './file-system.ts';
import { Incarnation } from './incarnation.ts';
import { checkLeftOver, foreignManifest } from './left-over.ts';
import { LogAppender } from './log-appender.ts';
import { LOG_HEADER_BYTES } from './log-file-header.ts';
import { detachFile, makeLogFile } from './log-files.ts';
import { type RecoveredLog, recoverLog } from './log-recovery.ts';
import { type Manifest, readManifest, writeManifest } from './manifest.ts';
import type { NamespaceNames } from './namespace-names.ts';
import type { OpenLogs } from './open-logs.ts';
import type { Trash } from './trash.ts';
import { UnknownOutcome } from './unknown-outcome.ts';
import { acknowledged, whileHeld } from './while-held.ts';

export interface NamespaceFilesOptions {
  readonly fileSystem: FileSystem;
  readonly directory: string;
  /** Shared by all namespaces of the directory. */
  readonly names: NamespaceNames;
  readonly trash: Trash;
  readonly maxLogFileBytes: number;
  readonly openLogs: OpenLogs;
  readonly lock: DirectoryLock;
  /** The epoch of the open directory: see `FileStore.epoch`. */
  readonly epoch: number;
  readonly onBackgroundError: BackgroundListener;
  /**
   * Called with whether this object must be retained: it may have open files, or a drop is in
   * doubt.
   */
  readonly onNeeded: (isNeeded: boolean) => void;
}

/**
 * One namespace of an open directory: without content, or an incarnation that is loaded on first
 * access.
 */
export class NamespaceFiles {
  readonly #name: string;
  readonly #options: NamespaceFilesOptions;
  readonly #background: BackgroundWork;
  #loading: Promise<void> | undefined;
  #incarnation: Incarnation | undefined;
  /** Whether the namespace was dropped but may reappear after a power cut. */
  #isDropInDoubt = false;
  /**
   * Where drops in doubt have moved the directory, in the trash. It stays intact until they are
   * settled.
   */
  readonly #unsettled: string[] = [];
  /** Set while the incarnation is being created or dropped; never rejects. */
  #change: Promise<void> | undefined;
  /** Number of calls in progress. */
  #calls = 0;
  /** Set while `close` waits for the last of them. */
  #onLastCall: (() => void) | undefined;

  constructor(name: string, options: NamespaceFilesOptions) {
    this.#name = name;
    this.#options = options;
    this.#background = new BackgroundWork(options.directory, options.onBackgroundError);
  }

  head(): Promise<Head> {
    return this.#read(async (incarnation) => {
      if (this.#isDropInDoubt) await this.#settleDrop();
      if (!incarnation) return NO_HEAD;
      await incarnation.log.settle();
      return incarnation.head.position > 0 ? incarnation.head : NO_HEAD;
    });
  }

  async append(expected: Head, records: readonly LogRecord[]): Promise<Head> {
    checkLogRecords(records);
    return this.#append(expected, records).catch((error: unknown) => {
      // The log itself checks the lock before it writes and before it acknowledges.
      if (!(error instanceof WorldsError && error.code === 'IN_DOUBT')) this.#options.lock.check();
      throw error;
    });
  }

  #append(expected: Head, records: readonly LogRecord[]): Promise<Head> {
    return this.#with((incarnation) => {
      if (!sameHead(expected, NO_HEAD)) {
        if (!incarnation || incarnation.log.nextPosition === 0)
          throw storageErrors.conflict(this.#name, expected, NO_HEAD);
        return incarnation.append(expected, records);
      }
      if (!incarnation) return this.#begin(records);
      // An incarnation without records was never visible to callers: its creation was interrupted.
      return incarnation.append(incarnation.at(0), records);
    });
  }

  async #begin(records: readonly LogRecord[]): Promise<Head> {
    let appending: Promise<Head> | undefined;
    await this.#changing(async () => {
      try {
        const made = await telling('Creating a namespace', this.#options.directory, () => this.#make());
        this.#become(made);
        appending = made.append(made.at(0), records);
      } catch (error) {
        this.#loading = undefined; // The next call reads the actual state.
        throw error;
      }
    });
    return appending!;
  }

  async *read(after: Head, check: () => void, signal: AbortSignal | undefined): AsyncGenerator<StoredRecord> {
    const incarnation = await this.#read((now) => now);
    if (incarnation) {
      const from = samePlace(after, NO_HEAD) ? incarnation.at(0) : after;
      try {
        yield* incarnation.read(from, check, signal);
      } catch (error) {
        this.#options.lock.check(); // The files may be missing because the next holder moved them.
        throw error;
      }
    } else if (!samePlace(after, NO_HEAD)) {
      throw storageErrors.truncated(this.#name, after, NO_HEAD, NO_HEAD);
    }
  }

  checkpoint(check: () => void): Promise<Checkpoint | undefined> {
    const { lock } = this.#options;
    return this.#read((incarnation) => {
      const found = incarnation?.checkpoint(check);
      if (!found) return undefined;
      const segments = found.segments.map((segment): StoredSegment => {
        return { ...segment, read: () => whileHeld(lock, () => segment.read()) };
      });
      return { ...found, segments };
    });
  }

  writeCheckpoint(
    at: Head,
    segments: AsyncIterable<Segment> | Iterable<Segment>,
    confirm: ConfirmHead | undefined,
    check: () => void,
  ): Promise<void> {
    return this.#write((incarnation) => {
      if (!incarnation || at.incarnation === '') throw storageErrors.otherIncarnation(this.#name);
      return incarnation.writeCheckpoint(at, segments, confirm, check);
    });
  }

  truncate(upTo: Head): Promise<void> {
    return this.#write((incarnation) => {
      if (incarnation) return incarnation.truncate(upTo);
      if (upTo.incarnation !== '') throw storageErrors.otherIncarnation(this.#name);
      return undefined;
    });
  }

  stats(): Promise<NamespaceStorageStats> {
    return this.#read(
      (incarnation) => incarnation?.stats() ?? { logBytes: 0, logRecords: 0, segmentBytes: 0, segments: 0 },
    );
  }

  /** The location of its files, for work on files that cannot be loaded. */
  get options(): NamespaceFilesOptions {
    return this.#options;
  }

  /** Runs work that changes the files while nothing has them open. They are reloaded afterwards. */
  withFilesAlone<T>(work: () => Promise<T>): Promise<T> {
    return this.#counted(() => this.#withFilesAlone(work));
  }

  async #withFilesAlone<T>(work: () => Promise<T>): Promise<T> {
    // Damage may prevent loading. Nothing else may start between the last check and the change.
    for (;;) {
      const seen = this.#loading;
      await seen?.catch(() => undefined); // The call that started it received the error.
      await this.#change;
      if (!this.#change && (this.#loading === seen || !this.#loading)) break;
    }
    let done: { readonly result: T } | undefined;
    await this.#changing(async () => {
      this.#loading = Promise.resolve(); // Prevents loading what is being changed.
      try {
        await this.#incarnation?.leave(storageErrors.rebuilt(this.#name));
        done = { result: await work() };
      } finally {
        // Whatever failed, the files determine the actual state.
        this.#become(undefined);
        this.#loading = undefined;
      }
    });
    return done!.result;
  }

  drop(expected?: Head): Promise<void> {
    const { trash } = this.#options;
    const removed = trash.newPath();
    return this.#counted(async () => {
      const isDropped = await this.#write(async (incarnation) => {
        if (expected) this.#requireHead(expected, incarnation);
        if (!incarnation && !this.#isDropInDoubt) return false;
        await this.#changing(() => this.#drop(incarnation, removed));
        return true;
      });
      if (isDropped) await trash.remove(removed);
    });
  }

  /** Throws CONFLICT if the head is another one, or an append is under way. */
  #requireHead(expected: Head, incarnation: Incarnation | undefined): void {
    const next = incarnation?.log.nextPosition ?? 0;
    const head = incarnation && next > 0 ? incarnation.at(next) : NO_HEAD;
    if (!sameHead(expected, head)) throw storageErrors.conflict(this.#name, expected, head);
  }

  /** Drops the namespace: one rename, made durable. */
  async #drop(incarnation: Incarnation | undefined, removed: string): Promise<void> {
    const { names, directory } = this.#options;
    try {
      if (incarnation) {
        await incarnation.leave(storageErrors.otherIncarnation(this.#name));
        this.#isDropInDoubt = true;
        await names.drop(directory, removed).catch((error: unknown) => {
          this.#isDropInDoubt = error instanceof UnknownOutcome;
          throw error;
        });
      }
      await this.#settleDrop();
    } catch (error) {
      if (!this.#isDropInDoubt) throw fileError(error, 'Dropping a namespace', directory);
      this.#unsettled.push(removed);
      throw this.#dropInDoubt(error);
    } finally {
      // Whatever failed, the files determine the actual state.
      this.#become(undefined);
      this.#loading = undefined;
    }
  }

  /** Makes a drop durable whose rename has happened. Throws IN_DOUBT. */
  async #settleDrop(): Promise<void> {
    try {
      await this.#options.names.sync();
    } catch (error) {
      throw this.#dropInDoubt(error);
    }
    await this.#dropSettled();
  }

  async #dropSettled(): Promise<void> {
    if (!this.#isDropInDoubt) return;
    this.#isDropInDoubt = false;
    this.#tellNeeded();
    for (const each of this.#unsettled.splice(0)) await this.#options.trash.remove(each);
  }

  #dropInDoubt(error: unknown): WorldsError {
    const cause = fileError(error, 'Dropping a namespace', this.#options.directory);
    if (cause.code === 'IN_DOUBT') return cause;
    const message = `${cause.message} It is unknown whether the namespace is deleted permanently. Drop it again when the disk works.`;
    return new WorldsError('IN_DOUBT', message, { cause });
  }

  /**
   * Resolves when no call is in progress and no file is open. The caller must prevent further
   * calls: work after the release of the lock could affect the files of the next holder.
   */
  async close(): Promise<void> {
    while (this.#calls > 0) {
      await new Promise<void>((resolve) => {
        this.#onLastCall = resolve;
      });
    }
    if (!this.#loading) return;
    await this.#settled().catch(() => undefined); // The original caller received the error.
    await this.#incarnation?.close();
  }

  /**
   * Resolves when the state is loaded. Callers must check `#change` afterwards, since other callers
   * may have started one.
   */
  async #settled(): Promise<void> {
    this.#loading ??= telling('Opening a namespace', this.#options.directory, () => this.#load()).catch((error) => {
      this.#loading = undefined; // The next call tries again.
      throw error;
    });
    // Always awaited, so that appends keep the order of their calls.
    await this.#loading;
    await this.#change;
  }

  /**
   * Calls `use` with the incarnation while it is not being created or dropped, and prevents both
   * from starting before `use` does.
   */
  async #with<T>(use: (incarnation: Incarnation | undefined) => T): Promise<Awaited<T>> {
    this.#calls++;
    try {
      do await this.#settled();
      while (this.#change || !this.#loading);
      return await use(this.#incarnation);
    } finally {
      this.#callEnded();
    }
  }

  /** Runs a call that `close` waits for, as for those of `#with`. */
  async #counted<T>(call: () => Promise<T>): Promise<T> {
    this.#calls++;
    try {
      return await call();
    } finally {
      this.#callEnded();
    }
  }

  #callEnded(): void {
    if (--this.#calls === 0) this.#onLastCall?.();
  }

  /**
   * Like `#with`, but throws CONFLICT instead of its error once another process has moved the files
   * away.
   */
  #read<T>(use: (incarnation: Incarnation | undefined) => T): Promise<Awaited<T>> {
    return whileHeld(this.#options.lock, () => this.#with(use));
  }

  /**
   * Like `#with`, but throws CONFLICT, whatever the outcome, once another process has the
   * directory.
   */
  #write<T>(use: (incarnation: Incarnation | undefined) => T): Promise<Awaited<T>> {
    return acknowledged(this.#options.lock, () => this.#with(use));
  }

  async #changing(work: () => Promise<void>): Promise<void> {
    const done = work();
    const change = done.then(
      () => undefined,
      () => undefined,
    );
    this.#change = change;
    await change;
    this.#change = undefined;
    await done;
  }

  #become(incarnation: Incarnation | undefined): void {
    this.#incarnation = incarnation;
    this.#tellNeeded();
  }

  #tellNeeded(): void {
    this.#options.onNeeded(this.#incarnation !== undefined || this.#isDropInDoubt);
  }

  async #load(): Promise<void> {
    const { fileSystem, directory, epoch, lock } = this.#options;
    const found = await readManifest(fileSystem, directory);
    if (!found) {
      await checkLeftOver(fileSystem, directory);
      return lock.check(); // Otherwise it may be missing because the next holder has it.
    }
    if (found.namespace !== this.#name) throw foreignManifest(directory, found);
    const isFenced = (found.epoch ?? 0) >= epoch;
    if (!isFenced) {
      // A superseded holder may have the last file open and truncate it even now. The copy cannot
      // be affected.
      const { files } = await recoverLog(fileSystem, directory, found, { isReadOnly: true });
      await detachFile(fileSystem, directory, files.at(-1)!.path);
    }
    const log = await recoverLog(fileSystem, directory, found);
    const manifest = { ...found, epoch, logFile: log.files[0].base };
    if (!isFenced) await writeManifest(fileSystem, directory, manifest);
    this.#become(this.#opened(manifest, log));
  }

  /**
   * Creates the files of a new incarnation. Its manifest is durable before its first record is
   * written, so that no record ever exists without one.
   */
  async #make(): Promise<Incarnation> {
    const { fileSystem, directory, names, epoch } = this.#options;
    await names.make(directory);
    // Making the new name durable also makes the end of the old one durable.
    await this.#dropSettled();
    const manifest: Manifest = {
      namespace: this.#name,
      incarnation: randomBytes(16).toString('hex'),
      epoch,
      logStart: 0,
      logFile: 0,
      durable: 0,
      checkpoints: [],
    };
    const end = { position: 0, offset: LOG_HEADER_BYTES, chain: 0 };
    const file = await makeLogFile(fileSystem, directory, manifest, end, 0);
    await writeManifest(fileSystem, directory, manifest);
    return this.#opened(manifest, {
      ...{ files: [file], abandoned: [], end },
      lastFrame: undefined,
      lastFileBytes: LOG_HEADER_BYTES,
    });
  }

  #opened(manifest: Manifest, recovered: RecoveredLog): Incarnation {
    const { fileSystem, directory, maxLogFileBytes, openLogs, lock } = this.#options;
    const checkLock = (): void => lock.check();
    const log = new LogAppender(recovered, {
      ...{
        fileSystem,
        directory,
        identity: manifest,
        maxLogFileBytes,
        openLogs,
        checkLock,
        background: this.#background,
      },
    });
    return new Incarnation({ fileSystem, directory, background: this.#background }, manifest, log);
  }
}
