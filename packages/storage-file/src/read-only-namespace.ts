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
import { type FileSystem, hasCode } from './file-system.ts';
import { headAt } from './head-at.ts';
import { checkLeftOver, foreignManifest } from './left-over.ts';
import { readLog } from './log-reading.ts';
import { type RecoveredLog, recoverLog } from './log-recovery.ts';
import { type Manifest, type ManifestSegment, readManifest } from './manifest.ts';
import { remainsOf } from './namespace-remains.ts';
import { readSegment, segmentFileBytes, segmentPath } from './segment-file.ts';
import { steadily } from './steady-reading.ts';

interface Loaded {
  readonly manifest: Manifest;
  readonly log: RecoveredLog;
}

/**
 * The files of a read-only namespace, as they were when first accessed. A process that writes to
 * the namespace may remove some of them; reading then throws TRUNCATED, and the next call reads the
 * current state.
 */
export class ReadOnlyNamespace {
  readonly #fileSystem: FileSystem;
  readonly #directory: string;
  readonly #name: string;
  #loading: Promise<Loaded | undefined> | undefined;

  constructor(fileSystem: FileSystem, directory: string, name: string) {
    this.#fileSystem = fileSystem;
    this.#directory = directory;
    this.#name = name;
  }

  async head(): Promise<Head> {
    const loaded = await this.#loaded();
    return loaded && loaded.log.end.position > 0 ? headOf(loaded) : NO_HEAD;
  }

  async *read(after: Head, check: () => void, signal: AbortSignal | undefined): AsyncGenerator<StoredRecord> {
    const loaded = await this.#loaded();
    if (!loaded) {
      if (!samePlace(after, NO_HEAD)) throw storageErrors.truncated(this.#name, after, NO_HEAD, NO_HEAD);
      return;
    }
    const { manifest, log } = loaded;
    const { incarnation, logStart } = manifest;
    const head = headOf(loaded);
    const from = samePlace(after, NO_HEAD) ? headAt(manifest, 0) : after;
    const checkAll = (position: number): void => {
      check();
      throwIfAborted(signal);
      if (from.incarnation !== incarnation || position < logStart || position > head.position)
        throw storageErrors.truncated(this.#name, { ...from, position }, headAt(manifest, logStart), head);
    };
    checkAll(from.position);
    try {
      yield* readLog(this.#fileSystem, log.files, manifest, from.position, head.position, checkAll);
    } catch (error) {
      await this.#requireUnchanged(manifest, () =>
        storageErrors.truncated(this.#name, from, headAt(manifest, logStart), head),
      );
      throw fileError(error, 'Reading the log', this.#directory);
    }
  }

  async checkpoint(check: () => void): Promise<Checkpoint | undefined> {
    const loaded = await this.#loaded();
    const newest = loaded?.manifest.checkpoints[0];
    if (!loaded || !newest) return undefined;
    const { manifest } = loaded;
    const segments = newest.segments.map(
      (segment): StoredSegment => ({
        name: segment.name,
        byteLength: segment.byteLength,
        read: () => this.#readSegment(manifest, segment, check),
      }),
    );
    return { at: headAt(manifest, newest.position), segments };
  }

  async #readSegment(manifest: Manifest, segment: ManifestSegment, check: () => void): Promise<Uint8Array> {
    check();
    try {
      return await readSegment(this.#fileSystem, this.#directory, manifest, segment);
    } catch (error) {
      await this.#requireUnchanged(manifest, () => storageErrors.segmentGone(this.#name, segment.name));
      throw fileError(error, 'Reading a segment', segmentPath(this.#directory, segment.file));
    }
  }

  /** See `NamespaceStorage.remains`. */
  remains(check: () => void): Promise<Remains | undefined> {
    return telling('Reading the remains of a namespace', this.#directory, () =>
      remainsOf(this.#fileSystem, this.#directory, this.#name, check),
    );
  }

  async stats(): Promise<NamespaceStorageStats> {
    const loaded = await this.#loaded();
    if (!loaded) return { logBytes: 0, logRecords: 0, segmentBytes: 0, segments: 0 };
    const { manifest, log } = loaded;
    const older = await telling('Measuring the log', this.#directory, () =>
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
   * Call after a failure: if another process has published other files since, makes the next call
   * reload the namespace and throws `truncated()`.
   */
  async #requireUnchanged(manifest: Manifest, truncated: () => WorldsError): Promise<void> {
    // If the manifest cannot be read now, the original failure is the one to report.
    const now = await readManifest(this.#fileSystem, this.#directory).catch(() => manifest);
    if (JSON.stringify(now) === JSON.stringify(manifest)) return;
    this.#loading = undefined;
    throw truncated();
  }

  #loaded(): Promise<Loaded | undefined> {
    this.#loading ??= telling('Opening a namespace', this.#directory, () => this.#load()).catch((error) => {
      this.#loading = undefined; // The next call tries again.
      throw error;
    });
    return this.#loading;
  }

  #load(): Promise<Loaded | undefined> {
    return steadily(async () => {
      const manifest = await readManifest(this.#fileSystem, this.#directory);
      if (!manifest) {
        await checkLeftOver(this.#fileSystem, this.#directory);
        return undefined;
      }
      if (manifest.namespace !== this.#name) throw foreignManifest(this.#directory, manifest);
      const log = await recoverLog(this.#fileSystem, this.#directory, manifest, { isReadOnly: true });
      return { manifest, log };
    });
  }
}

function headOf({ manifest, log }: Loaded): Head {
  return headAt(manifest, log.end.position);
}
