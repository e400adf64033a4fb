import type { LogRecord } from '@rdf-worlds/core/plugin';

const ID_BYTES = 16;
const HEADER_BYTES = ID_BYTES + 4;

/** Returns the size of records in a batch, in bytes. */
export function batchBytes(records: readonly LogRecord[]): number {
  return records.reduce((sum, { chunks }) => sum + HEADER_BYTES + lengthOf(chunks), 0);
}

/**
 * Returns records as one value: of each, the 16 bytes of its id, the length of its content (u32,
 * little-endian), and the content.
 */
export function encodeBatch(records: readonly LogRecord[]): Buffer {
  const bytes = Buffer.allocUnsafe(batchBytes(records));
  let at = 0;
  for (const { id, chunks } of records) {
    bytes.write(id, at, 'hex');
    at = bytes.writeUInt32LE(lengthOf(chunks), at + ID_BYTES);
    for (const chunk of chunks) {
      bytes.set(chunk, at);
      at += chunk.byteLength;
    }
  }
  return bytes;
}

/**
 * Returns the records of a batch, each in memory of its own; undefined if the bytes are no batch.
 */
export function decodeBatch(bytes: Uint8Array): { readonly id: string; readonly data: Uint8Array }[] | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const records = [];
  for (let at = 0; at < buffer.byteLength; ) {
    if (at + HEADER_BYTES > buffer.byteLength) return undefined;
    const id = buffer.toString('hex', at, at + ID_BYTES);
    const start = at + HEADER_BYTES;
    at = start + buffer.readUInt32LE(at + ID_BYTES);
    if (at > buffer.byteLength) return undefined;
    records.push({ id, data: new Uint8Array(buffer.subarray(start, at)) });
  }
  return records;
}

function lengthOf(chunks: readonly Uint8Array[]): number {
  return chunks.reduce((sum, { byteLength }) => sum + byteLength, 0);
}
