import type { StoredRecord } from '@rdf-worlds/core/plugin';
import { corrupt } from './file-errors.ts';
import { discard, type FileSystem } from './file-system.ts';
import { FrameReader, type ReadFrame } from './frame-reader.ts';
import { type HeadIdentity, headAt } from './head-at.ts';
import { logName } from './log-file-header.ts';
import { headerOf, type LogFile, openLogFile, startOf } from './log-files.ts';
import type { NamespaceIdentity } from './namespace-identity.ts';
import type { OpenLogs } from './open-logs.ts';
import { type ReadableFile, ReleasableFile } from './releasable-file.ts';

/**
 * Yields the records from position `after` up to `end`. Calls `check` before every record with the
 * reader's current position; `check` ends the read by throwing. Throws CORRUPT if a record differs
 * from what was written.
 *
 * @param openLogs limits the files open while consumers pause; undefined for consumers that do not
 *   pause
 */
export async function* readLog(
  fileSystem: FileSystem,
  files: readonly LogFile[],
  identity: NamespaceIdentity & HeadIdentity,
  after: number,
  end: number,
  check: (position: number) => void,
  openLogs?: OpenLogs,
): AsyncGenerator<StoredRecord> {
  let position = after;
  for (let at = files.findLastIndex((file) => file.base <= after); position < end; at++) {
    const file = files[at];
    check(position);
    const opening = () =>
      openLogFile(fileSystem, file.path, 'read').catch((error: unknown) => {
        // Throws if the file is missing because the record was forgotten meanwhile.
        check(position);
        throw error;
      });
    const open: ReadableFile = openLogs ? new ReleasableFile(openLogs, opening) : await opening();
    try {
      const header = await headerOf(file, open, identity);
      const reader = new FrameReader(open, header.salt, startOf(file, header, position), await open.size());
      const fileEnd = Math.min(end, files[at + 1]?.base ?? end);
      const assembler = new RecordAssembler();
      while (position < fileEnd) {
        const frame = await reader.next();
        if (!frame || frame.isSeal) {
          check(position);
          throw corrupt(
            file.path,
            reader.offset,
            `the record after position ${position} is damaged or cut off, or its file ${logName(position)} is missing.`,
          );
        }
        if (frame.position <= position) continue;
        const data = assembler.add(frame);
        if (!data) continue;
        check(position);
        position = frame.position;
        yield { id: frame.id, head: headAt(identity, position), data };
      }
    } finally {
      await discard(open);
    }
  }
}

/** Assembles the frames of a record. */
export class RecordAssembler {
  #data = new Uint8Array(0);
  #filled = 0;

  /** Adds a frame. Returns the record once its last frame is added. */
  add({ payload, isFirst, isLast, recordBytes }: ReadFrame): Uint8Array | undefined {
    if (isFirst) {
      this.#data = new Uint8Array(recordBytes);
      this.#filled = 0;
    }
    this.#data.set(payload, this.#filled);
    this.#filled += payload.byteLength;
    return isLast ? this.#data : undefined;
  }
}
