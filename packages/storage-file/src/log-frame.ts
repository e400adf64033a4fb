import { crc32 } from './checksum.ts';
import { getUint64, setUint64 } from './uint64.ts';

/** A record is one frame, or several if it is large. */
export const FRAME_HEADER_BYTES = 72;
export const MAX_PAYLOAD_BYTES = 2 ** 20;

/** The magic bytes that frames of all versions start with. */
export const FRAME_MAGIC_BYTES = Buffer.from('RWF', 'latin1');
const MAGIC_1 = 0x31465752; // 'RWF1': the payload checksum is the CRC-32
const MAGIC_2 = 0x32465752; // 'RWF2': it is `payloadChecksum`
const CRC_AT = 68;

/**
 * Flags: the first frame of its record; the last one; the last one of its append, which completes
 * the append.
 */
export const FIRST = 1;
export const LAST = 2;
export const COMMIT = 4;
/** Not a record: the log continues in the file whose base is the frame's position. */
export const SEAL = 8;

const ECHO_BYTES = 8;

/**
 * Returns the CRC-32 of a payload followed by its last 8 bytes again, seeded with the salt of the
 * file. The repetition is needed because a record may end with its own CRC-32: the CRC-32 of such
 * bytes is the same for all records of one length, so any of them would be accepted in place of
 * another.
 */
export function payloadChecksum(payload: Uint8Array, salt: number): number {
  return crc32(payload.subarray(Math.max(0, payload.byteLength - ECHO_BYTES)), crc32(payload, salt));
}

/** Returns the checksum that a frame's header must have for a payload. */
export function expectedPayloadCrc({ version }: DecodedFrame, payload: Uint8Array, salt: number): number {
  return version === 1 ? crc32(payload) : payloadChecksum(payload, salt);
}

export interface FrameHeader {
  readonly payloadBytes: number;
  readonly flags: number;
  /**
   * The checksum of the previous frame in the log, or the one in the file's header. It makes frames
   * left over from a truncated part invalid.
   */
  readonly chain: number;
  /**
   * The position of the frame's record: the number of records in the log up to and including it.
   */
  readonly position: number;
  /** Offset of the frame in its file. */
  readonly offset: number;
  /**
   * Offset of the first frame of the batch made durable together with this one. Everything before
   * that was durable when this frame was written.
   */
  readonly batch: number;
  /** Size of the whole record. */
  readonly recordBytes: number;
  /** 32 hexadecimal digits. */
  readonly id: string;
  readonly payloadCrc: number;
}

/** Writes the header of a frame. Returns its checksum, which is the `chain` of the next one. */
export function encodeFrameHeader(into: Buffer, at: number, salt: number, frame: FrameHeader): number {
  const view = new DataView(into.buffer, into.byteOffset + at, FRAME_HEADER_BYTES);
  view.setUint32(0, MAGIC_2, true);
  view.setUint32(4, frame.payloadBytes, true);
  view.setUint32(8, frame.flags, true);
  view.setUint32(12, frame.chain, true);
  setUint64(view, 16, frame.position);
  setUint64(view, 24, frame.offset);
  setUint64(view, 32, frame.batch);
  setUint64(view, 40, frame.recordBytes);
  into.write(frame.id, at + 48, 'hex');
  view.setUint32(64, frame.payloadCrc, true);
  const crc = crc32(into.subarray(at, at + CRC_AT), salt);
  view.setUint32(CRC_AT, crc, true);
  return crc;
}

export interface DecodedFrame extends FrameHeader {
  readonly version: 1 | 2;
  /** The checksum of the header. */
  readonly crc: number;
}

/**
 * Decodes the header at `at` of the bytes, which corresponds to `offset` in the file. Returns
 * undefined if it is invalid or belongs to another offset.
 */
export function decodeFrameHeader(bytes: Buffer, at: number, salt: number, offset: number): DecodedFrame | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, FRAME_HEADER_BYTES);
  const magic = view.getUint32(0, true);
  if (magic !== MAGIC_1 && magic !== MAGIC_2) return undefined;
  const crc = view.getUint32(CRC_AT, true);
  if (crc !== crc32(bytes.subarray(at, at + CRC_AT), salt)) return undefined;
  if (getUint64(view, 24) !== offset) return undefined;
  return {
    version: magic === MAGIC_1 ? 1 : 2,
    payloadBytes: view.getUint32(4, true),
    flags: view.getUint32(8, true),
    chain: view.getUint32(12, true),
    position: getUint64(view, 16),
    offset,
    batch: getUint64(view, 32),
    recordBytes: getUint64(view, 40),
    id: bytes.toString('hex', at + 48, at + 64),
    payloadCrc: view.getUint32(64, true),
    crc,
  };
}
