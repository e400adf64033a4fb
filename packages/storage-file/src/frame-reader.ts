import type { OpenFile } from './file-system.ts';
import {
  COMMIT,
  type DecodedFrame,
  decodeFrameHeader,
  expectedPayloadCrc,
  FIRST,
  FRAME_HEADER_BYTES,
  FRAME_MAGIC_BYTES,
  LAST,
  MAX_PAYLOAD_BYTES,
  SEAL,
} from './log-frame.ts';

const WINDOW_BYTES = 256 * 1024;

export interface ReadFrame extends DecodedFrame {
  /** Memory of the reader, which is used again. */
  readonly payload: Uint8Array;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly isCommit: boolean;
  /** The log continues in the next file; nothing follows in this one. */
  readonly isSeal: boolean;
}

/**
 * Reads the frames of a log file one behind the other, as long as each is whole and follows on the
 * one before.
 */
export class FrameReader {
  readonly #file: Pick<OpenFile, 'read'>;
  readonly #salt: number;
  readonly #endOffset: number;
  #window: Buffer;
  /** The window has the bytes of the file from `#windowOffset` on, `#filled` of them. */
  #windowOffset: number;
  #filled = 0;
  #chain: number;
  #position: number;
  #isWithinRecord = false;
  /** Where the next frame begins, or was to begin when there is none. */
  offset: number;

  /** The checksum of the last frame. */
  get chain(): number {
    return this.#chain;
  }

  /** Begins at a frame that follows on `start`; reads no byte behind `endOffset`. */
  constructor(
    file: Pick<OpenFile, 'read'>,
    salt: number,
    start: { offset: number; position: number; chain: number },
    endOffset: number,
  ) {
    this.#file = file;
    this.#salt = salt;
    this.#endOffset = endOffset;
    this.#window = Buffer.allocUnsafe(Math.min(WINDOW_BYTES, Math.max(0, endOffset - start.offset)));
    this.#windowOffset = start.offset;
    this.#chain = start.chain;
    this.#position = start.position;
    this.offset = start.offset;
  }

  /** The next frame; undefined when what comes is none: the end, or damage. */
  async next(): Promise<ReadFrame | undefined> {
    if (!this.#has(FRAME_HEADER_BYTES) && !(await this.#fill(FRAME_HEADER_BYTES))) return undefined;
    const header = decodeFrameHeader(this.#window, this.#at, this.#salt, this.offset);
    if (!header || !this.#follows(header)) return undefined;
    const frameBytes = FRAME_HEADER_BYTES + header.payloadBytes;
    if (!this.#has(frameBytes) && !(await this.#fill(frameBytes))) return undefined;
    const from = this.#at + FRAME_HEADER_BYTES;
    const payload = this.#window.subarray(from, from + header.payloadBytes);
    if (expectedPayloadCrc(header, payload, this.#salt) !== header.payloadCrc) return undefined;
    const isSeal = (header.flags & SEAL) !== 0;
    const isLast = (header.flags & LAST) !== 0;
    this.#chain = header.crc;
    this.#position = header.position;
    this.#isWithinRecord = !isLast && !isSeal;
    this.offset += frameBytes;
    return {
      ...header,
      payload,
      isFirst: (header.flags & FIRST) !== 0,
      isLast,
      isCommit: (header.flags & COMMIT) !== 0,
      isSeal,
    };
  }

  #follows({ chain, position, flags, payloadBytes }: DecodedFrame): boolean {
    if (chain !== this.#chain || payloadBytes > MAX_PAYLOAD_BYTES) return false;
    if ((flags & SEAL) !== 0) return !this.#isWithinRecord && payloadBytes === 0 && position === this.#position;
    const isFirst = (flags & FIRST) !== 0;
    return isFirst !== this.#isWithinRecord && position === this.#position + (isFirst ? 1 : 0);
  }

  get #at(): number {
    return this.offset - this.#windowOffset;
  }

  /** Whether the window holds so many bytes from the next frame on. */
  #has(byteLength: number): boolean {
    return this.#at + byteLength <= this.#filled;
  }

  /**
   * Makes the window hold so many bytes from the next frame on; false when the file ends before.
   */
  async #fill(byteLength: number): Promise<boolean> {
    if (this.offset + byteLength > this.#endOffset) return false;
    const kept = this.#window.subarray(this.#at, this.#filled);
    if (byteLength > this.#window.byteLength) {
      const larger = Buffer.allocUnsafe(MAX_PAYLOAD_BYTES + FRAME_HEADER_BYTES);
      larger.set(kept);
      this.#window = larger;
    } else {
      this.#window.copyWithin(0, this.#at, this.#filled);
    }
    this.#filled = kept.byteLength;
    this.#windowOffset = this.offset;
    const wanted = Math.min(this.#window.byteLength - this.#filled, this.#endOffset - this.offset - this.#filled);
    this.#filled += await this.#file.read(
      this.#window.subarray(this.#filled, this.#filled + wanted),
      this.#windowOffset + this.#filled,
    );
    return byteLength <= this.#filled;
  }
}

/**
 * Looks behind a place that holds no frame for one that was written when everything before it was
 * durable: then the place is no torn end of the log, but damage. Frames that were made durable
 * together with the place, or left over from before, name a batch that begins no later than the
 * place. Gives its offset.
 */
export async function findLaterBatch(
  file: OpenFile,
  salt: number,
  offset: number,
  endOffset: number,
): Promise<number | undefined> {
  const window = Buffer.allocUnsafe(Math.min(2 ** 20, Math.max(0, endOffset - offset)));
  for (let from = offset; from + FRAME_HEADER_BYTES <= endOffset; ) {
    const filled = await file.read(window.subarray(0, Math.min(window.byteLength, endOffset - from)), from);
    for (let at = -1; ; ) {
      at = window.indexOf(FRAME_MAGIC_BYTES, at + 1);
      if (at < 0 || at + FRAME_HEADER_BYTES > filled) break;
      const header = decodeFrameHeader(window, at, salt, from + at);
      if (header && header.batch > offset) return header.offset;
    }
    if (filled < window.byteLength) return undefined;
    from += filled - FRAME_HEADER_BYTES + 1; // The first place at which no whole header was in the window.
  }
  return undefined;
}
