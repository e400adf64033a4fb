import { join } from 'node:path';
import { crc32 } from './checksum.ts';
import { corrupt, newerVersion } from './file-errors.ts';
import { type FileSystem, readFile, replaceFile } from './file-system.ts';
import type { NamespaceIdentity } from './namespace-identity.ts';

/** The state of a namespace, apart from the records of its log. */
export interface Manifest extends NamespaceIdentity {
  /** The generation of the namespace: see `Head`. 0 if missing. */
  readonly generation?: number;
  /** The epoch of the storage in which the last log file was created or copied; 0 if missing. */
  readonly epoch?: number;
  /** The position of the last forgotten record. */
  readonly logStart: number;
  /**
   * The base of the first log file still needed. Missing in version 1, which assumes the last one
   * up to `logStart`; that is wrong if a rotation was abandoned there.
   */
  readonly logFile?: number;
  /** Every record up to this position was durable when the manifest was written. */
  readonly durable: number;
  /** The newest checkpoint and the one before it, in this order. */
  readonly checkpoints: readonly ManifestCheckpoint[];
}

/** A place between two appends in a file of the log. */
export interface LogPlace {
  /** The base of the file. */
  readonly base: number;
  readonly position: number;
  readonly offset: number;
  /** The checksum of the last frame before it. */
  readonly chain: number;
}

export interface ManifestCheckpoint {
  readonly position: number;
  /**
   * A place at or before the checkpoint's position from which the log can be read. Used for salvage
   * if the log before it is damaged. May be missing, and its file may have been removed.
   */
  readonly place?: LogPlace;
  readonly segments: readonly ManifestSegment[];
}

export interface ManifestSegment {
  readonly name: string;
  /** The number of the file. */
  readonly file: number;
  readonly byteLength: number;
  /**
   * The `segmentDigest` of identity and content, 32 hexadecimal digits. Missing for files of
   * version 1.
   */
  readonly digest?: string;
  /** For files of version 1: the CRC-32 of the table of checksums in the file. */
  readonly checksum?: number;
}

const MAGIC = 'RDFWMAN\n';
const VERSION = 2;
const HEADER_BYTES = 24;

export const manifestPath = (directory: string): string => join(directory, 'manifest');

export function encodeManifest(manifest: Manifest): Uint8Array {
  const content = Buffer.from(JSON.stringify(manifest));
  const bytes = Buffer.alloc(HEADER_BYTES + content.byteLength);
  bytes.write(MAGIC, 0, 'latin1');
  bytes.writeUInt32LE(VERSION, 8);
  bytes.writeUInt32LE(content.byteLength, 12);
  bytes.writeUInt32LE(crc32(content), 16);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 20)), 20);
  bytes.set(content, HEADER_BYTES);
  return bytes;
}

/** Throws CORRUPT if the bytes differ from what was written. */
export function decodeManifest(bytes: Uint8Array, path: string): Manifest {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.byteLength < HEADER_BYTES || buffer.toString('latin1', 0, 8) !== MAGIC)
    throw corrupt(path, 0, 'this is not a manifest.');
  if (buffer.readUInt32LE(20) !== crc32(buffer.subarray(0, 20)))
    throw corrupt(path, 0, 'the header of the manifest is damaged.');
  const version = buffer.readUInt32LE(8);
  if (version > VERSION) throw newerVersion(path, version, VERSION);
  const content = buffer.subarray(HEADER_BYTES);
  if (buffer.readUInt32LE(12) !== content.byteLength || buffer.readUInt32LE(16) !== crc32(content))
    throw corrupt(path, HEADER_BYTES, 'the content of the manifest is damaged.');
  return JSON.parse(content.toString()) as Manifest;
}

/** Returns the manifest of a namespace's directory; undefined if there is none. */
export async function readManifest(fileSystem: FileSystem, directory: string): Promise<Manifest | undefined> {
  const path = manifestPath(directory);
  const bytes = await readFile(fileSystem, path);
  return bytes && decodeManifest(bytes, path);
}

export function writeManifest(fileSystem: FileSystem, directory: string, manifest: Manifest): Promise<void> {
  return replaceFile(fileSystem, directory, manifestPath(directory), encodeManifest(manifest));
}
