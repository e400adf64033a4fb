import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Segment } from '@rdf-worlds/core/plugin';
import { crc32 } from './checksum.ts';
import { corrupt, newerVersion } from './file-errors.ts';
import { discard, type FileSystem, hasCode, type OpenFile } from './file-system.ts';
import type { ManifestSegment } from './manifest.ts';
import { type NamespaceIdentity, nameDigest } from './namespace-identity.ts';
import { setUint64 } from './uint64.ts';

const MAGIC = 'RDFWSEG\n';
const VERSION = 2;
/** By version; version 1 had no identity. */
const HEADER_BYTES = { 1: 32, 2: 64 } as const;
const BLOCK_BYTES = 2 ** 20;
const READ_BLOCKS = 8;
/** Number of bytes at the end of the content that the digest includes: see `segmentDigest`. */
const ECHO_BYTES = 8;
const DIGEST_BYTES = 16;
/**
 * Number of blocks between syncs of a large file. One sync of the whole file at its end would delay
 * commits.
 */
const SYNC_BLOCKS = 16;

const SEGMENT_NAME = /^segment-(\d{8,15})$/;

export const segmentPath = (directory: string, file: number): string =>
  join(directory, `segment-${String(file).padStart(8, '0')}`);

export function numberOfSegmentName(name: string): number | undefined {
  const digits = SEGMENT_NAME.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

const versionOf = ({ digest }: ManifestSegment): 1 | 2 => (digest === undefined ? 1 : 2);

const blocksOf = (byteLength: number): number => Math.ceil(byteLength / BLOCK_BYTES);

/** Returns the length of a segment's file: header, content, and one checksum per block. */
export function segmentFileBytes(segment: ManifestSegment): number {
  return HEADER_BYTES[versionOf(segment)] + segment.byteLength + 4 * blocksOf(segment.byteLength);
}

/**
 * Returns the identity that a segment's file contains: a SHA-256 of its namespace, incarnation,
 * number and name.
 */
function identityOf({ namespace, incarnation }: NamespaceIdentity, name: string, file: number): Buffer {
  return createHash('sha256').update(nameDigest(namespace)).update(`${incarnation} ${file} ${name}`).digest();
}

/**
 * Returns the digest of a segment: SHA-256 of its identity, the CRC-32s of its blocks and the last
 * bytes of its content, truncated to 128 bits. The last bytes are included because a segment may
 * end with its own CRC-32; the CRC-32 of all such contents of one length is the same.
 */
function segmentDigest(identity: Buffer, table: Uint8Array, ending: Uint8Array): string {
  const hash = createHash('sha256').update(identity).update(table).update(ending);
  return hash.digest('hex').slice(0, 2 * DIGEST_BYTES);
}

function header(byteLength: number, identity: Buffer | undefined): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES[identity ? 2 : 1]);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  bytes.write(MAGIC, 0, 'latin1');
  view.setUint32(8, identity ? VERSION : 1, true);
  view.setUint32(12, BLOCK_BYTES, true);
  setUint64(view, 16, byteLength);
  if (identity) bytes.set(identity.subarray(0, DIGEST_BYTES), 28);
  const crcAt = bytes.byteLength - 4;
  view.setUint32(crcAt, crc32(bytes.subarray(0, crcAt)), true);
  return bytes;
}

/**
 * Writes a segment into a new file and syncs it. `check` is called between pieces and stops the
 * work by throwing.
 */
export async function writeSegment(
  fileSystem: Pick<FileSystem, 'open'>,
  directory: string,
  { owner, segment, file }: { readonly owner: NamespaceIdentity; readonly segment: Segment; readonly file: number },
  check: () => void,
): Promise<ManifestSegment> {
  const identity = identityOf(owner, segment.name, file);
  const open = await fileSystem.open(segmentPath(directory, file), 'create');
  try {
    const blocks = new BlockWriter(open);
    for await (const piece of segment.write()) {
      check();
      await blocks.add(piece);
    }
    return { name: segment.name, file, ...(await blocks.finish(identity)) };
  } finally {
    await discard(open);
  }
}

/** Collects pieces into blocks and writes the blocks. */
class BlockWriter {
  readonly #file: OpenFile;
  readonly #checksums: number[] = [];
  /** Grows up to a whole block: most segments of small namespaces are much smaller. */
  #block = Buffer.allocUnsafe(0);
  #used = 0;
  /** The last bytes of the last full block. */
  #ending = Buffer.alloc(0);

  constructor(file: OpenFile) {
    this.#file = file;
  }

  async add(piece: Uint8Array): Promise<void> {
    for (let at = 0; at < piece.byteLength; ) {
      const part = piece.subarray(at, at + BLOCK_BYTES - this.#used);
      this.#reserve(this.#used + part.byteLength);
      this.#block.set(part, this.#used);
      this.#used += part.byteLength;
      at += part.byteLength;
      if (this.#used === BLOCK_BYTES) await this.#flush();
    }
  }

  async finish(identity: Buffer): Promise<{ byteLength: number; digest: string }> {
    const byteLength = this.#checksums.length * BLOCK_BYTES + this.#used;
    if (this.#used > 0) await this.#flush();
    const table = Buffer.alloc(4 * this.#checksums.length);
    for (const [at, checksum] of this.#checksums.entries()) table.writeUInt32LE(checksum, 4 * at);
    if (table.byteLength > 0) await this.#file.write(table, HEADER_BYTES[VERSION] + byteLength);
    await this.#file.write(header(byteLength, identity), 0);
    await this.#file.sync();
    return { byteLength, digest: segmentDigest(identity, table, this.#ending) };
  }

  #reserve(byteLength: number): void {
    if (byteLength <= this.#block.byteLength) return;
    const larger = Buffer.allocUnsafe(Math.min(BLOCK_BYTES, Math.max(byteLength, 4 * this.#block.byteLength)));
    larger.set(this.#block.subarray(0, this.#used));
    this.#block = larger;
  }

  async #flush(): Promise<void> {
    const full = this.#block.subarray(0, this.#used);
    await this.#file.write(full, HEADER_BYTES[VERSION] + this.#checksums.length * BLOCK_BYTES);
    this.#checksums.push(crc32(full));
    this.#ending = Buffer.concat([this.#ending, full.subarray(-ECHO_BYTES)]).subarray(-ECHO_BYTES);
    this.#used = 0;
    if (this.#checksums.length % SYNC_BLOCKS === 0) await this.#file.sync();
  }
}

/**
 * Returns the content of a segment, in a buffer of its own. Throws CORRUPT if it differs from what
 * was written.
 */
export async function readSegment(
  fileSystem: FileSystem,
  directory: string,
  owner: NamespaceIdentity,
  segment: ManifestSegment,
): Promise<Uint8Array> {
  const path = segmentPath(directory, segment.file);
  const file = await openSegment(fileSystem, path);
  try {
    const { name, byteLength } = segment;
    const identity = versionOf(segment) === 1 ? undefined : identityOf(owner, name, segment.file);
    const contentAt = await checkHeader(file, path, segment, identity);
    const table = Buffer.alloc(4 * blocksOf(byteLength));
    const tableAt = contentAt + byteLength;
    const tableBytes = await file.read(table, tableAt);
    if (tableBytes < table.byteLength || (!identity && crc32(table) !== segment.checksum))
      throw corrupt(path, tableAt, `the checksums of segment ${name} are damaged or cut off.`);
    const content = new Uint8Array(byteLength);
    for (let at = 0; at < content.byteLength; at += READ_BLOCKS * BLOCK_BYTES) {
      const part = content.subarray(at, at + READ_BLOCKS * BLOCK_BYTES);
      await file.read(part, contentAt + at);
      for (let block = 0; block < part.byteLength; block += BLOCK_BYTES) {
        const wanted = table.readUInt32LE(((at + block) / BLOCK_BYTES) * 4);
        if (crc32(part.subarray(block, block + BLOCK_BYTES)) !== wanted)
          throw corrupt(path, contentAt + at + block, `segment ${name} is damaged in this block of 1 MiB.`);
      }
    }
    if (identity && segmentDigest(identity, table, content.subarray(-ECHO_BYTES)) !== segment.digest)
      throw corrupt(path, undefined, `the content differs from what was written for segment ${name}.`);
    return content;
  } finally {
    await discard(file);
  }
}

async function openSegment(fileSystem: FileSystem, path: string): Promise<OpenFile> {
  try {
    return await fileSystem.open(path, 'read');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) throw corrupt(path, undefined, 'the file of a segment is missing.', error);
    throw error;
  }
}

/** Checks the header of a file against the expected one. Returns the offset of the content. */
async function checkHeader(
  file: OpenFile,
  path: string,
  { name, byteLength }: ManifestSegment,
  identity: Buffer | undefined,
): Promise<number> {
  const expected = header(byteLength, identity);
  const found = Buffer.alloc(expected.byteLength);
  await file.read(found, 0);
  if (found.equals(expected)) return expected.byteLength;
  const crcAt = found.byteLength - 4;
  const isWhole = found.readUInt32LE(crcAt) === crc32(found.subarray(0, crcAt));
  if (!isWhole) throw corrupt(path, 0, `the header of segment ${name} is damaged.`);
  if (found.readUInt32LE(8) > VERSION) throw newerVersion(path, found.readUInt32LE(8), VERSION);
  throw corrupt(path, 0, `this file belongs to a segment other than ${name}, or to another namespace.`);
}
