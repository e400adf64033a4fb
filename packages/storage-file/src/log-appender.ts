import { type LogRecord, WorldsError } from '@rdf-worlds/core';
import { fileError } from './file-errors.ts';
import { type FileSystem, hasCode, type OpenFile } from './file-system.ts';
import { FrameWriter, framedBytes, type LogEnd } from './frame-writer.ts';
import { LOG_HEADER_BYTES } from './log-file-header.ts';
import { addMark, type LogFile, makeLogFile, openLogFile } from './log-files.ts';
import type { RecoveredLog } from './log-recovery.ts';
import { SyncFailure } from './sync-failure.ts';

/** So much goes into one write and sync at most, unless one append is larger. */
const MAX_BATCH_BYTES = 4 * 2 ** 20;

/** Zeros behind the log, so that most syncs have no new length of the file to make durable. */
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
  readonly incarnation: string;
  readonly maxLogFileBytes: number;
  /** Called when the appender opens its file, which it keeps open until `releaseFile`. */
  readonly onOpen: () => void;
}

/** The one writer of a log. Appends that come while others are being made durable become so together, in one write and one sync. */
export class LogAppender {
  readonly files: LogFile[];
  /** Behind the last record that is durable. */
  end: LogEnd;
  /** The position that the log will have when all appends under way are durable. */
  nextPosition: number;
  /** Why nothing is appended any more. Reading goes on. */
  failure: WorldsError | undefined;

  readonly #options: LogAppenderOptions;
  #open: OpenFile | undefined;
  /** How long the last file is. What is behind `end` is zeros, unless `#hasTail`. */
  #fileBytes: number;
  #hasTail: boolean;
  #queue: PendingAppend[] = [];
  /** Work on files that no append may meet. */
  #jobs: (() => Promise<void>)[] = [];
  #running: Promise<void> | undefined;

  constructor(log: RecoveredLog, options: LogAppenderOptions) {
    this.files = log.files;
    this.end = log.end;
    this.nextPosition = log.end.position;
    this.#options = options;
    this.#fileBytes = log.lastFileBytes;
    this.#hasTail = log.lastFileBytes > log.end.offset;
  }

  get isIdle(): boolean {
    return this.#running === undefined;
  }

  /** Resolves when the records are durable, to the position behind them. */
  append(records: readonly LogRecord[]): Promise<number> {
    if (this.failure) return Promise.reject(this.failure);
    this.nextPosition += records.length;
    const position = this.nextPosition;
    return new Promise((resolve, reject) => {
      this.#queue.push({ records, bytes: framedBytes(records), resolve: () => resolve(position), reject });
      this.#start();
    });
  }

  /** Begins another file, so that the present one holds nothing that comes. */
  rotate(): Promise<void> {
    return this.#exclusive(() => this.#rotate());
  }

  /** Resolves when the batch that is being written has come to its end. */
  batchEnd(): Promise<void> {
    return this.#exclusive(async () => undefined);
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  /** Refuses what waits to be written, and all that comes. */
  stop(reason: WorldsError): void {
    this.failure = reason;
    for (const waiting of this.#queue.splice(0)) waiting.reject(reason);
  }

  /** Closes the file until the next append. Only when idle. */
  releaseFile(): Promise<void> {
    return this.#exclusive(() => this.#closeFile());
  }

  /** Gives back the zeros behind the log, and closes the file. */
  finish(): Promise<void> {
    return this.#exclusive(async () => {
      if (this.#open && !this.failure && this.#fileBytes > this.end.offset) await this.#open.truncate(this.end.offset);
      await this.#closeFile();
    });
  }

  #exclusive(job: () => Promise<void>): Promise<void> {
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
        return;
      }
      try {
        await this.#write(batch);
      } catch (error) {
        await this.#fail(batch, error);
        continue;
      }
      for (const append of batch) append.resolve();
      // Those who wrote together mostly go on together: their next appends are one batch again, if it waits for them.
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
    if (this.end.offset >= this.#options.maxLogFileBytes) await this.#rotate();
    const open = await this.#openFile();
    const bytes = batch.reduce((sum, append) => sum + append.bytes, 0);
    const needed = this.end.offset + bytes;
    const spare = needed > this.#fileBytes ? Math.min(MAX_SPARE_BYTES, Math.max(MIN_SPARE_BYTES, needed)) : 0;
    const end = await this.#writeFrames(open, batch, bytes, spare).catch((error: unknown) => {
      // Perhaps there is space for the records, and only for the zeros none.
      if (spare > 0 && hasCode(error, 'ENOSPC', 'EDQUOT')) return this.#writeFrames(open, batch, bytes, 0);
      throw error;
    });
    await open.sync().catch((error: unknown) => {
      throw new SyncFailure(error);
    });
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
      // Before it is known how much was written: what there is of it is to be cut off when it fails.
      this.#fileBytes = Math.max(this.#fileBytes, offset + piece.byteLength);
      await open.write(piece, offset);
      offset += piece.byteLength;
    }
    return writer.end;
  }

  /** After a batch that was not written, or may not be durable. Those behind it counted on it. */
  async #fail(batch: readonly PendingAppend[], error: unknown): Promise<void> {
    const { path } = this.files.at(-1)!;
    let reason: WorldsError;
    if (error instanceof SyncFailure) {
      reason = fileError(error.cause, 'Making the log durable', path);
      this.failure = this.#refusal('what is durable of its end is unknown', reason);
    } else {
      reason = fileError(error, 'Writing the log', path);
      await this.#cut().catch((cause: unknown) => {
        this.failure = this.#refusal('what was left of a failed append could not be cut off', cause);
      });
    }
    this.nextPosition = this.end.position;
    for (const append of batch) append.reject(reason);
    const behind =
      this.failure ??
      new WorldsError('CONFLICT', `The append before failed, so that the head is another: ${reason.message}`, {
        cause: reason,
      });
    for (const append of this.#queue.splice(0)) append.reject(behind);
  }

  #refusal(why: string, cause: unknown): WorldsError {
    return new WorldsError(
      'INTERNAL',
      `The log in ${this.#options.directory} takes no more appends, for ${why}. Reading goes on. See that the disk is in order, then close the storage and open it again.`,
      { cause },
    );
  }

  async #cut(): Promise<void> {
    if (!this.#open) return; // It failed before anything was written.
    await this.#open.truncate(this.end.offset);
    this.#fileBytes = this.end.offset;
  }

  async #openFile(): Promise<OpenFile> {
    if (!this.#open) {
      const { path } = this.files.at(-1)!;
      this.#open = await openLogFile(this.#options.fileSystem, path, 'write');
      this.#options.onOpen();
    }
    if (this.#hasTail) {
      await this.#cut();
      this.#hasTail = false;
    }
    return this.#open;
  }

  async #closeFile(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    await open?.close();
  }

  async #rotate(): Promise<void> {
    if (this.failure) throw this.failure;
    if (this.end.offset === LOG_HEADER_BYTES) return;
    const { fileSystem, directory, incarnation } = this.#options;
    const file = await makeLogFile(fileSystem, directory, incarnation, this.end).catch((error: unknown) => {
      if (!(error instanceof SyncFailure)) throw error;
      // Where the log goes on, in this file or in the next, is then another thing after a crash.
      throw (this.failure = this.#refusal('it is unknown whether its next file is durable', error.cause));
    });
    if (this.#open && this.#fileBytes > this.end.offset) await this.#open.truncate(this.end.offset);
    await this.#closeFile();
    this.files.push(file);
    this.end = { ...this.end, offset: LOG_HEADER_BYTES };
    this.#fileBytes = LOG_HEADER_BYTES;
    this.#hasTail = false;
  }
}
