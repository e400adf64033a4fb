import { type Head, NO_HEAD } from '@rdf-worlds/core/plugin';
import type { Row } from './database.ts';

/** The row of a namespace. */
export interface NamespaceRow {
  /** While `position` is 0, the incarnation that the first append will start. */
  readonly incarnation: string;
  readonly position: number;
  /** See `Head`. */
  readonly generation: number;
  /** Position of the last truncated record. */
  readonly logStart: number;
  /** Number of checkpoints that were written; the number of the newest. */
  readonly checkpoints: number;
  readonly checkpointPosition: number;
  /**
   * Raised to invalidate appends of unknown outcome: one that was sent with an earlier value can no
   * longer succeed.
   */
  readonly fence: number;
}

/** The columns of a {@link NamespaceRow}. */
export const NAMESPACE_COLUMNS =
  'incarnation, position, generation, log_start, checkpoints, checkpoint_position, fence';

export function namespaceRow(row: Row): NamespaceRow {
  return {
    incarnation: String(row.incarnation),
    position: Number(row.position),
    generation: Number(row.generation),
    logStart: Number(row.log_start),
    checkpoints: Number(row.checkpoints),
    checkpointPosition: Number(row.checkpoint_position),
    fence: Number(row.fence),
  };
}

/** Returns the head of a namespace, which has no row if it was never written to. */
export function headOf(row: NamespaceRow | undefined): Head {
  return row && row.position > 0 ? headAt(row, row.position) : NO_HEAD;
}

/** Returns the head of a namespace with a position of its own. */
export function headAt({ incarnation, generation }: NamespaceRow, position: number): Head {
  return { incarnation, position, generation };
}
