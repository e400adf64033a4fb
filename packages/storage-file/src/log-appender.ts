import { WorldsError } from '@rdf-worlds/core';
import type { LogRecord } from '@rdf-worlds/core/plugin';
import type { BackgroundWork } from './background-work.ts';
import { fileError, inDoubt } from './file-errors.ts';
import { discard, type FileSystem, hasCode, type OpenFile } from './file-system.ts';
import { FrameReader } from './frame-reader.ts';
import { FrameWriter, framedBytes, type LogEnd, sealFrame } from './frame-writer.ts';
import { LOG_HEADER_BYTES, logPath } from './log-file-header.ts';
import { addMark, type LogFile, makeLogFile, openLogFile } from './log-files.ts';
import type { RecoveredLog } from './log-recovery.ts';
import type { LogPlace } from './manifest.ts';
import type { NamespaceIdentity } from './namespace-identity.ts';
import type { OpenLog, OpenLogs } from './open-logs.ts';

const ROTATION = 'Starting a new log file';

const notCut = (path: string): string =>
  `${path} could not be truncated after the preceding commit. Reading continues; the next write tries again, and reopening the storage settles it`;

/** Maximum bytes per write and sync, unless a single append is larger. */
const MAX_BATCH_BYTES = 4 * 2 ** 20;

/**
 * Size of the zeros reserved after the log, so that most syncs need not make a new file length
 * durable.
 */
const MIN_SPARE_BYTES = 16 * 1024;
const MAX_SPARE_BYTES = 2 ** 20;

interface PendingAppend {
  readonly records: readonly LogRecord[];
  readonly bytes: number;
  resolve(): void;
  reject(error: WorldsError): void;
}

export interface LogAppenderOptions {
  readonly fileSystem: FileSystem;
  readonly directory: string;
  readonly identity: NamespaceIdentity;
  readonly maxLogFileBytes: number;
  readonly openLogs: OpenLogs;
  /** Throws CONFLICT once another process has taken the storage over. */
  readonly checkLock: () => void;
  readonly background: BackgroundWork;
}

/**
 * The single writer of a log. Uses group commit: appends that arrive while others are being made
 * durable become durable together, in one write and one sync.
 *
 * After a failed write or sync, the file is truncated after the last durable record, and the
 * truncation is synced: the appends of the batch have then certainly left nothing. If that fails
 * too, their outcome is IN_DOUBT, and the next append retries the truncation before it writes
 * anything.
 */
export class LogAppender implements OpenLog {
  readonly files: LogFile[];
  /** The place after the last durable record. */
  end: LogEnd;
  /** The position of the log once all pending appends are durable. */
  nextPosition: number;
  /** Why appends are rejected. Reading continues. */
  failure: WorldsError | undefined;

  readonly #options: LogAppenderOptions;
  #open: OpenFile | undefined;
  /** The length of the last file. The bytes after `end` are zeros, unless `#hasTail`. */
  #fileBytes: number;
  /** Whether frames that do not belong to the log may follow `end`. */
  #hasTail: boolean;
  /** Whether appends rejected as IN_DOUBT may follow `end`. */
  #hasDoubt = false;
  /** Whether frames of the current batch may be in the file. */
  #isBatchWritten = false;
  /** Files that a rotation created, or may have created, and did not use. */
  readonly #abandoned: Set<string>;
  /** After a failed rotation, the file takes appends until it has this length. */
  #rotationOffset: number;
  #queue: PendingAppend[] = [];
  /** File operations that must not overlap with appends. */
  #jobs: (() => Promise<void>)[] = [];
  #running: Promise<void> | undefined;

  constructor(log: RecoveredLog, options: LogAppenderOptions) {
    this.files = log.files;
    this.end = log.end;
    this.nextPosition = log.end.position;
    this.#options = options;
    this.#fileBytes = log.lastFileBytes;
    this.#hasTail = log.lastFileBytes > log.end.offset;
    this.#abandoned = new Set(log.abandoned);
    this.#rotationOffset = options.maxLogFileBytes;
  }

  /** The registry of logs with an open file. */
  get openLogs(): OpenLogs {
    return this.#options.openLogs;
  }

  get isIdle(): boolean {
    return this.#running === undefined;
  }

  /** Appends records. Resolves to the position after them once they are durable. */
  append(records: readonly LogRecord[]): Promise<number> {
    if (this.failure) return Promise.reject(this.failure);
    this.nextPosition += records.length;
    const position = this.nextPosition;
    return new Promise((resolve, reject) => {
      this.#queue.push({ records, bytes: framedBytes(records), resolve: () => resolve(position), reject });
      this.#start();
    });
  }

  /**
   * Returns a place at or before a position from which the log can be read; undefined if only the
   * start of a file is known.
   */
  placeBefore(position: number): LogPlace | undefined {
    const { base } = this.files.at(-1)!;
    if (this.end.position === position) return { base, ...this.end };
    const file = this.files.findLast((each) => each.base <= position);
    const mark = file?.marks.findLast((each) => each.position <= position);
    return mark && { base: file!.base, ...mark };
  }

  /**
   * Starts a new file, so that the current one can be removed. Returns false if that was not
   * possible.
   */
  rotate(): Promise<boolean> {
    return this.#exclusive(() => this.#rotate());
  }

  /** Resolves when the batch being written has ended. */
  batchEnd(): Promise<void> {
    return this.#exclusive(async () => undefined);
  }

  /**
   * Settles appends whose outcome is unknown by truncating them. Throws IN_DOUBT if that is not
   * possible now.
   */
  async settle(): Promise<void> {
    if (!this.#hasDoubt) return;
    await this.#exclusive(async () => {
      if (!this.#hasDoubt || this.failure) return;
      this.#options.checkLock();
      await this.#writableFile();
    }).catch((error: unknown) => {
      const { path } = this.files.at(-1)!;
      throw inDoubt(fileError(error, 'Settling a failed append', path), notCut(path));
    });
    if (this.#hasDoubt) throw inDoubt(this.failure!, notCut(this.files.at(-1)!.path));
  }

  /** Resolves when no work is pending. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  /** Rejects waiting and all further appends. */
  stop(reason: WorldsError): void {
    this.failure = reason;
    for (const waiting of this.#queue.splice(0)) waiting.reject(reason);
  }

  /** Closes the file until the next append. */
  releaseFile(): Promise<void> {
    return this.#exclusive(() => this.#closeFile());
  }

  /** Releases the reserved space after the log, if possible, and closes the file. */
  finish(): Promise<void> {
    return this.#exclusive(async () => {
      const open = this.failure ? undefined : this.#open;
      try {
        if (open && this.#hasTail) await this.#cut();
        else if (open && this.#fileBytes > this.end.offset) await open.truncate(this.end.offset);
      } catch (error) {
        this.#options.background.failed('Closing the log', error);
      }
      await this.#closeFile();
    });
  }

  #exclusive<T>(job: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#jobs.push(() => job().then(resolve, reject));
      this.#start();
    });
  }

  #start(): void {
    this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    for (;;) {
      const job = this.#jobs.shift();
      if (job) {
        await job();
        continue;
      }
      const batch = this.#takeBatch();
      if (batch.length === 0) {
        this.#running = undefined;
        this.#options.openLogs.idle();
        return;
      }
      try {
        await this.#write(batch);
      } catch (error) {
        await this.#fail(batch, error);
        continue;
      }
      for (const append of batch) append.resolve();
      // Writers of one batch mostly append again at the same time; waiting one turn puts them into
      // one batch again.
      if (batch.length > 1) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #takeBatch(): PendingAppend[] {
    let bytes = 0;
    let count = 0;
    while (count < this.#queue.length && (count === 0 || bytes + this.#queue[count].bytes <= MAX_BATCH_BYTES))
      bytes += this.#queue[count++].bytes;
    return this.#queue.splice(0, count);
  }

  async #write(batch: readonly PendingAppend[]): Promise<void> {
    this.#isBatchWritten = false;
    this.#options.checkLock();
    if (this.end.offset >= this.#rotationOffset) await this.#rotate();
    const open = await this.#writableFile();
    const bytes = batch.reduce((sum, append) => sum + append.bytes, 0);
    const needed = this.end.offset + bytes;
    const spare = needed > this.#fileBytes ? Math.min(MAX_SPARE_BYTES, Math.max(MIN_SPARE_BYTES, needed)) : 0;
    this.#hasTail = true;
    this.#isBatchWritten = true;
    const end = await this.#writeFrames(open, batch, bytes, spare).catch((error: unknown) => {
      // The records may fit even if the reserve does not.
      if (spare > 0 && hasCode(error, 'ENOSPC', 'EDQUOT')) return this.#writeFrames(open, batch, bytes, 0);
      throw error;
    });
    await open.sync();
    // A process that takes the storage over after this check finds these records; one that did so
    // before may not.
    this.#options.checkLock();
    this.#hasTail = false;
    this.end = end;
    addMark(this.files.at(-1)!, end);
  }

  async #writeFrames(
    open: OpenFile,
    batch: readonly PendingAppend[],
    bytes: number,
    spareBytes: number,
  ): Promise<LogEnd> {
    const writer = new FrameWriter(this.files.at(-1)!.header!.salt, this.end, bytes, spareBytes);
    let { offset } = this.end;
    for (const piece of writer.pieces(batch.map(({ records }) => records))) {
      // Set first: a failed write may have written a part, which must be truncated.
      this.#fileBytes = Math.max(this.#fileBytes, offset + piece.byteLength);
      await open.write(piece, offset);
      offset += piece.byteLength;
    }
    return writer.end;
  }

  /** Rejects a failed batch and the appends queued after it, which depend on it. */
  async #fail(batch: readonly PendingAppend[], error: unknown): Promise<void> {
    const { path } = this.files.at(-1)!;
    let reason = fileError(error, 'Writing the log', path);
    const settled = this.#isBatchWritten ? await this.#withdraw() : 'absent';
    if (settled !== 'absent') this.#hasDoubt = true;
    if (settled === 'not cut') reason = inDoubt(reason, notCut(path));
    if (settled === 'superseded') reason = inDoubt(reason, 'the new owner of the storage may or may not have read it');
    this.failure = this.#lockLoss ?? this.failure;
    this.nextPosition = this.end.position;
    for (const append of batch) append.reject(reason);
    const behind =
      this.failure ??
      new WorldsError('CONFLICT', `The preceding append failed, so the head has changed: ${reason.message}`, {
        cause: reason,
      });
    for (const append of this.#queue.splice(0)) append.reject(behind);
  }

  /**
   * Returns whether a complete append follows the end, or may follow. A partially written one never
   * counts.
   */
  async #hasAppendBehindEnd(): Promise<boolean> {
    const { salt } = this.files.at(-1)!.header!;
    try {
      const reader = new FrameReader(this.#open!, salt, this.end, await this.#open!.size());
      for (let frame = await reader.next(); frame; frame = await reader.next()) if (frame.isCommit) return true;
      return false;
    } catch {
      return true; // The caller reports the original failure.
    }
  }

  /**
   * Removes a failed batch from the file. Returns whether it certainly left nothing, or why that is
   * unknown.
   */
  async #withdraw(): Promise<'absent' | 'not cut' | 'superseded'> {
    // Checked first: a batch truncated here may still be present after a power cut.
    const isWhole = await this.#hasAppendBehindEnd();
    try {
      // A new owner may have read the batch, and its file must not be truncated.
      this.#options.checkLock();
      await this.#cut();
      return 'absent';
    } catch {
      // The caller reports the original failure.
      if (this.#lockLoss) return 'superseded';
      return isWhole ? 'not cut' : 'absent';
    }
  }

  /**
   * The CONFLICT error if another process has the storage. A lock that cannot be checked does not
   * count as lost.
   */
  get #lockLoss(): WorldsError | undefined {
    try {
      this.#options.checkLock();
      return undefined;
    } catch (error) {
      return error instanceof WorldsError && error.code === 'CONFLICT' ? error : undefined;
    }
  }

  /**
   * Truncates the file after the last durable record, durably. Throws CONFLICT if another process
   * has taken the storage over, since it may have read the truncated part.
   */
  async #cut(): Promise<void> {
    const open = this.#open!;
    await open.truncate(this.end.offset);
    await open.sync();
    this.#options.checkLock();
    this.#fileBytes = this.end.offset;
    this.#hasTail = false;
    this.#hasDoubt = false;
  }

  /** Returns the last file, open, with nothing after its last record. */
  async #writableFile(): Promise<OpenFile> {
    const { fileSystem, openLogs } = this.#options;
    if (!this.#open) {
      await openLogs.acquire(this);
      const { path } = this.files.at(-1)!;
      this.#open = await openLogFile(fileSystem, path, 'write').catch((error: unknown) => {
        openLogs.closed(this);
        throw error;
      });
    }
    if (this.#hasTail) await this.#cut();
    return this.#open;
  }

  async #closeFile(): Promise<void> {
    const open = this.#open;
    if (!open) return;
    this.#open = undefined;
    await discard(open);
    this.#options.openLogs.closed(this);
  }

  /**
   * Continues the log in a new file. The switch is atomic: the seal at the end of the current file,
   * written once the new one is durable. If anything fails before that, the current file continues
   * and recovery ignores the new one. Throws if it is unknown whether the seal is durable.
   */
  async #rotate(): Promise<boolean> {
    if (this.failure) throw this.failure;
    if (this.end.offset === LOG_HEADER_BYTES) return true;
    const { fileSystem, directory, identity, maxLogFileBytes } = this.#options;
    const open = await this.#writableFile();
    const { end } = this;
    let file: LogFile;
    try {
      await this.#removeAbandoned();
      this.#abandoned.add(logPath(directory, end.position));
      file = await makeLogFile(fileSystem, directory, identity, end, end.offset);
    } catch (error) {
      this.#rotationOffset = end.offset + maxLogFileBytes;
      this.#options.background.failed(ROTATION, error);
      return false;
    }
    const seal = sealFrame(this.files.at(-1)!.header!.salt, end);
    try {
      this.#hasTail = true;
      this.#fileBytes = Math.max(this.#fileBytes, end.offset + seal.byteLength);
      await open.write(seal, end.offset);
      await open.sync();
    } catch (error) {
      // Otherwise the log might continue in either file, so nothing may be appended.
      await this.#cut();
      this.#rotationOffset = end.offset + maxLogFileBytes;
      this.#options.background.failed(ROTATION, error);
      return false;
    }
    this.#options.background.succeeded(ROTATION);
    this.#abandoned.delete(file.path);
    this.files.push(file);
    this.end = { ...end, offset: LOG_HEADER_BYTES };
    this.#hasTail = false;
    this.#rotationOffset = maxLogFileBytes;
    // Releases reserved space that is no longer needed; it would otherwise be freed with the file.
    await open.truncate(end.offset + seal.byteLength).catch(() => undefined);
    this.#fileBytes = LOG_HEADER_BYTES;
    await this.#closeFile();
    return true;
  }

  /** Removes the files of abandoned rotations. The next rotation makes the removal durable. */
  async #removeAbandoned(): Promise<void> {
    for (const path of this.#abandoned) {
      await this.#options.fileSystem.unlink(path).catch((error: unknown) => {
        if (!hasCode(error, 'ENOENT')) throw error;
      });
      this.#abandoned.delete(path);
    }
  }
}
