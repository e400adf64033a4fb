import { crc32 } from 'node:zlib';
import type { WrittenBlob } from './blob-store.ts';
import type { Row } from './database.ts';
import { corrupt } from './postgres-errors.ts';

/** A segment of a checkpoint, as its row describes it. */
export interface SegmentRow extends WrittenBlob {
  readonly name: string;
}

/** A stored checkpoint. */
export interface CheckpointRow {
  readonly number: number;
  readonly position: number;
  readonly segments: readonly SegmentRow[];
}

/**
 * Returns the list of segments as text: a checksum, then names, blobs and lengths in the order of
 * writing, as JSON.
 */
export function segmentsText(segments: readonly SegmentRow[]): string {
  const list = JSON.stringify(segments.map(({ name, blob, byteLength }) => [name, blob, byteLength]));
  return `${crc32(list)} ${list}`;
}

/** Reads a row of the table of checkpoints. Throws CORRUPT if its list of segments is damaged. */
export function checkpointRow(row: Row, where: string): CheckpointRow {
  const text = String(row.segments);
  const space = text.indexOf(' ');
  const list = text.slice(space + 1);
  if (crc32(list) !== Number(text.slice(0, space)))
    throw corrupt(where, `the list of segments of checkpoint ${row.checkpoint} is damaged.`);
  const segments = (JSON.parse(list) as [string, string, number][]).map(([name, blob, byteLength]) => {
    return { name, blob, byteLength };
  });
  return { number: Number(row.checkpoint), position: Number(row.position), segments };
}
