import { crc32 } from '#platform';
import { WorldsError } from '../../model/worlds-error.ts';

/**
 * The frame of everything that the engine stores: a magic number for the kind of data, a format
 * version, the body, and a CRC-32 of all that. All numbers are little-endian. Magic number, version
 * and checksum keep their positions in all future versions, so that a newer format can be
 * distinguished from damage.
 *
 *     0  u32  magic      4  u32  version      8  body      end - 4  u32  CRC-32 of all before
 */
export interface SealedKind {
  /** Name for messages, such as "commit record". */
  readonly name: string;
  readonly magic: number;
  /** The newest version that this library writes and reads. */
  readonly version: number;
}

export interface Unsealed {
  readonly version: number;
  readonly body: Uint8Array;
}

const HEADER_BYTES = 8;
const TRAILER_BYTES = 4;
/** Bytes that are checksummed per step of a kernel: about a millisecond. */
const STEP = 1 << 22;

/** Adds the frame to a body, without copying its chunks. A kernel. */
export function* seal(
  kind: SealedKind,
  body: readonly Uint8Array[],
  version: number = kind.version,
): Generator<void, Uint8Array[], void> {
  const header = new DataView(new ArrayBuffer(HEADER_BYTES));
  header.setUint32(0, kind.magic, true);
  header.setUint32(4, version, true);
  const chunks = [new Uint8Array(header.buffer), ...body];
  let checksum = 0;
  for (const chunk of chunks) checksum = yield* checksumOf(chunk, checksum);
  const trailer = new DataView(new ArrayBuffer(TRAILER_BYTES));
  trailer.setUint32(0, checksum, true);
  chunks.push(new Uint8Array(trailer.buffer));
  return chunks;
}

/**
 * Returns the body of sealed bytes, without copying it. Throws CORRUPT if the bytes are damaged,
 * UNSUPPORTED if a newer version of the library wrote them. A kernel.
 *
 * @param where identifies the namespace and the record or segment in messages
 */
export function* unseal(kind: SealedKind, bytes: Uint8Array, where: string): Generator<void, Uint8Array, void> {
  return (yield* unsealVersion(kind, bytes, where)).body;
}

/** Like {@link unseal}, for kinds of which several versions differ. */
export function* unsealVersion(kind: SealedKind, bytes: Uint8Array, where: string): Generator<void, Unsealed, void> {
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
  return { version, body: bytes.subarray(HEADER_BYTES, end) };
}

export function corrupt(kind: SealedKind, where: string, cause?: unknown): WorldsError {
  return new WorldsError(
    'CORRUPT',
    `The ${kind.name} of ${where} is damaged: it differs from what was written. Restore the namespace from a backup.`,
    { cause },
  );
}

export function lengthOf(chunks: readonly Uint8Array[]): number {
  return chunks.reduce((total, chunk) => total + chunk.length, 0);
}

/** Returns the memory of a column in native byte order. */
export function bytesOf(column: Uint32Array | Int32Array | Float32Array): Uint8Array {
  return new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
}

/** Throws UNSUPPORTED on a big-endian machine, because columns are stored in native byte order. */
export function requireLittleEndian(): void {
  if (new Uint8Array(Uint32Array.of(1).buffer)[0] === 1) return;
  throw new WorldsError(
    'UNSUPPORTED',
    'Durable storage requires a little-endian machine; use the engine without storage.',
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
