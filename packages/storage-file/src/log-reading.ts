import type { StoredRecord } from '@rdf-worlds/core';
import { corrupt } from './file-errors.ts';
import { discard, type FileSystem } from './file-system.ts';
import { FrameReader, type ReadFrame } from './frame-reader.ts';
import { logName } from './log-file-header.ts';
import { headerOf, type LogFile, openLogFile, startOf } from './log-files.ts';
import type { NamespaceIdentity } from './namespace-identity.ts';
import type { OpenLogs } from './open-logs.ts';
import { type ReadableFile, ReleasableFile } from './releasable-file.ts';

/**
 * The records from position `after` up to `end`. `check` is called before every record with the
 * position behind which the reader stands, and ends it by throwing. Throws CORRUPT when a record is
 * not what was written.
 *
 * @param openLogs bounds the files that are open while consumers pause; undefined for readers that
 *   nobody keeps waiting
 */
export async function* readLog(
  fileSystem: FileSystem,
  files: readonly LogFile[],
  identity: NamespaceIdentity,
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
        check(position); // Missing because the record was forgotten meanwhile.
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
            `the record behind position ${position} is damaged or cut off, or its file ${logName(position)} is missing.`,
          );
        }
        if (frame.position <= position) continue;
        const data = assembler.add(frame);
        if (!data) continue;
        check(position);
        position = frame.position;
        yield { id: frame.id, head: { incarnation: identity.incarnation, position }, data };
      }
    } finally {
      await discard(open);
    }
  }
}

/** Puts the frames of a record together. */
export class RecordAssembler {
  #data = new Uint8Array(0);
  #filled = 0;

  /** The record, when its last frame is in. */
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
