import { basename, join } from 'node:path';
import type { WorldsError } from '@rdf-worlds/core';
import {
  type Checkpoint,
  type ConfirmHead,
  checkSegmentName,
  type Head,
  type LogRecord,
  type NamespaceStorageStats,
  publishConfirmed,
  type Segment,
  type StoredRecord,
  type StoredSegment,
  sameHead,
  storageErrors,
  throwIfAborted,
} from '@rdf-worlds/core/plugin';
import type { BackgroundWork } from './background-work.ts';
import { fileError, telling } from './file-errors.ts';
import { codeOf, type FileSystem, hasCode } from './file-system.ts';
import { headAt } from './head-at.ts';
import type { LogAppender } from './log-appender.ts';
import { baseOfLogName } from './log-file-header.ts';
import type { LogFile } from './log-files.ts';
import { readLog } from './log-reading.ts';
import { type Manifest, type ManifestCheckpoint, type ManifestSegment, writeManifest } from './manifest.ts';
import { Mutex } from './mutex.ts';
import { numberOfSegmentName, readSegment, segmentFileBytes, segmentPath, writeSegment } from './segment-file.ts';
import { UnknownOutcome } from './unknown-outcome.ts';

/** Thrown by a change of the manifest that was prepared for another head. */
const MOVED = new Error('The head has moved.');
const REMOVAL = 'Removing a file that is no longer needed';

export interface IncarnationOptions {
  readonly fileSystem: FileSystem;
  readonly directory: string;
  readonly background: BackgroundWork;
}

/**
 * The files of a namespace, from its first append until it is dropped.
 *
 * A published manifest is never undone. If it is unknown whether a manifest was published, the
 * files of both manifests are kept until the next one is published. Files that no manifest needs
 * are removed when possible; a failed removal is retried later and fails no call.
 */
export class Incarnation {
  readonly name: string;
  readonly log: LogAppender;
  isDropped = false;

  readonly #fileSystem: FileSystem;
  readonly #directory: string;
  readonly #background: BackgroundWork;
  #manifest: Manifest;
  /** Manifests that may be the durable one: writing them failed but may have happened. */
  #possible: Manifest[] = [];
  /** The highest number of a segment file. */
  #lastSegmentFile = 0;
  /** Whether the directory has been searched for files left by a crash. */
  #isTidy = false;
  /** Names of unneeded files that are still to be removed. */
  readonly #garbage = new Set<string>();
  /**
   * Serialises changes of names in the directory, except the log's own. None starts after the
   * namespace was dropped, because the directory may then belong to its successor.
   */
  readonly #fileChanges = new Mutex();
  readonly #checkpointWrites = new Mutex();
  /** File operations of the checkpoint being written. */
  #segmentWrites: Promise<unknown> = Promise.resolve();

  constructor({ fileSystem, directory, background }: IncarnationOptions, manifest: Manifest, log: LogAppender) {
    this.#fileSystem = fileSystem;
    this.#directory = directory;
    this.#background = background;
    this.#manifest = manifest;
    this.name = manifest.incarnation;
    this.log = log;
  }

  get head(): Head {
    return this.at(this.log.end.position);
  }

  async append(expected: Head, records: readonly LogRecord[]): Promise<Head> {
    if (this.isDropped) throw storageErrors.otherIncarnation(this.#manifest.namespace);
    if (this.log.failure) throw this.log.failure;
    if (!sameHead(expected, this.at(this.log.nextPosition))) {
      // If rejected immediately, a writer that rereads the head and retries would find the same
      // head and starve every other write.
      await this.log.batchEnd();
      throw storageErrors.conflict(this.#manifest.namespace, expected, this.head);
    }
    return this.at(await this.log.append(records));
  }

  /** `check` throws if the storage is not open. */
  async *read(after: Head, check: () => void, signal: AbortSignal | undefined): AsyncGenerator<StoredRecord> {
    const { head } = this;
    const checkAll = (position: number): void => {
      check();
      throwIfAborted(signal);
      const { namespace, logStart } = this.#manifest;
      if (this.isDropped || after.incarnation !== this.name || position < logStart || position > head.position)
        throw storageErrors.truncated(namespace, { ...after, position }, this.at(logStart), this.head);
    };
    checkAll(after.position);
    try {
      const files = [...this.log.files];
      const { openLogs } = this.log;
      yield* readLog(this.#fileSystem, files, this.#manifest, after.position, head.position, checkAll, openLogs);
    } catch (error) {
      throw fileError(error, 'Reading the log', this.#directory);
    }
  }

  /** `check` throws if the storage is not open. */
  checkpoint(check: () => void): Checkpoint | undefined {
    const [newest] = this.#manifest.checkpoints;
    if (!newest) return undefined;
    const segments = newest.segments.map((segment): StoredSegment => {
      const { name, byteLength } = segment;
      return { name, byteLength, read: () => this.#readSegment(segment, check) };
    });
    return { at: this.at(newest.position), segments };
  }

  writeCheckpoint(
    at: Head,
    segments: AsyncIterable<Segment> | Iterable<Segment>,
    confirm: ConfirmHead | undefined,
    checkOpen: () => void,
  ): Promise<void> {
    return this.#checkpointWrites.run(async () => {
      const check = (): void => {
        checkOpen();
        this.#checkCheckpointable(at);
      };
      check();
      const place = this.log.placeBefore(at.position);
      const written: ManifestSegment[] = [];
      try {
        await this.#tidy();
        const all = await this.#collect(segments, written, check);
        const checkpoint = { position: at.position, place, segments: all };
        const publish = (confirmed?: Head) => this.#publish(checkpoint, check, confirmed);
        if (confirm) await publishConfirmed(this.#manifest.namespace, confirm, publish);
        else await publish();
      } catch (error) {
        await this.#discardUnneeded(written);
        // Takes precedence over any error from the files being written.
        if (this.isDropped) throw storageErrors.otherIncarnation(this.#manifest.namespace);
        throw fileErrorOf(error, 'Writing a checkpoint', this.#directory);
      }
    });
  }

  async truncate(upTo: Head): Promise<void> {
    const { namespace, logStart, checkpoints } = this.#manifest;
    if (this.isDropped || upTo.incarnation !== this.name) throw storageErrors.otherIncarnation(namespace);
    if (upTo.position <= logStart) return;
    const [newest] = checkpoints;
    if (!newest || upTo.position > newest.position)
      throw storageErrors.notCheckpointed(namespace, upTo, newest && this.at(newest.position));
    await telling('Truncating the log', this.#directory, async () => {
      await this.#tidy();
      // If that fails, the current file is kept for longer.
      if (upTo.position === this.log.end.position) await this.log.rotate();
      await this.#writeManifest((now) => {
        const logStart = Math.max(now.logStart, upTo.position);
        return { ...now, logStart, logFile: this.log.files.findLast(({ base }) => base <= logStart)!.base };
      });
      await this.#removeForgotten();
    });
  }

  async stats(): Promise<NamespaceStorageStats> {
    const { files, end } = this.log;
    const older = await telling('Measuring the log', this.#directory, () =>
      Promise.all(files.slice(0, -1).map((file) => this.#sizeOf(file))),
    );
    const segments = this.#keptSegments();
    return {
      logBytes: older.reduce((sum, bytes) => sum + bytes, end.offset),
      logRecords: end.position - this.#manifest.logStart,
      segmentBytes: segments.reduce((sum, segment) => sum + segmentFileBytes(segment), 0),
      segments: segments.length,
    };
  }

  /** Returns the size of a log file; 0 if it was removed meanwhile. */
  async #sizeOf(file: LogFile): Promise<number> {
    try {
      return await this.#fileSystem.size(file.path);
    } catch (error) {
      if (hasCode(error, 'ENOENT') && (this.isDropped || !this.log.files.includes(file))) return 0;
      throw error;
    }
  }

  /** Rejects all further calls and resolves once no file is in use. */
  async leave(reason: WorldsError): Promise<void> {
    this.isDropped = true;
    this.log.stop(reason);
    await this.log.releaseFile();
    await this.#segmentWrites;
    await this.#fileChanges.run(async () => undefined);
  }

  /**
   * Closes the files; must be the last call. Records in the manifest what is durable, so that a log
   * truncated later is detected; the log is complete without that.
   */
  async close(): Promise<void> {
    await this.log.idle();
    await this.#checkpointWrites.run(async () => undefined);
    await this.log.finish();
    if (this.isDropped || this.log.failure) return;
    if (this.#manifest.durable === this.log.end.position && this.#possible.length === 0) return;
    await this.#writeManifest((now) => now).catch((error: unknown) => this.#background.failed('Closing', error));
  }

  at(position: number): Head {
    return headAt(this.#manifest, position);
  }

  #checkCheckpointable(at: Head): void {
    const { namespace, checkpoints } = this.#manifest;
    if (this.isDropped || at.incarnation !== this.name) throw storageErrors.otherIncarnation(namespace);
    if (at.position > this.log.end.position) throw storageErrors.beyondHead(namespace, at, this.head);
    if (at.generation !== this.head.generation) throw storageErrors.otherGeneration(namespace, at, this.head);
    const [newest] = checkpoints;
    if (newest && newest.position > at.position)
      throw storageErrors.olderCheckpoint(namespace, at, this.at(newest.position));
  }

  /** Writes the segments that are new and adds each to `written` as soon as it is written. */
  async #collect(
    segments: AsyncIterable<Segment> | Iterable<Segment>,
    written: ManifestSegment[],
    check: () => void,
  ): Promise<ManifestSegment[]> {
    const newest = new Map(this.#manifest.checkpoints[0]?.segments.map((segment) => [segment.name, segment]));
    const all = new Map<string, ManifestSegment>();
    for await (const segment of segments) {
      check();
      checkSegmentName(segment.name);
      if (all.has(segment.name)) throw storageErrors.segmentTwice(segment.name);
      const kept = newest.get(segment.name);
      all.set(segment.name, kept ?? (await this.#writeSegment(segment, written, check)));
      check();
    }
    check();
    return [...all.values()];
  }

  async #writeSegment(segment: Segment, written: ManifestSegment[], check: () => void): Promise<ManifestSegment> {
    const file = ++this.#lastSegmentFile;
    const at = written.push({ name: segment.name, file, byteLength: 0 }) - 1;
    const tracked = this.#tracked(this.#fileSystem);
    const stored = await writeSegment(tracked, this.#directory, { owner: this.#manifest, segment, file }, check);
    written[at] = stored;
    return stored;
  }

  /** Returns a file system whose opening of files is tracked, for `leave`. */
  #tracked(fileSystem: FileSystem): Pick<FileSystem, 'open'> {
    return {
      open: (path, mode) => {
        const opening = fileSystem.open(path, mode);
        this.#segmentWrites = opening.catch(() => undefined);
        return opening;
      },
    };
  }

  /**
   * Publishes a checkpoint. If it raises the generation, returns false, having changed nothing, if
   * the head is not `confirmed`.
   */
  async #publish(checkpoint: ManifestCheckpoint, check: () => void, confirmed?: Head): Promise<boolean> {
    await this.#fileSystem.syncDirectory(this.#directory);
    const before = this.#keptSegments();
    try {
      await this.#writeManifest((now) => {
        check();
        if (confirmed) this.#raiseGeneration(confirmed);
        const { generation } = this.#manifest;
        return { ...now, generation, checkpoints: [checkpoint, ...now.checkpoints.slice(0, 1)] };
      });
    } catch (error) {
      if (error === MOVED) return false;
      throw error;
    }
    await this.#discardUnneeded(before);
    return true;
  }

  /**
   * Raises the generation before the manifest is written, so that no append of the old one is
   * accepted meanwhile. If the manifest cannot be written, the generation stays raised, which only
   * makes the engines reload.
   */
  #raiseGeneration(confirmed: Head): void {
    if (!sameHead(confirmed, this.at(this.log.nextPosition))) throw MOVED;
    this.#manifest = { ...this.#manifest, generation: confirmed.generation + 1 };
  }

  /** Returns the segments of all checkpoints that may be needed, without duplicates. */
  #keptSegments(): ManifestSegment[] {
    const manifests = [this.#manifest, ...this.#possible];
    const all = manifests.flatMap(({ checkpoints }) => checkpoints.flatMap(({ segments }) => segments));
    return [...new Map(all.map((segment) => [segment.file, segment])).values()];
  }

  async #readSegment(segment: ManifestSegment, check: () => void): Promise<Uint8Array> {
    const checkKept = (): void => {
      check();
      if (this.isDropped || !this.#keptSegments().some(({ file }) => file === segment.file))
        throw storageErrors.segmentGone(this.#manifest.namespace, segment.name);
    };
    checkKept();
    try {
      return await readSegment(this.#fileSystem, this.#directory, this.#manifest, segment);
    } catch (error) {
      checkKept();
      throw fileError(error, 'Reading a segment', segmentPath(this.#directory, segment.file));
    }
  }

  /** Replaces the current manifest by a changed one. A change that throws has no effect. */
  #writeManifest(change: (now: Manifest) => Manifest): Promise<void> {
    return this.#fileChanges.run(async () => {
      if (this.isDropped) throw storageErrors.otherIncarnation(this.#manifest.namespace);
      const changed = { ...change(this.#manifest), durable: this.log.end.position };
      try {
        await writeManifest(this.#fileSystem, this.#directory, changed);
      } catch (error) {
        if (error instanceof UnknownOutcome) this.#possible.push(changed);
        throw error;
      }
      this.#manifest = changed;
      this.#possible = [];
    });
  }

  /**
   * Removes files left by a crash, which the manifest does not name, before anything else is
   * written.
   */
  #tidy(): Promise<void> {
    return this.#fileChanges.run(async () => {
      if (this.isDropped) throw storageErrors.otherIncarnation(this.#manifest.namespace);
      if (!this.#isTidy) {
        const kept = new Set(this.#keptSegments().map(({ file }) => file));
        const firstBase = this.log.files[0].base;
        for (const name of await this.#fileSystem.list(this.#directory)) {
          const file = numberOfSegmentName(name);
          this.#lastSegmentFile = Math.max(this.#lastSegmentFile, file ?? 0);
          const base = baseOfLogName(name);
          const isLeft =
            (file !== undefined && !kept.has(file)) ||
            (base !== undefined && base < firstBase) ||
            // Left by an incomplete rotation, since the log has continued.
            (name.endsWith('.tmp') && (baseOfLogName(name.slice(0, -4)) ?? Infinity) < this.log.end.position);
          if (isLeft) this.#garbage.add(name);
        }
        this.#isTidy = true;
      }
      await this.#sweep();
    });
  }

  /** Removes the log files that contain only forgotten records. */
  #removeForgotten(): Promise<void> {
    return this.#fileChanges.run(async () => {
      const { files } = this.log;
      const logStart = Math.min(...[this.#manifest, ...this.#possible].map((each) => each.logStart));
      while (files.length > 1 && files[1].base <= logStart) this.#garbage.add(basename(files.shift()!.path));
      await this.#sweep();
    });
  }

  /** Removes the files of those segments that no checkpoint contains. */
  #discardUnneeded(segments: readonly ManifestSegment[]): Promise<void> {
    return this.#fileChanges.run(async () => {
      const kept = new Set(this.#keptSegments().map(({ file }) => file));
      for (const { file } of segments)
        if (!kept.has(file)) this.#garbage.add(basename(segmentPath(this.#directory, file)));
      await this.#sweep();
    });
  }

  /**
   * Removes as much garbage as possible; the rest is retried next time. Requires `#fileChanges`.
   */
  async #sweep(): Promise<void> {
    for (const name of this.#garbage) {
      if (this.isDropped) return; // It is removed with the directory.
      try {
        await this.#fileSystem.unlink(join(this.#directory, name));
      } catch (error) {
        if (!hasCode(error, 'ENOENT')) {
          this.#background.failed(REMOVAL, error);
          continue;
        }
      }
      this.#garbage.delete(name);
    }
    if (this.#garbage.size === 0) this.#background.succeeded(REMOVAL);
  }
}

/** The codes of failed system calls. Codes of Node itself start with `ERR_`. */
const SYSTEM_CODE = /^E[A-Z0-9]+$/;

/**
 * Converts a file-system error to the one callers receive. Errors thrown by the source of a segment
 * are returned unchanged.
 */
function fileErrorOf(error: unknown, what: string, path: string): unknown {
  return error instanceof UnknownOutcome || SYSTEM_CODE.test(codeOf(error) ?? '')
    ? fileError(error, what, path)
    : error;
}
