import { corrupt } from './file-errors.ts';
import { discard, type FileSystem, hasCode, type OpenFile } from './file-system.ts';
import { FrameReader, findLaterBatch } from './frame-reader.ts';
import type { LogEnd } from './frame-writer.ts';
import { LOG_HEADER_BYTES, logPath } from './log-file-header.ts';
import { headerOf, type LogFile, MARK_BYTES } from './log-files.ts';
import { decodeFrameHeader, FRAME_HEADER_BYTES, FRAME_MAGIC_BYTES } from './log-frame.ts';
import type { RecoveredLog } from './log-recovery.ts';
import type { NamespaceIdentity } from './namespace-identity.ts';

/**
 * What became of a log since it was last read:
 *
 * - `extended`: it is as it was, and may have grown.
 * - `withdrawn`: its last records are no longer there. The writer could not make them durable and
 *   has taken them back.
 * - `gone`: its last file was removed.
 */
export type TailOutcome = 'extended' | 'withdrawn' | 'gone';

/**
 * The end of a log that another process may be writing to. Reads what was appended since the last
 * look, and nothing else.
 */
export class LogTail {
  /** The files of the log, in order; at least one. */
  readonly files: LogFile[];
  #end: LogEnd;
  /** Offset of the last frame before the end; undefined if the last file has none. */
  #lastFrame: number | undefined;
  readonly #fileSystem: FileSystem;
  readonly #directory: string;

  constructor(fileSystem: FileSystem, directory: string, { files, end, lastFrame }: RecoveredLog) {
    this.#fileSystem = fileSystem;
    this.#directory = directory;
    this.files = files;
    this.#end = end;
    this.#lastFrame = lastFrame;
  }

  /** The place after the last complete append that was read. */
  get end(): LogEnd {
    return this.#end;
  }

  /** Forgets the files before the one of this base. Returns false if that leaves none. */
  startAt(base: number): boolean {
    const first = this.files.findIndex((file) => file.base >= base);
    if (first < 0) return false;
    this.files.splice(0, first);
    return true;
  }

  /** Reads what was appended. Throws CORRUPT if the log is damaged where it should continue. */
  async extend(identity: NamespaceIdentity): Promise<TailOutcome> {
    for (;;) {
      const file = this.files.at(-1)!;
      let open: OpenFile;
      try {
        open = await this.#fileSystem.open(file.path, 'read');
      } catch (error) {
        if (hasCode(error, 'ENOENT')) return 'gone';
        throw error;
      }
      try {
        const { salt } = await headerOf(file, open, identity);
        if (!(await this.#isInPlace(open, salt))) return 'withdrawn';
        const next = await this.#readFrames(file, open, salt);
        if (next === undefined) return 'extended';
        if (!(await this.#enter(next, identity))) return 'gone';
      } finally {
        await discard(open);
      }
    }
  }

  /** Returns whether the last frame that was read is still where it was. */
  async #isInPlace(open: OpenFile, salt: number): Promise<boolean> {
    const at = this.#lastFrame;
    return at === undefined || (await headerAt(open, salt, at))?.crc === this.#end.chain;
  }

  /** Reads new frames. Returns the base of the next file if the log continues in another one. */
  async #readFrames(file: LogFile, open: OpenFile, salt: number): Promise<number | undefined> {
    for (;;) {
      const before = this.#end;
      // Mostly there is nothing new, and the reader would read the space reserved after the end.
      if (await headerAt(open, salt, before.offset)) {
        const reader = new FrameReader(open, salt, before, await open.size());
        let last = before.offset;
        for (let frame = await reader.next(); frame; frame = await reader.next()) {
          if (frame.isSeal) return frame.position;
          last = frame.offset;
          if (!frame.isCommit) continue;
          this.#end = { position: frame.position, offset: reader.offset, chain: frame.crc };
          this.#lastFrame = last;
        }
      }
      if (this.#end === before) {
        await this.#requireNoDamage(file, open, salt);
        if (this.#end === before) return undefined;
      } else {
        // The next reader of the log probably starts where this look did.
        addStart(file, before);
      }
    }
  }

  /**
   * Throws CORRUPT if records follow that were written later than those expected at the end. What
   * is only being written has nothing behind it.
   */
  async #requireNoDamage(file: LogFile, open: OpenFile, salt: number): Promise<void> {
    const { offset, position } = this.#end;
    const magic = Buffer.alloc(FRAME_MAGIC_BYTES.byteLength);
    if ((await open.read(magic, offset)) === 0 || magic.every((byte) => byte === 0)) return;
    const later = await findLaterBatch(open, salt, offset, await open.size());
    // It may have been completed, and another written behind it, since it was read.
    if (later === undefined || (await headerAt(open, salt, offset))) return;
    throw corrupt(
      file.path,
      offset,
      `the record after position ${position} is damaged: there is a record written later, at byte ${later}.`,
    );
  }

  /** Continues in the next file. Returns false if it was removed already. */
  async #enter(base: number, identity: NamespaceIdentity): Promise<boolean> {
    const file: LogFile = { path: logPath(this.#directory, base), base, marks: [] };
    let open: OpenFile;
    try {
      open = await this.#fileSystem.open(file.path, 'read');
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return false;
      throw error;
    }
    try {
      const { chain } = await headerOf(file, open, identity);
      this.files.push(file);
      this.#end = { position: base, offset: LOG_HEADER_BYTES, chain };
      this.#lastFrame = undefined;
      return true;
    } finally {
      await discard(open);
    }
  }
}

/** Returns the valid header of a frame at an offset; undefined if there is none. */
async function headerAt(open: OpenFile, salt: number, offset: number) {
  const bytes = Buffer.alloc(FRAME_HEADER_BYTES);
  const length = await open.read(bytes, offset);
  return length === FRAME_HEADER_BYTES ? decodeFrameHeader(bytes, 0, salt, offset) : undefined;
}

/** Adds a place at which reading may start; replaces the last one if that is close before it. */
function addStart({ marks }: LogFile, place: LogEnd): void {
  const spaced = marks.at(-2)?.offset ?? LOG_HEADER_BYTES;
  if (marks.length > 0 && marks.at(-1)!.offset - spaced < MARK_BYTES) marks.pop();
  marks.push(place);
}
