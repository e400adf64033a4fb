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

/** Returns the list of segments as text: names, blobs and lengths, in the order of writing. */
export function segmentsText(segments: readonly SegmentRow[]): string {
  return JSON.stringify(segments.map(({ name, blob, byteLength }) => [name, blob, byteLength]));
}

/** Reads a row of the table of checkpoints. Throws CORRUPT if its list of segments is damaged. */
export function checkpointRow(row: Row, where: string): CheckpointRow {
  let segments: SegmentRow[];
  try {
    const list = JSON.parse(String(row.segments)) as [string, string, number][];
    segments = list.map(([name, blob, byteLength]) => ({ name, blob, byteLength }));
  } catch {
    throw corrupt(where, `the list of segments of checkpoint ${row.checkpoint} is damaged.`);
  }
  return { number: Number(row.checkpoint), position: Number(row.position), segments };
}
