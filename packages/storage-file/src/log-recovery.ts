import { corrupt } from './file-errors.ts';
import type { FileSystem } from './file-system.ts';
import { FrameReader, findLaterBatch } from './frame-reader.ts';
import type { LogEnd } from './frame-writer.ts';
import { baseOfLogName, LOG_HEADER_BYTES, logName, logPath } from './log-file-header.ts';
import { addMark, headerOf, type LogFile, openLogFile } from './log-files.ts';
import type { Manifest } from './manifest.ts';

export interface RecoveredLog {
  /** Those that have records which were not forgotten, in order; at least one. */
  readonly files: LogFile[];
  /** Behind the last append that is there in full, in the last file. */
  readonly end: LogEnd;
  /** How long the last file is: what is behind `end` was prepared for appends, or is what a crash left of one. */
  readonly lastFileBytes: number;
}

/**
 * Finds the end of a log. What is no whole append at the end of the last file was never acknowledged, and is left out. Throws CORRUPT when that cannot be: a later
 * batch is behind it, or the manifest knows of more.
 */
export async function recoverLog(fileSystem: FileSystem, directory: string, manifest: Manifest): Promise<RecoveredLog> {
  const files = await logFiles(fileSystem, directory, manifest);
  const last = files.at(-1)!;
  // For writing, since some systems sync nothing else.
  const open = await openLogFile(fileSystem, last.path, 'write');
  try {
    const header = await headerOf(last, open, manifest.incarnation);
    const lastFileBytes = await open.size();
    let end: LogEnd = { position: last.base, offset: LOG_HEADER_BYTES, chain: header.chain };
    const reader = new FrameReader(open, header.salt, end, lastFileBytes);
    for (let frame = await reader.next(); frame; frame = await reader.next()) {
      if (!frame.isCommit) continue;
      end = { position: frame.position, offset: reader.offset, chain: frame.crc };
      addMark(last, end);
    }
    const later = await findLaterBatch(open, header.salt, reader.offset, lastFileBytes);
    if (later !== undefined)
      throw corrupt(
        last.path,
        reader.offset,
        `the record behind position ${end.position} is damaged, for what was written later, at byte ${later}, is there.`,
      );
    if (end.position < manifest.durable)
      throw corrupt(
        last.path,
        reader.offset,
        `the log ends here at position ${end.position}, but had come to ${manifest.durable}: it is damaged or cut off, or the file ${logName(end.position)} is missing.`,
      );
    // A process that was killed may have left what is not durable yet. From here on others build on it.
    await open.sync();
    await fileSystem.syncDirectory(directory);
    return { files, end, lastFileBytes };
  } finally {
    await open.close();
  }
}

async function logFiles(fileSystem: FileSystem, directory: string, { logStart }: Manifest): Promise<LogFile[]> {
  const bases = (await fileSystem.list(directory))
    .map(baseOfLogName)
    .filter((base) => base !== undefined)
    .sort((a, b) => a - b);
  const first = bases.findLastIndex((base) => base <= logStart);
  if (first < 0)
    throw corrupt(
      logPath(directory, logStart),
      undefined,
      'this file of the log, or one that begins before, is missing.',
    );
  return bases.slice(first).map((base) => ({ path: logPath(directory, base), base, marks: [] }));
}
