import { join } from 'node:path';
import type { WorldsError } from '@rdf-worlds/core';
import {
  type Checkpoint,
  type Head,
  type NamespaceStorageStats,
  NO_HEAD,
  type Remains,
  type StoredRecord,
  type StoredSegment,
  samePlace,
  storageErrors,
  throwIfAborted,
} from '@rdf-worlds/core/plugin';
import { fileError, telling } from './file-errors.ts';
import { type FileSystem, hasCode, readFile } from './file-system.ts';
import type { LogEnd } from './frame-writer.ts';
import { headAt } from './head-at.ts';
import { checkLeftOver, foreignManifest } from './left-over.ts';
import { readLog } from './log-reading.ts';
import { type RecoveredLog, recoverLog } from './log-recovery.ts';
import { LogTail, type TailOutcome } from './log-tail.ts';
import { decodeManifest, type Manifest, type ManifestSegment, manifestPath } from './manifest.ts';
import { Mutex } from './mutex.ts';
import { namespaceDirectory } from './namespace-directory.ts';
import { remainsOf } from './namespace-remains.ts';
import { readSegment, segmentFileBytes, segmentPath } from './segment-file.ts';
import { steadily } from './steady-reading.ts';

interface Loaded {
  readonly manifest: Manifest;
  /** The manifest as it was read, to notice that it has changed. */
  readonly manifestBytes: Uint8Array;
  readonly log: LogTail;
  /** See {@link ReadOnlyNamespace.#withdrawals}. */
  readonly generation: number;
}

/**
 * Where the directories of the namespaces are; a process that takes the storage over may move it.
 */
export interface MovableRoot {
  readonly path: string;
  /** Looks for it again. Returns whether it has moved. */
  refresh(): Promise<boolean>;
}

/**
 * The files of a read-only namespace, which another process may be writing to. Every call reads
 * what has changed since the last one: the manifest as a whole, the log from where it ended. The
 * other process may remove files that a reader is about to read; that throws TRUNCATED.
 */
export class ReadOnlyNamespace {
  readonly #fileSystem: FileSystem;
  readonly #root: MovableRoot;
  readonly #name: string;
  #loaded: Loaded | undefined;
  /**
   * How often records that had been read were taken back: the writer could not make them durable.
   * Added to the generation, so that an engine that has applied them loads the namespace again.
   */
  #withdrawals = 0;
  readonly #looks = new Mutex();
  /** A look that has not begun. */
  #nextLook: Promise<Loaded | undefined> | undefined;

  constructor(fileSystem: FileSystem, root: MovableRoot, name: string) {
    this.#fileSystem = fileSystem;
    this.#root = root;
    this.#name = name;
  }

  get directory(): string {
    return join(this.#root.path, namespaceDirectory(this.#name));
  }

  async head(): Promise<Head> {
    const loaded = await this.#look();
    return loaded && loaded.log.end.position > 0 ? headOf(loaded) : NO_HEAD;
  }

  async *read(after: Head, check: () => void, signal: AbortSignal | undefined): AsyncGenerator<StoredRecord> {
    const loaded = await this.#look();
    if (!loaded) {
      if (!samePlace(after, NO_HEAD)) throw storageErrors.truncated(this.#name, after, NO_HEAD, NO_HEAD);
      return;
    }
    const { manifest, log } = loaded;
    const { incarnation, logStart } = manifest;
    const head = headOf(loaded);
    const from = samePlace(after, NO_HEAD) ? { ...head, position: 0 } : after;
    const checkAll = (position: number): void => {
      check();
      throwIfAborted(signal);
      if (from.incarnation !== incarnation || position < logStart || position > head.position)
        throw storageErrors.truncated(this.#name, { ...from, position }, { ...head, position: logStart }, head);
    };
    checkAll(from.position);
    try {
      const identity = { ...manifest, generation: loaded.generation };
      yield* readLog(this.#fileSystem, [...log.files], identity, from.position, head.position, checkAll);
    } catch (error) {
      await this.#requireUnchanged(loaded, () =>
        storageErrors.truncated(this.#name, from, { ...head, position: logStart }, head),
      );
      throw fileError(error, 'Reading the log', this.directory);
    }
  }

  async checkpoint(check: () => void): Promise<Checkpoint | undefined> {
    const loaded = await this.#look();
    const newest = loaded?.manifest.checkpoints[0];
    if (!loaded || !newest) return undefined;
    const segments = newest.segments.map(
      (segment): StoredSegment => ({
        name: segment.name,
        byteLength: segment.byteLength,
        read: () => this.#readSegment(loaded, segment, check),
      }),
    );
    return { at: { ...headOf(loaded), position: newest.position }, segments };
  }

  async #readSegment(loaded: Loaded, segment: ManifestSegment, check: () => void): Promise<Uint8Array> {
    check();
    const { directory } = this;
    try {
      return await readSegment(this.#fileSystem, directory, loaded.manifest, segment);
    } catch (error) {
      await this.#requireUnchanged(loaded, () => storageErrors.segmentGone(this.#name, segment.name));
      throw fileError(error, 'Reading a segment', segmentPath(directory, segment.file));
    }
  }

  /** See `NamespaceStorage.remains`. */
  remains(check: () => void): Promise<Remains | undefined> {
    return telling('Reading the remains of a namespace', this.directory, () =>
      remainsOf(this.#fileSystem, this.directory, this.#name, check),
    );
  }

  async stats(): Promise<NamespaceStorageStats> {
    const loaded = await this.#look();
    if (!loaded) return { logBytes: 0, logRecords: 0, segmentBytes: 0, segments: 0 };
    const { manifest, log } = loaded;
    const older = await telling('Measuring the log', this.directory, () =>
      Promise.all(log.files.slice(0, -1).map(({ path }) => this.#sizeOf(path))),
    );
    const all = manifest.checkpoints.flatMap(({ segments }) => segments);
    const segments = [...new Map(all.map((segment) => [segment.file, segment])).values()];
    return {
      logBytes: older.reduce((sum, bytes) => sum + bytes, log.end.offset),
      logRecords: log.end.position - manifest.logStart,
      segmentBytes: segments.reduce((sum, segment) => sum + segmentFileBytes(segment), 0),
      segments: segments.length,
    };
  }

  /** Returns the size of a file; 0 if the writing process has removed it meanwhile. */
  async #sizeOf(path: string): Promise<number> {
    try {
      return await this.#fileSystem.size(path);
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return 0;
      throw error;
    }
  }

  /**
   * Call after a failure: throws `truncated()` if another process has published other files since,
   * or moved them.
   */
  async #requireUnchanged({ manifestBytes }: Loaded, truncated: () => WorldsError): Promise<void> {
    // If the manifest cannot be read now, the original failure is the one to report.
    const now = await readFile(this.#fileSystem, manifestPath(this.directory)).catch(() => manifestBytes);
    if (now && Buffer.compare(now, manifestBytes) === 0) return;
    throw truncated();
  }

  /** Returns the state of a moment after the call; undefined if the namespace has no files. */
  #look(): Promise<Loaded | undefined> {
    // One that has begun may have read an earlier state already.
    this.#nextLook ??= this.#looks.run(() => {
      this.#nextLook = undefined;
      return telling('Opening a namespace', this.directory, () => this.#load());
    });
    return this.#nextLook;
  }

  #load(): Promise<Loaded | undefined> {
    const patiently = { isPatient: true, beforeRetry: () => this.#root.refresh() };
    return steadily(async () => {
      let manifestBytes = await this.#manifestBytes();
      if (!manifestBytes && (await this.#root.refresh())) manifestBytes = await this.#manifestBytes();
      if (!manifestBytes) {
        await checkLeftOver(this.#fileSystem, this.directory);
        this.#loaded = undefined;
        return undefined;
      }
      this.#loaded = await this.#loadedWith(manifestBytes);
      return this.#loaded;
    }, patiently);
  }

  #manifestBytes(): Promise<Uint8Array | undefined> {
    return readFile(this.#fileSystem, manifestPath(this.directory));
  }

  async #loadedWith(manifestBytes: Uint8Array): Promise<Loaded> {
    const before = this.#loaded;
    const isSame = before !== undefined && Buffer.compare(before.manifestBytes, manifestBytes) === 0;
    const manifest = isSame ? before.manifest : decodeManifest(manifestBytes, manifestPath(this.directory));
    if (manifest.namespace !== this.#name) throw foreignManifest(this.directory, manifest);
    const known = before?.manifest.incarnation === manifest.incarnation ? before.log : undefined;
    let outcome: TailOutcome = 'gone';
    // Without `logFile`, of version 1, it is unknown which files are still needed.
    if (known && (isSame || (manifest.logFile !== undefined && known.startAt(manifest.logFile))))
      outcome = await known.extend(manifest);
    if (known && outcome === 'extended') return this.#stateOf(manifest, manifestBytes, known);
    const recovered = await recoverLog(this.#fileSystem, this.directory, manifest, { isReadOnly: true });
    if (known && (outcome === 'withdrawn' || !continues(recovered, known.end))) this.#withdrawals++;
    return this.#stateOf(manifest, manifestBytes, new LogTail(this.#fileSystem, this.directory, recovered));
  }

  #stateOf(manifest: Manifest, manifestBytes: Uint8Array, log: LogTail): Loaded {
    const generation = (manifest.generation ?? 0) + this.#withdrawals;
    return { manifest, manifestBytes, log, generation };
  }
}

/** Whether a log is the continuation of one that ended at a place, as far as its files show. */
function continues({ files, end }: RecoveredLog, { position, chain }: LogEnd): boolean {
  const next = files.find(({ base }) => base === position);
  return end.position >= position && (next?.header === undefined || next.header.chain === chain);
}

function headOf({ manifest, log, generation }: Loaded): Head {
  return headAt({ ...manifest, generation }, log.end.position);
}
