import { join } from 'node:path';
import type { Segment } from '@rdf-worlds/core';
import { crc32 } from './checksum.ts';
import { corrupt, newerVersion } from './file-errors.ts';
import { type FileSystem, hasCode, type OpenFile } from './file-system.ts';
import type { ManifestSegment } from './manifest.ts';
import { setUint64 } from './uint64.ts';

const MAGIC = 'RDFWSEG\n';
const VERSION = 1;
const HEADER_BYTES = 32;
const BLOCK_BYTES = 2 ** 20;
const READ_BLOCKS = 8;
/** Synced so often on the way, so that the end does not wait for a whole large file, nor commits meanwhile. */
const SYNC_BLOCKS = 16;

const SEGMENT_NAME = /^segment-(\d{8,15})$/;

export const segmentPath = (directory: string, file: number): string =>
  join(directory, `segment-${String(file).padStart(8, '0')}`);

export function numberOfSegmentName(name: string): number | undefined {
  const digits = SEGMENT_NAME.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** How many bytes the file of a segment has: header, content, a checksum a block. */
export function segmentFileBytes({ byteLength }: ManifestSegment): number {
  return HEADER_BYTES + byteLength + 4 * Math.ceil(byteLength / BLOCK_BYTES);
}

function header(byteLength: number): Uint8Array {
  const bytes = Buffer.alloc(HEADER_BYTES);
  const view = new DataView(bytes.buffer, bytes.byteOffset, HEADER_BYTES);
  bytes.write(MAGIC, 0, 'latin1');
  view.setUint32(8, VERSION, true);
  view.setUint32(12, BLOCK_BYTES, true);
  setUint64(view, 16, byteLength);
  view.setUint32(28, crc32(bytes.subarray(0, 28)), true);
  return bytes;
}

/** Writes a segment into a new file and syncs it. `check` is called between pieces, and stops it by throwing. */
export async function writeSegment(
  fileSystem: Pick<FileSystem, 'open'>,
  path: string,
  segment: Segment,
  check: () => void,
): Promise<Omit<ManifestSegment, 'file'>> {
  const file = await fileSystem.open(path, 'create');
  try {
    const blocks = new BlockWriter(file);
    for await (const piece of segment.write()) {
      check();
      await blocks.add(piece);
    }
    return { name: segment.name, ...(await blocks.finish()) };
  } finally {
    await file.close();
  }
}

/** Collects pieces to blocks, and writes these. */
class BlockWriter {
  readonly #file: OpenFile;
  readonly #checksums: number[] = [];
  /** Grows up to a whole block: most segments of small namespaces are much smaller. */
  #block = Buffer.allocUnsafe(0);
  #used = 0;

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

  async finish(): Promise<{ byteLength: number; checksum: number }> {
    const byteLength = this.#checksums.length * BLOCK_BYTES + this.#used;
    if (this.#used > 0) await this.#flush();
    const table = Buffer.alloc(4 * this.#checksums.length);
    for (const [at, checksum] of this.#checksums.entries()) table.writeUInt32LE(checksum, 4 * at);
    if (table.byteLength > 0) await this.#file.write(table, HEADER_BYTES + byteLength);
    await this.#file.write(header(byteLength), 0);
    await this.#file.sync();
    return { byteLength, checksum: crc32(table) };
  }

  #reserve(byteLength: number): void {
    if (byteLength <= this.#block.byteLength) return;
    const larger = Buffer.allocUnsafe(Math.min(BLOCK_BYTES, Math.max(byteLength, 4 * this.#block.byteLength)));
    larger.set(this.#block.subarray(0, this.#used));
    this.#block = larger;
  }

  async #flush(): Promise<void> {
    const full = this.#block.subarray(0, this.#used);
    await this.#file.write(full, HEADER_BYTES + this.#checksums.length * BLOCK_BYTES);
    this.#checksums.push(crc32(full));
    this.#used = 0;
    if (this.#checksums.length % SYNC_BLOCKS === 0) await this.#file.sync();
  }
}

/** The content of a segment, in memory of its own. Throws CORRUPT when it is not what was written. */
export async function readSegment(fileSystem: FileSystem, path: string, segment: ManifestSegment): Promise<Uint8Array> {
  const file = await openSegment(fileSystem, path);
  try {
    await checkHeader(file, path, segment);
    const table = Buffer.alloc(4 * Math.ceil(segment.byteLength / BLOCK_BYTES));
    const tableAt = HEADER_BYTES + segment.byteLength;
    if ((await file.read(table, tableAt)) < table.byteLength || crc32(table) !== segment.checksum)
      throw corrupt(path, tableAt, `the checksums of segment ${segment.name} are damaged or cut off.`);
    const content = new Uint8Array(segment.byteLength);
    for (let at = 0; at < content.byteLength; at += READ_BLOCKS * BLOCK_BYTES) {
      const part = content.subarray(at, at + READ_BLOCKS * BLOCK_BYTES);
      await file.read(part, HEADER_BYTES + at);
      for (let block = 0; block < part.byteLength; block += BLOCK_BYTES) {
        const wanted = table.readUInt32LE(((at + block) / BLOCK_BYTES) * 4);
        if (crc32(part.subarray(block, block + BLOCK_BYTES)) !== wanted)
          throw corrupt(path, HEADER_BYTES + at + block, `segment ${segment.name} is damaged in this block of 1 MiB.`);
      }
    }
    return content;
  } finally {
    await file.close();
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

async function checkHeader(file: OpenFile, path: string, segment: ManifestSegment): Promise<void> {
  const found = Buffer.alloc(HEADER_BYTES);
  await file.read(found, 0);
  if (found.equals(header(segment.byteLength))) return;
  const isWhole = found.readUInt32LE(28) === crc32(found.subarray(0, 28));
  if (isWhole && found.readUInt32LE(8) > VERSION) throw newerVersion(path, found.readUInt32LE(8), VERSION);
  throw corrupt(path, 0, `the header of segment ${segment.name} is damaged.`);
}
