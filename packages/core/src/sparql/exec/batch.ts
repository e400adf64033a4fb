import { newColumn } from '../../contracts/new-column.ts';

/**
 * A batch of rows in columnar form, exchanged between operators: one column of term ids per slot. A
 * slot is a variable of one scope, as a number; the id 0 means unbound.
 *
 * A batch belongs to the operator that yielded it: its rows are valid until the next batch is
 * requested from that operator. Consumers that keep rows longer must copy them (see
 * {@link RowStore}).
 */
export class Batch {
  /** Columns by slot; undefined for slots that the rows do not have. */
  readonly columns: readonly (Uint32Array | undefined)[];
  readonly capacity: number;
  length = 0;

  constructor(columns: readonly (Uint32Array | undefined)[], capacity: number) {
    this.columns = columns;
    this.capacity = capacity;
  }

  /** Allocates a batch with its own column for each slot. */
  static withSlots(slots: readonly number[], capacity: number): Batch {
    return new Batch(
      columnsBySlot(slots, () => newColumn(capacity)),
      capacity,
    );
  }
}

/** Smaller batches are not worth a program that works on whole batches. */
export const MIN_BATCH_ROWS = 16;

/** Placeholder for a batch that has not been allocated yet. */
export const NO_BATCH: Batch = new Batch([], 0);

/** Returns an array of columns indexed by slot; unused slots are undefined, not holes. */
export function columnsBySlot(
  slots: readonly number[],
  column: (slot: number) => Uint32Array | undefined,
): (Uint32Array | undefined)[] {
  let length = 0;
  for (const slot of slots) if (slot >= length) length = slot + 1;
  // Allocated at full length: an array that grows by assignment reserves room for sixteen more
  // elements.
  const columns = new Array<Uint32Array | undefined>(length).fill(undefined);
  for (const slot of slots) columns[slot] = column(slot);
  return columns;
}

/** Placeholder for a column that has not been allocated yet. */
export const NO_ROWS: Uint32Array = new Uint32Array(0);

/**
 * Yielded in place of a batch when the time slice is used up. Operators must pass it on so that the
 * driver can yield to the event loop.
 */
export const PAUSE: unique symbol = Symbol('pause');
export type Pause = typeof PAUSE;

/** Output of an operator: non-empty batches and pauses. */
export type Stream = Generator<Batch | Pause, void, void>;

/**
 * Returns the columns of the given slots, in order. Slots missing from the batch become unbound
 * columns.
 */
export function keyColumns(batch: Pick<Batch, 'columns' | 'length'>, slots: readonly number[]): Uint32Array[] {
  return slots.map((slot) => batch.columns[slot] ?? newColumn(batch.length));
}

/** Gathers rows by number: `target[at + i] = source[rows[i]]` for each slot. */
export function gatherRows(
  slots: readonly number[],
  source: Batch,
  rows: Uint32Array,
  target: Batch,
  at: number,
  count: number,
): void {
  for (const slot of slots) gather(source.columns[slot]!, rows, target.columns[slot]!, at, count);
}

/** As {@link gatherRows}, for one column. */
export function gather(from: Uint32Array, rows: Uint32Array, to: Uint32Array, at: number, count: number): void {
  for (let i = 0; i < count; i++) to[at + i] = from[rows[i]];
}

/** Returns an empty batch to continue with after a full one, which it may be. */
export function emptied(batch: Batch, slots: readonly number[], execution: BatchSizes): Batch {
  const columns = slots.length;
  if (batch.capacity < execution.mostRows(columns)) {
    return Batch.withSlots(slots, execution.moreRows(batch.capacity, columns));
  }
  batch.length = 0;
  return batch;
}

/** How many rows a batch has room for, by the number of its columns. */
interface BatchSizes {
  mostRows(columns: number): number;
  moreRows(rows: number, columns: number): number;
}
