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
  /** The reservation whose turn it is, of those numbered below `reservations`; see `reserve`. */
  readonly turn: number;
  readonly reservations: number;
  /** Whether the time of the turn is over. */
  readonly isTurnOver: boolean;
}

const COLUMNS = [
  ...['incarnation', 'position', 'generation', 'log_start', 'checkpoints', 'checkpoint_position', 'fence'],
  ...['turn', 'reservations'],
];

/** Returns the columns of a {@link NamespaceRow}, each with a prefix such as `n.`. */
export function namespaceColumns(prefix = ''): string {
  const columns = COLUMNS.map((column) => `${prefix}${column}`);
  return `${columns.join(', ')}, CASE WHEN ${prefix}turn_until < now() THEN 1 ELSE 0 END AS turn_over`;
}

/** Whether only the holder of a reservation may append. */
export function isReserved({ turn, reservations, isTurnOver }: NamespaceRow): boolean {
  return turn < reservations && !isTurnOver;
}

export function namespaceRow(row: Row): NamespaceRow {
  return {
    incarnation: String(row.incarnation),
    position: Number(row.position),
    generation: Number(row.generation),
    logStart: Number(row.log_start),
    checkpoints: Number(row.checkpoints),
    checkpointPosition: Number(row.checkpoint_position),
    fence: Number(row.fence),
    turn: Number(row.turn),
    reservations: Number(row.reservations),
    isTurnOver: Number(row.turn_over) === 1,
  };
}

/** Returns the head of a namespace, which has no row if it was never written to. */
export function headOf(row: NamespaceRow | undefined): Head {
  if (!row) return NO_HEAD;
  return row.position > 0 ? headAt(row, row.position) : { ...NO_HEAD, generation: row.generation };
}

/** Returns the head of a namespace with a position of its own. */
export function headAt({ incarnation, generation }: NamespaceRow, position: number): Head {
  return { incarnation, position, generation };
}
