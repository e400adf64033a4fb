import { randomBytes } from 'node:crypto';
import { corrupt } from './file-errors.ts';
import { type FileSystem, hasCode, type OpenFile } from './file-system.ts';
import type { LogEnd } from './frame-writer.ts';
import { decodeLogHeader, encodeLogHeader, LOG_HEADER_BYTES, type LogFileHeader, logPath } from './log-file-header.ts';
import { SyncFailure } from './sync-failure.ts';

/** One file of a log. */
export interface LogFile {
  readonly path: string;
  /** The position of the last record before it. */
  readonly base: number;
  /** Undefined until somebody needed it. */
  header?: LogFileHeader;
  /** Places between two appends at which reading may begin, ascending, about `MARK_BYTES` apart. */
  readonly marks: LogEnd[];
}

export const MARK_BYTES = 64 * 1024;

/** Remembers a place between two appends, unless the one before is near. */
export function addMark(file: LogFile, place: LogEnd): void {
  if (place.offset - (file.marks.at(-1)?.offset ?? LOG_HEADER_BYTES) >= MARK_BYTES) file.marks.push(place);
}

/** The last place of a file, at or before a position, at which reading may begin. */
export function startOf(file: LogFile, header: LogFileHeader, position: number): LogEnd {
  const mark = file.marks.findLast((each) => each.position <= position);
  return mark ?? { position: file.base, offset: LOG_HEADER_BYTES, chain: header.chain };
}

/** Opens a file of the log; CORRUPT when it is missing. */
export async function openLogFile(fileSystem: FileSystem, path: string, mode: 'read' | 'write'): Promise<OpenFile> {
  try {
    return await fileSystem.open(path, mode);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) throw corrupt(path, undefined, 'a file of the log is missing.', error);
    throw error;
  }
}

export async function headerOf(file: LogFile, open: OpenFile, incarnation: string): Promise<LogFileHeader> {
  if (file.header) return file.header;
  const bytes = new Uint8Array(LOG_HEADER_BYTES);
  const length = await open.read(bytes, 0);
  file.header = decodeLogHeader(bytes.subarray(0, length), file.path, incarnation, file.base);
  return file.header;
}

/**
 * Makes an empty file that goes on behind `end`, durably. It gets its name when its header is durable, so that a file of that name with another header
 * is damaged, and not torn. Throws a {@link SyncFailure} when the name may be there, or not.
 */
export async function makeLogFile(
  fileSystem: FileSystem,
  directory: string,
  incarnation: string,
  { position, chain }: LogEnd,
): Promise<LogFile> {
  const path = logPath(directory, position);
  const header: LogFileHeader = { salt: randomBytes(4).readUInt32LE(), base: position, incarnation, chain };
  const temporary = `${path}.tmp`;
  const open = await fileSystem.open(temporary, 'replace');
  try {
    await open.write(encodeLogHeader(header), 0);
    await open.sync();
  } finally {
    await open.close();
  }
  await fileSystem.rename(temporary, path);
  await fileSystem.syncDirectory(directory).catch((error: unknown) => {
    throw new SyncFailure(error);
  });
  return { path, base: position, header, marks: [] };
}
