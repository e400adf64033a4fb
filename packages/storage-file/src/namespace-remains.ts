import { WorldsError } from '@rdf-worlds/core';
import {
  type Checkpoint,
  type Head,
  NO_HEAD,
  type Remains,
  type StoredRecord,
  type StoredSegment,
  samePlace,
  storageErrors,
  throwIfAborted,
} from '@rdf-worlds/core/plugin';
import { corrupt, fileError, unreadableAsCorrupt } from './file-errors.ts';
import { discard, type FileSystem } from './file-system.ts';
import { FrameReader } from './frame-reader.ts';
import { headAt } from './head-at.ts';
import { checkLeftOver, foreignManifest } from './left-over.ts';
import { LOG_HEADER_BYTES, logPath } from './log-file-header.ts';
import { headerOf, type LogFile, openLogFile } from './log-files.ts';
import { RecordAssembler, readLog } from './log-reading.ts';
import { logBases, logFileBefore, placeBefore, recoverLog } from './log-recovery.ts';
import { type LogPlace, type Manifest, manifestPath, readManifest } from './manifest.ts';
import { readSegment, segmentPath } from './segment-file.ts';
import { steadily } from './steady-reading.ts';

/**
 * Returns what can still be read of a namespace: see `NamespaceStorage.remains`. Throws CORRUPT
 * without a readable manifest, since nothing else says which files belong together.
 *
 * @param check throws if the storage is not open
 */
export async function remainsOf(
  fileSystem: FileSystem,
  directory: string,
  name: string,
  check: () => void,
): Promise<Remains | undefined> {
  const manifest = await readManifest(fileSystem, directory).catch((error) => {
    throw unreadableAsCorrupt(error, manifestPath(directory));
  });
  if (!manifest) {
    await checkLeftOver(fileSystem, directory);
    return undefined;
  }
  if (manifest.namespace !== name) throw foreignManifest(directory, manifest);
  return new NamespaceRemains(fileSystem, directory, manifest, check);
}

class NamespaceRemains implements Remains {
  readonly checkpoints: readonly Checkpoint[];
  readonly logStart: Head;
  readonly #fileSystem: FileSystem;
  readonly #directory: string;
  readonly #manifest: Manifest;
  readonly #check: () => void;

  constructor(fileSystem: FileSystem, directory: string, manifest: Manifest, check: () => void) {
    const { logStart, checkpoints } = manifest;
    this.#fileSystem = fileSystem;
    this.#directory = directory;
    this.#manifest = manifest;
    this.#check = check;
    this.logStart = headAt(manifest, logStart);
    this.checkpoints = checkpoints.map(({ position, segments }) => ({
      at: headAt(manifest, position),
      segments: segments.map(
        (segment): StoredSegment => ({
          name: segment.name,
          byteLength: segment.byteLength,
          read: () => {
            check();
            return this.#reading(segmentPath(directory, segment.file), () =>
              readSegment(fileSystem, directory, manifest, segment),
            );
          },
        }),
      ),
    }));
  }

  async *read(after: Head, signal?: AbortSignal): AsyncGenerator<StoredRecord> {
    const { incarnation, namespace } = this.#manifest;
    const from = samePlace(after, NO_HEAD) ? headAt(this.#manifest, 0) : after;
    if (from.incarnation !== incarnation || from.position < this.logStart.position)
      throw storageErrors.truncated(namespace, from, this.logStart, headAt(this.#manifest, this.#manifest.durable));
    const checkAll = (): void => {
      this.#check();
      throwIfAborted(signal);
    };
    const records = this.#records(from.position, checkAll);
    try {
      for (;;) {
        checkAll();
        const next = await this.#reading(this.#directory, () => records.next());
        if (next.done) return;
        yield next.value;
      }
    } finally {
      await records.return(undefined);
    }
  }

  async *#records(after: number, check: () => void): AsyncGenerator<StoredRecord> {
    // Files that end before `after` are not needed, so the log is treated as if it started there.
    let damage: unknown;
    const place = placeBefore(this.#manifest, after);
    const recover = async () => {
      const manifest = {
        ...this.#manifest,
        logStart: after,
        logFile: await logFileBefore(this.#fileSystem, this.#directory, this.#manifest, after),
      };
      return recoverLog(this.#fileSystem, this.#directory, manifest, { isReadOnly: true, place });
    };
    const log = await steadily(recover).catch((error) => {
      damage = error;
      return undefined;
    });
    if (log) {
      if (log.end.position < after)
        throw corrupt(log.files.at(-1)!.path, undefined, `the log ends before position ${after}.`);
      const [first] = log.files;
      if (place?.base === first.base && first.marks.length === 0) first.marks.push(place);
      yield* readLog(this.#fileSystem, log.files, this.#manifest, after, log.end.position, check);
      return;
    }
    yield* this.#recordsBeforeDamage(after, place);
    throw damage;
  }

  /**
   * Yields complete appends of files that each provably continue the previous one. Ends at the
   * first doubt.
   */
  async *#recordsBeforeDamage(after: number, place: LogPlace | undefined): AsyncGenerator<StoredRecord> {
    const bases = await logBases(this.#fileSystem, this.#directory);
    const first = await logFileBefore(this.#fileSystem, this.#directory, this.#manifest, after);
    if (first === undefined) return;
    let file: LogFile = { path: logPath(this.#directory, first), base: first, marks: [] };
    let before: { readonly chain: number; readonly sealOffset: number | undefined } | undefined;
    for (;;) {
      const open = await openLogFile(this.#fileSystem, file.path, 'read');
      let next: LogFile | undefined;
      try {
        const header = await headerOf(file, open, this.#manifest);
        if (before && (header.chain !== before.chain || header.previousEnd !== before.sealOffset)) return;
        const start =
          place?.base === file.base ? place : { position: file.base, offset: LOG_HEADER_BYTES, chain: header.chain };
        const reader = new FrameReader(open, header.salt, start, await open.size());
        const assembler = new RecordAssembler();
        let append: StoredRecord[] = [];
        let end = start.position;
        let { chain } = start;
        let sealOffset: number | undefined;
        for (let frame = await reader.next(); frame; frame = await reader.next()) {
          if (frame.isSeal) {
            sealOffset = frame.offset;
            break;
          }
          const data = assembler.add(frame);
          chain = frame.crc;
          if (data) append.push({ id: frame.id, head: headAt(this.#manifest, frame.position), data });
          if (!frame.isCommit) continue;
          for (const record of append) if (record.head.position > after) yield record;
          append = [];
          end = frame.position;
        }
        before = { chain, sealOffset };
        // Version 1 wrote no seals: only the next file's header shows that it follows.
        if (append.length === 0 && end > file.base && bases.includes(end))
          next = { path: logPath(this.#directory, end), base: end, marks: [] };
      } finally {
        await discard(open);
      }
      if (!next) return;
      file = next;
    }
  }

  /**
   * Runs a read. If it fails because the files were changed meanwhile, throws TRUNCATED instead of
   * CORRUPT. Data that the disk cannot read is as lost as damaged data, and is CORRUPT too.
   */
  async #reading<T>(path: string, read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      if (error instanceof WorldsError && error.code !== 'CORRUPT') throw error;
      // If the manifest cannot be read now, the original failure is the one to report.
      const now = await readManifest(this.#fileSystem, this.#directory).catch(() => this.#manifest);
      if (JSON.stringify(now) === JSON.stringify(this.#manifest)) {
        throw fileError(unreadableAsCorrupt(error, path), 'Reading', path);
      }
      const { namespace, durable } = this.#manifest;
      const head = headAt(this.#manifest, durable);
      throw storageErrors.truncated(namespace, this.logStart, head, head);
    }
  }
}
