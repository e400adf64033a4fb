import { newColumn } from '../../storage/new-column.ts';

/**
 * Rows of ids on their way between operators: a column for each slot that the operator binds. A
 * slot is a variable of one scope, as a number; 0 in a column is unbound.
 *
 * A batch belongs to the operator that gave it: its rows are valid until that operator is asked for
 * the next batch. Whoever keeps rows longer copies them (see {@link RowStore}).
 */
export class Batch {
  /** By slot; undefined for the slots that these rows do not have. */
  readonly columns: readonly (Uint32Array | undefined)[];
  readonly capacity: number;
  length = 0;

  constructor(columns: readonly (Uint32Array | undefined)[], capacity: number) {
    this.columns = columns;
    this.capacity = capacity;
  }

  /** A batch with a column of its own for each slot. */
  static withSlots(slots: readonly number[], capacity: number): Batch {
    return new Batch(
      columnsBySlot(slots, () => newColumn(capacity)),
      capacity,
    );
  }
}

/** In the place of a batch that nothing was needed of yet. */
export const NO_BATCH: Batch = new Batch([], 0);

/** A sparse array of columns, without holes. */
export function columnsBySlot(
  slots: readonly number[],
  column: (slot: number) => Uint32Array | undefined,
): (Uint32Array | undefined)[] {
  let length = 0;
  for (const slot of slots) if (slot >= length) length = slot + 1;
  // Made as long as it will be: one that grows takes room for sixteen more.
  const columns = new Array<Uint32Array | undefined>(length).fill(undefined);
  for (const slot of slots) columns[slot] = column(slot);
  return columns;
}

/** A column of no rows, where one with rows takes its place later. */
export const NO_ROWS: Uint32Array = new Uint32Array(0);

/**
 * Given in place of a batch when the time slice is used up: pass it on, so that the driver can let
 * the event loop run.
 */
export const PAUSE: unique symbol = Symbol('pause');
export type Pause = typeof PAUSE;

/** What an operator gives: batches that are not empty, and pauses. */
export type Stream = Generator<Batch | Pause, void, void>;

/** The columns of some slots, in their order; a slot that the batch does not have is unbound. */
export function keyColumns(batch: Batch, slots: readonly number[]): Uint32Array[] {
  return slots.map((slot) => batch.columns[slot] ?? newColumn(batch.length));
}

/** Copies rows of some slots: `target[at + i] = source[rows[i]]`. */
export function gatherRows(
  slots: readonly number[],
  source: Batch,
  rows: Uint32Array,
  target: Batch,
  at: number,
  count: number,
): void {
  for (const slot of slots) {
    const from = source.columns[slot]!;
    const to = target.columns[slot]!;
    for (let i = 0; i < count; i++) to[at + i] = from[rows[i]];
  }
}
