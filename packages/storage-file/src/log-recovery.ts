import type { WorldsError } from '@rdf-worlds/core';
import { corrupt } from './file-errors.ts';
import { discard, type FileSystem, type OpenFile } from './file-system.ts';
import { FrameReader, findLaterBatch } from './frame-reader.ts';
import type { LogEnd } from './frame-writer.ts';
import { baseOfLogName, LOG_HEADER_BYTES, type LogFileHeader, logName, logPath } from './log-file-header.ts';
import { addMark, headerOf, type LogFile, openLogFile } from './log-files.ts';
import { decodeFrameHeader, FRAME_HEADER_BYTES, SEAL } from './log-frame.ts';
import type { LogPlace, Manifest } from './manifest.ts';

export interface RecoveredLog {
  /** The files with records that were not forgotten, in order; at least one. */
  readonly files: LogFile[];
  /** Paths of empty files that a rotation created and never used. */
  readonly abandoned: readonly string[];
  /** The place after the last complete append, in the last file. */
  readonly end: LogEnd;
  /** Offset of the last frame before the end; undefined if the last file has none. */
  readonly lastFrame: number | undefined;
  /** The length of the last file. Bytes after `end` are reserved space or a torn append. */
  readonly lastFileBytes: number;
}

/**
 * Finds the end of a log and makes it durable, unless `isReadOnly`. An incomplete append at the end
 * of the last file was never acknowledged and is ignored. Throws CORRUPT if the incompleteness must
 * be damage: a later batch follows, a seal says that another file follows, or the manifest records
 * more.
 *
 * @param place where to start, if it is in the last file; everything before it is not checked
 */
export async function recoverLog(
  fileSystem: FileSystem,
  directory: string,
  manifest: Manifest,
  { isReadOnly = false, place }: { readonly isReadOnly?: boolean; readonly place?: LogPlace } = {},
): Promise<RecoveredLog> {
  const { files, abandoned } = await logFiles(fileSystem, directory, manifest);
  const last = files.at(-1)!;
  // Opened for writing, since some systems sync only such files.
  const open = await openLogFile(fileSystem, last.path, isReadOnly ? 'read' : 'write');
  try {
    const header = await headerOf(last, open, manifest);
    const lastFileBytes = await open.size();
    const { end, batch, lastFrame } = await endOf(last, header, open, lastFileBytes, manifest, place);
    if (!isReadOnly) {
      if (manifest.durable < end.position) await rewrite(open, batch, end.offset);
      await open.sync();
      // Without records in this file, nothing proves that the seal before it is durable.
      if (end.offset === LOG_HEADER_BYTES && files.length > 1)
        await rewriteSeal(fileSystem, files.at(-2)!, header.previousEnd);
      await fileSystem.syncDirectory(directory);
    }
    return { files, abandoned, end, lastFrame, lastFileBytes };
  } finally {
    await discard(open);
  }
}

/**
 * Returns the end of the last file, the start of the batch that its last frame belongs to, and the
 * offset of that frame.
 */
async function endOf(
  last: LogFile,
  header: LogFileHeader,
  open: OpenFile,
  fileBytes: number,
  manifest: Manifest,
  place: LogPlace | undefined,
): Promise<{ end: LogEnd; batch: number; lastFrame: number | undefined }> {
  let end: LogEnd = { position: last.base, offset: LOG_HEADER_BYTES, chain: header.chain };
  if (place?.base === last.base) {
    const { position, offset, chain } = place;
    end = { position, offset, chain };
    last.marks.push(end);
  }
  let batch = end.offset;
  let lastFrame: number | undefined;
  const reader = new FrameReader(open, header.salt, end, fileBytes);
  for (let frame = await reader.next(); frame; frame = await reader.next()) {
    if (frame.isSeal) throw missingFile(last, frame.position);
    if (!frame.isCommit) continue;
    end = { position: frame.position, offset: reader.offset, chain: frame.crc };
    batch = frame.batch;
    lastFrame = frame.offset;
    addMark(last, end);
  }
  const later = await findLaterBatch(open, header.salt, reader.offset, fileBytes);
  if (later !== undefined)
    throw corrupt(
      last.path,
      reader.offset,
      `the record after position ${end.position} is damaged: there is a record written later, at byte ${later}.`,
    );
  if (end.position < manifest.durable)
    throw corrupt(
      last.path,
      reader.offset,
      `the log ends here at position ${end.position}, but had reached ${manifest.durable}: it is damaged or cut off, or the file ${logName(end.position)} is missing.`,
    );
  return { end, batch, lastFrame };
}

/**
 * Rewrites the last batch of a log. A process that was killed, or whose sync failed, may have left
 * it only in the page cache; after a failed sync the kernel regards such pages as clean, so only
 * rewritten pages reach the disk with the next sync. Earlier batches are durable: each is written
 * after the sync of the previous one.
 */
async function rewrite(open: OpenFile, from: number, to: number): Promise<void> {
  const piece = Buffer.allocUnsafe(Math.min(to - from, 2 ** 20));
  for (let at = from; at < to; at += piece.byteLength) {
    const part = piece.subarray(0, Math.min(piece.byteLength, to - at));
    await open.read(part, at);
    await open.write(part, at);
  }
}

async function rewriteSeal(fileSystem: FileSystem, { path }: LogFile, at: number | undefined): Promise<void> {
  if (at === undefined) return; // Version 1 had no seals.
  const open = await openLogFile(fileSystem, path, 'write');
  try {
    await rewrite(open, at, at + FRAME_HEADER_BYTES);
    await open.sync();
  } finally {
    await discard(open);
  }
}

/** Returns the bases of the log files in a directory, in log order. */
export async function logBases(fileSystem: FileSystem, directory: string): Promise<number[]> {
  const bases = (await fileSystem.list(directory)).map(baseOfLogName).filter((base) => base !== undefined);
  return bases.sort((a, b) => a - b);
}

/**
 * Returns the files of a log from the one containing `logStart` on, each proven to continue the
 * previous one.
 */
async function logFiles(
  fileSystem: FileSystem,
  directory: string,
  manifest: Manifest,
): Promise<{ files: LogFile[]; abandoned: string[] }> {
  const bases = await logBases(fileSystem, directory);
  const { logStart, logFile } = manifest;
  const first = logFile === undefined ? bases.findLastIndex((base) => base <= logStart) : bases.indexOf(logFile);
  if (first < 0) throw corrupt(logPath(directory, logFile ?? logStart), undefined, 'this file of the log is missing.');
  const files = bases.slice(first).map((base): LogFile => ({ path: logPath(directory, base), base, marks: [] }));
  const abandoned: string[] = [];
  for (let at = files.length - 1; at > 0; at--) {
    const next = await beginningOf(fileSystem, files[at], manifest);
    if (await continues(fileSystem, files[at - 1], next.header, manifest)) continue;
    // An abandoned rotation: the log continued in the previous file, or ended there.
    if (next.hasFrames || at < files.length - 1)
      throw missingFile(files[at - 1], (await sealOf(fileSystem, files[at - 1], manifest)) ?? files[at].base);
    abandoned.push(files.pop()!.path);
  }
  return { files, abandoned };
}

/**
 * Returns the last place at or before a position that a checkpoint records. After it, the log can
 * be proven without the part before it.
 */
export function placeBefore({ checkpoints }: Manifest, position: number): LogPlace | undefined {
  const places = checkpoints.flatMap(({ place }) => (place && place.position <= position ? [place] : []));
  return places.sort((a, b) => b.position - a.position)[0];
}

/**
 * Returns the base of a log file that contains a position or precedes it; undefined if there is
 * none. The last file based at or before the position need not be the right one: a rotation may
 * have created and abandoned it, while the log continued in the previous file.
 */
export async function logFileBefore(
  fileSystem: FileSystem,
  directory: string,
  manifest: Manifest,
  position: number,
): Promise<number | undefined> {
  const { logFile } = manifest;
  // The place may be the end of a removed file; the log then starts at the position itself.
  if (logFile !== undefined) return Math.max(logFile, placeBefore(manifest, position)?.base ?? 0);
  const [first, ...others] = (await logBases(fileSystem, directory)).filter((base) => base <= position);
  for (const base of others.reverse()) {
    const file: LogFile = { path: logPath(directory, base), base, marks: [] };
    if ((await beginningOf(fileSystem, file, manifest)).hasFrames) return base;
  }
  return first;
}

/** Returns the header of a log file and whether anything was written after it. */
async function beginningOf(
  fileSystem: FileSystem,
  file: LogFile,
  manifest: Manifest,
): Promise<{ header: LogFileHeader; hasFrames: boolean }> {
  const open = await openLogFile(fileSystem, file.path, 'read');
  try {
    const header = await headerOf(file, open, manifest);
    const start = { position: file.base, offset: LOG_HEADER_BYTES, chain: header.chain };
    const frame = await new FrameReader(open, header.salt, start, await open.size()).next();
    return { header, hasFrames: frame !== undefined };
  } finally {
    await discard(open);
  }
}

/** Returns whether a log file ends where the header of the next one says, and has a seal there. */
async function continues(
  fileSystem: FileSystem,
  file: LogFile,
  next: LogFileHeader,
  manifest: Manifest,
): Promise<boolean> {
  const open = await openLogFile(fileSystem, file.path, 'read');
  try {
    const { salt, chain } = await headerOf(file, open, manifest);
    if (next.previousEnd === undefined) {
      // Version 1 wrote no seals: the file ends after the record that the next one follows.
      const start = { position: file.base, offset: LOG_HEADER_BYTES, chain };
      const reader = new FrameReader(open, salt, start, await open.size());
      let position = file.base;
      for (let frame = await reader.next(); frame; frame = await reader.next()) position = frame.position;
      return position === next.base && reader.chain === next.chain;
    }
    const bytes = Buffer.alloc(FRAME_HEADER_BYTES);
    await open.read(bytes, next.previousEnd);
    const seal = decodeFrameHeader(bytes, 0, salt, next.previousEnd);
    return seal !== undefined && (seal.flags & SEAL) !== 0 && seal.position === next.base && seal.chain === next.chain;
  } finally {
    await discard(open);
  }
}

/**
 * Returns the position at which a file's seal says that the log continues in another file;
 * undefined without a seal.
 */
async function sealOf(fileSystem: FileSystem, file: LogFile, manifest: Manifest): Promise<number | undefined> {
  const open = await openLogFile(fileSystem, file.path, 'read');
  try {
    const { salt, chain } = await headerOf(file, open, manifest);
    const start = { position: file.base, offset: LOG_HEADER_BYTES, chain };
    const reader = new FrameReader(open, salt, start, await open.size());
    for (let frame = await reader.next(); frame; frame = await reader.next()) if (frame.isSeal) return frame.position;
    return undefined;
  } finally {
    await discard(open);
  }
}

function missingFile({ path }: LogFile, position: number): WorldsError {
  return corrupt(
    path,
    undefined,
    `the log does not continue from this file to ${logName(position)}: one of the two is damaged, or a file is missing.`,
  );
}
