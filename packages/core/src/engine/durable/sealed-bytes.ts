import { crc32 } from 'node:zlib';
import { WorldsError } from '../../model/worlds-error.ts';

/**
 * The frame of everything that the engine stores: a magic number that says what it is and a format
 * version, then the body, then a CRC-32 of all that. All numbers are little-endian. Magic, version
 * and checksum keep their places in every version to come, so that a newer format is told apart
 * from damage.
 *
 *     0  u32  magic      4  u32  version      8  body      end - 4  u32  CRC-32 of all before
 */
export interface SealedKind {
  /** What it is, for messages: "commit record". */
  readonly name: string;
  readonly magic: number;
  /** The newest version that this library reads, and the one that it writes. */
  readonly version: number;
}

const HEADER_BYTES = 8;
const TRAILER_BYTES = 4;
/** How much one step of a kernel checks: about a millisecond. */
const STEP = 1 << 22;

/** Puts the frame around a body; its chunks are not copied. A kernel. */
export function* seal(kind: SealedKind, body: readonly Uint8Array[]): Generator<void, Uint8Array[], void> {
  const header = new DataView(new ArrayBuffer(HEADER_BYTES));
  header.setUint32(0, kind.magic, true);
  header.setUint32(4, kind.version, true);
  const chunks = [new Uint8Array(header.buffer), ...body];
  let checksum = 0;
  for (const chunk of chunks) checksum = yield* checksumOf(chunk, checksum);
  const trailer = new DataView(new ArrayBuffer(TRAILER_BYTES));
  trailer.setUint32(0, checksum, true);
  chunks.push(new Uint8Array(trailer.buffer));
  return chunks;
}

/**
 * The body of sealed bytes, without a copy. A kernel. Throws CORRUPT when they are not what was
 * sealed, UNSUPPORTED when a newer version of the library wrote them.
 *
 * @param where names the namespace and the record or segment, for messages
 */
export function* unseal(kind: SealedKind, bytes: Uint8Array, where: string): Generator<void, Uint8Array, void> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = bytes.length - TRAILER_BYTES;
  const intact =
    end >= HEADER_BYTES &&
    view.getUint32(0, true) === kind.magic &&
    view.getUint32(end, true) === (yield* checksumOf(bytes.subarray(0, end), 0));
  if (!intact) throw corrupt(kind, where);
  const version = view.getUint32(4, true);
  if (version > kind.version) {
    throw new WorldsError(
      'UNSUPPORTED',
      `The ${kind.name} of ${where} has format version ${version}; this library reads up to ${kind.version}. Open it with a newer version of the library.`,
    );
  }
  return bytes.subarray(HEADER_BYTES, end);
}

export function corrupt(kind: SealedKind, where: string, cause?: unknown): WorldsError {
  return new WorldsError(
    'CORRUPT',
    `The ${kind.name} of ${where} is damaged: it is not what was written. Restore the namespace from a backup.`,
    { cause },
  );
}

export function lengthOf(chunks: readonly Uint8Array[]): number {
  return chunks.reduce((total, chunk) => total + chunk.length, 0);
}

/** The memory of a column, as the machine has it. */
export function bytesOf(column: Uint32Array | Float32Array): Uint8Array {
  return new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
}

/**
 * Columns are written and read as they are in memory. Throws UNSUPPORTED on a big-endian machine.
 */
export function requireLittleEndian(): void {
  if (new Uint8Array(Uint32Array.of(1).buffer)[0] === 1) return;
  throw new WorldsError(
    'UNSUPPORTED',
    'Durable storage needs a little-endian machine; use the engine without storage.',
  );
}

function* checksumOf(bytes: Uint8Array, before: number): Generator<void, number, void> {
  let checksum = before;
  for (let start = 0; start < bytes.length; start += STEP) {
    if (start > 0) yield;
    checksum = crc32(bytes.subarray(start, start + STEP), checksum);
  }
  return checksum;
}
