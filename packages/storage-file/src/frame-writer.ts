import type { LogRecord } from '@rdf-worlds/core/plugin';
import {
  COMMIT,
  encodeFrameHeader,
  FIRST,
  FRAME_HEADER_BYTES,
  LAST,
  MAX_PAYLOAD_BYTES,
  payloadChecksum,
  SEAL,
} from './log-frame.ts';

/** The position, offset and chain after the last frame of a log. */
export interface LogEnd {
  readonly position: number;
  readonly offset: number;
  readonly chain: number;
}

/** Bytes that a writer holds at a time: at least one frame. */
const STAGE_BYTES = MAX_PAYLOAD_BYTES + FRAME_HEADER_BYTES;

const lengthOf = ({ chunks }: LogRecord): number => chunks.reduce((sum, { byteLength }) => sum + byteLength, 0);

const framesOf = (recordBytes: number): number => Math.max(1, Math.ceil(recordBytes / MAX_PAYLOAD_BYTES));

/** Returns the size of the records in a log, in bytes. */
export function framedBytes(records: readonly LogRecord[]): number {
  return records.reduce((sum, each) => {
    const bytes = lengthOf(each);
    return sum + bytes + framesOf(bytes) * FRAME_HEADER_BYTES;
  }, 0);
}

/** Returns the frame that ends a file whose log continues in the next one. */
export function sealFrame(salt: number, { position, offset, chain }: LogEnd): Uint8Array {
  const bytes = Buffer.alloc(FRAME_HEADER_BYTES);
  encodeFrameHeader(bytes, 0, salt, {
    payloadBytes: 0,
    flags: SEAL,
    chain,
    position,
    offset,
    batch: offset,
    recordBytes: 0,
    id: '0'.repeat(32),
    payloadCrc: payloadChecksum(new Uint8Array(0), salt),
  });
  return bytes;
}

/**
 * Encodes the appends of one batch as frames, one stage at a time. `end` is the place after the
 * last frame encoded.
 */
export class FrameWriter {
  readonly #salt: number;
  readonly #batch: number;
  #position: number;
  #chain: number;
  #offset: number;
  readonly #stage: Buffer;
  readonly #spareBytes: number;
  #used = 0;

  /** If one stage holds everything, `spareBytes` of zeros follow the last frame. */
  constructor(salt: number, end: LogEnd, totalBytes: number, spareBytes: number) {
    this.#salt = salt;
    this.#batch = end.offset;
    this.#position = end.position;
    this.#chain = end.chain;
    this.#offset = end.offset;
    this.#spareBytes = totalBytes <= STAGE_BYTES ? spareBytes : 0;
    this.#stage = Buffer.allocUnsafe(Math.min(totalBytes, STAGE_BYTES) + this.#spareBytes);
  }

  get end(): LogEnd {
    return { position: this.#position, offset: this.#offset, chain: this.#chain };
  }

  /**
   * Yields the bytes to write, in pieces at consecutive offsets. A piece is invalid once the next
   * one is requested.
   */
  *pieces(appends: Iterable<readonly LogRecord[]>): Iterable<Uint8Array> {
    for (const records of appends) {
      for (const [at, record] of records.entries()) yield* this.#record(record, at === records.length - 1);
    }
    const end = this.#used + this.#spareBytes;
    this.#stage.fill(0, this.#used, end);
    yield this.#stage.subarray(0, end);
  }

  *#record(record: LogRecord, isLastOfAppend: boolean): Iterable<Uint8Array> {
    const recordBytes = lengthOf(record);
    const frames = framesOf(recordBytes);
    const chunks = new ChunkCursor(record.chunks);
    this.#position++;
    for (let frame = 0; frame < frames; frame++) {
      const payloadBytes = Math.min(MAX_PAYLOAD_BYTES, recordBytes - frame * MAX_PAYLOAD_BYTES);
      if (this.#used + FRAME_HEADER_BYTES + payloadBytes > this.#stage.byteLength) {
        yield this.#stage.subarray(0, this.#used);
        this.#used = 0;
      }
      const isLast = frame === frames - 1;
      const payload = this.#stage.subarray(
        this.#used + FRAME_HEADER_BYTES,
        this.#used + FRAME_HEADER_BYTES + payloadBytes,
      );
      chunks.copyTo(payload);
      this.#chain = encodeFrameHeader(this.#stage, this.#used, this.#salt, {
        payloadBytes,
        flags: (frame === 0 ? FIRST : 0) | (isLast ? LAST : 0) | (isLast && isLastOfAppend ? COMMIT : 0),
        chain: this.#chain,
        position: this.#position,
        offset: this.#offset,
        batch: this.#batch,
        recordBytes,
        id: record.id,
        payloadCrc: payloadChecksum(payload, this.#salt),
      });
      this.#used += FRAME_HEADER_BYTES + payloadBytes;
      this.#offset += FRAME_HEADER_BYTES + payloadBytes;
    }
  }
}

/** Reads the chunks of a record as one sequence of bytes. */
class ChunkCursor {
  readonly #chunks: readonly Uint8Array[];
  #chunk = 0;
  #at = 0;

  constructor(chunks: readonly Uint8Array[]) {
    this.#chunks = chunks;
  }

  copyTo(target: Uint8Array): void {
    for (let filled = 0; filled < target.byteLength; ) {
      const chunk = this.#chunks[this.#chunk];
      const piece = chunk.subarray(this.#at, this.#at + target.byteLength - filled);
      target.set(piece, filled);
      filled += piece.byteLength;
      this.#at += piece.byteLength;
      if (this.#at === chunk.byteLength) {
        this.#chunk++;
        this.#at = 0;
      }
    }
  }
}
