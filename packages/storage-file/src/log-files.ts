import { randomBytes } from 'node:crypto';
import { copyTo } from './file-copy.ts';
import { corrupt } from './file-errors.ts';
import { discard, type FileSystem, hasCode, type OpenFile, renameFile, replaceFile, syncNames } from './file-system.ts';
import type { LogEnd } from './frame-writer.ts';
import { decodeLogHeader, encodeLogHeader, LOG_HEADER_BYTES, type LogFileHeader, logPath } from './log-file-header.ts';
import type { NamespaceIdentity } from './namespace-identity.ts';

/** One file of a log. */
export interface LogFile {
  readonly path: string;
  /** The position of the last record before this file. */
  readonly base: number;
  /** Undefined until first needed. */
  header?: LogFileHeader;
  /** Places between two appends at which reading may start, ascending, about `MARK_BYTES` apart. */
  readonly marks: LogEnd[];
}

export const MARK_BYTES = 64 * 1024;

/**
 * Replaces a file by a copy, durably. A process that still has the old file open then writes to a
 * file without a name.
 */
export async function detachFile(fileSystem: FileSystem, directory: string, path: string): Promise<void> {
  const temporary = `${path}.tmp`;
  const from = await openLogFile(fileSystem, path, 'read');
  try {
    await copyTo(fileSystem, from, temporary, 'replace');
  } finally {
    await discard(from);
  }
  await renameFile(fileSystem, temporary, path);
  await syncNames(fileSystem, directory);
}

/** Adds a place between two appends, unless it is close to the previous one. */
export function addMark(file: LogFile, place: LogEnd): void {
  if (place.offset - (file.marks.at(-1)?.offset ?? LOG_HEADER_BYTES) >= MARK_BYTES) file.marks.push(place);
}

/** Returns the last place of a file, at or before a position, at which reading may start. */
export function startOf(file: LogFile, header: LogFileHeader, position: number): LogEnd {
  const mark = file.marks.findLast((each) => each.position <= position);
  return mark ?? { position: file.base, offset: LOG_HEADER_BYTES, chain: header.chain };
}

/** Opens a log file. Throws CORRUPT if it is missing. */
export async function openLogFile(fileSystem: FileSystem, path: string, mode: 'read' | 'write'): Promise<OpenFile> {
  try {
    return await fileSystem.open(path, mode);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) throw corrupt(path, undefined, 'a file of the log is missing.', error);
    throw error;
  }
}

export async function headerOf(
  file: LogFile,
  open: Pick<OpenFile, 'read'>,
  identity: NamespaceIdentity,
): Promise<LogFileHeader> {
  if (file.header) return file.header;
  const bytes = new Uint8Array(LOG_HEADER_BYTES);
  const length = await open.read(bytes, 0);
  file.header = decodeLogHeader(bytes.subarray(0, length), file.path, identity, file.base);
  return file.header;
}

/**
 * Creates an empty file, durably, that continues a log after `end`. It gets its name only when its
 * header is durable, so a file of that name with another header is damaged rather than torn. Throws
 * an `UnknownOutcome` if it is unknown whether the name exists.
 *
 * @param previousEnd where the previous file ends; 0 for the first file of a log
 */
export async function makeLogFile(
  fileSystem: FileSystem,
  directory: string,
  identity: NamespaceIdentity,
  { position, chain }: LogEnd,
  previousEnd: number,
): Promise<LogFile> {
  const path = logPath(directory, position);
  const { incarnation, namespace } = identity;
  const salt = randomBytes(4).readUInt32LE();
  const header: LogFileHeader = { salt, base: position, incarnation, chain, previousEnd };
  await replaceFile(fileSystem, directory, path, encodeLogHeader(header, namespace));
  return { path, base: position, header, marks: [] };
}
