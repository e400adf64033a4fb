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
  /** The reader's own buffer, which is reused. */
  readonly payload: Uint8Array;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly isCommit: boolean;
  /** The log continues in the next file; no frames follow in this one. */
  readonly isSeal: boolean;
}

/**
 * Reads the frames of a log file in sequence, as long as each is complete and continues the
 * previous one.
 */
export class FrameReader {
  readonly #file: Pick<OpenFile, 'read'>;
  readonly #salt: number;
  readonly #endOffset: number;
  #window: Buffer;
  /** The window holds `#filled` bytes of the file from `#windowOffset` on. */
  #windowOffset: number;
  #filled = 0;
  #chain: number;
  #position: number;
  #isWithinRecord = false;
  /** Offset of the next frame, or where one was expected if there is none. */
  offset: number;

  /** The checksum of the last frame. */
  get chain(): number {
    return this.#chain;
  }

  /** Starts at a frame that follows `start`. Reads no byte from `endOffset` on. */
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

  /**
   * Returns the next frame; undefined if there is no valid one, at the end or because of damage.
   */
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

  /** Returns whether the window holds `byteLength` bytes from the next frame on. */
  #has(byteLength: number): boolean {
    return this.#at + byteLength <= this.#filled;
  }

  /**
   * Fills the window with `byteLength` bytes from the next frame on. Returns false if the file ends
   * first.
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
 * Searches behind a place without a valid frame for a frame written after everything before it was
 * durable. Such a frame proves that the place is damaged rather than the torn end of the log.
 * Frames made durable together with the place, or left over from before, name a batch that starts
 * no later than the place. Returns the offset of the frame found.
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
    // The first offset at which the window held no complete header.
    from += filled - FRAME_HEADER_BYTES + 1;
  }
  return undefined;
}
