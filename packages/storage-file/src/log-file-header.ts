import { join } from 'node:path';
import { crc32 } from './checksum.ts';
import { corrupt, newerVersion } from './file-errors.ts';
import { type NamespaceIdentity, nameDigest } from './namespace-identity.ts';
import { getUint64, setUint64 } from './uint64.ts';

export const LOG_HEADER_BYTES = 64;

const MAGIC = 'RDFWLOG\n';
const VERSION = 2;
const NAMESPACE_DIGEST_BYTES = 8;
const CRC_AT = 60;

/** The first 64 bytes of a log file. */
export interface LogFileHeader {
  /**
   * Seeds the checksums of this file's frames, so that frames of other files are not valid in it.
   */
  readonly salt: number;
  /** The position of the last record before this file. */
  readonly base: number;
  readonly incarnation: string;
  /**
   * Where the previous file ends: the offset of its seal. 0 if it has none; undefined in files of
   * version 1.
   */
  readonly previousEnd: number | undefined;
  /** The checksum of the last frame before this file. */
  readonly chain: number;
}

const namespaceDigest = (namespace: string): Uint8Array => nameDigest(namespace).subarray(0, NAMESPACE_DIGEST_BYTES);

export function encodeLogHeader(
  { salt, base, incarnation, chain, previousEnd = 0 }: LogFileHeader,
  namespace: string,
): Uint8Array {
  const bytes = Buffer.alloc(LOG_HEADER_BYTES);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  bytes.write(MAGIC, 0, 'latin1');
  view.setUint32(8, VERSION, true);
  view.setUint32(12, salt, true);
  setUint64(view, 16, base);
  bytes.write(incarnation, 24, 'hex');
  view.setUint32(40, chain, true);
  setUint64(view, 44, previousEnd);
  bytes.set(namespaceDigest(namespace), 52);
  view.setUint32(CRC_AT, crc32(bytes.subarray(0, CRC_AT)), true);
  return bytes;
}

/** Throws CORRUPT for anything but a header of this log, UNSUPPORTED for a newer version. */
export function decodeLogHeader(
  bytes: Uint8Array,
  path: string,
  identity: NamespaceIdentity,
  base: number,
): LogFileHeader {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.byteLength < LOG_HEADER_BYTES || buffer.toString('latin1', 0, 8) !== MAGIC)
    throw corrupt(path, 0, 'this is not a log file.');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = view.getUint32(8, true);
  if (view.getUint32(CRC_AT, true) !== crc32(bytes.subarray(0, CRC_AT)))
    throw corrupt(path, 0, 'the header of the log file is damaged.');
  if (version > VERSION) throw newerVersion(path, version, VERSION);
  const header = {
    salt: view.getUint32(12, true),
    base: getUint64(view, 16),
    incarnation: buffer.toString('hex', 24, 40),
    chain: view.getUint32(40, true),
    previousEnd: version === 1 ? undefined : getUint64(view, 44),
  };
  if (version > 1 && !buffer.subarray(52, 60).equals(namespaceDigest(identity.namespace)))
    throw corrupt(path, 52, 'the log file belongs to another namespace.');
  if (header.incarnation !== identity.incarnation)
    throw corrupt(path, 24, 'the log file belongs to another incarnation of the namespace.');
  if (header.base !== base) throw corrupt(path, 16, `the log file begins at position ${header.base}, not ${base}.`);
  return header;
}

const DIGITS = 16;
const LOG_NAME = /^log-(\d{16})$/;

/** Sorting log files by name gives the order of the log. */
export const logName = (base: number): string => `log-${String(base).padStart(DIGITS, '0')}`;

export const logPath = (directory: string, base: number): string => join(directory, logName(base));

/** Returns the base in the name of a log file; undefined for other files. */
export function baseOfLogName(name: string): number | undefined {
  const digits = LOG_NAME.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
