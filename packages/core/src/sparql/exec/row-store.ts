import type { MemoryBudget } from '../../model/memory-budget.ts';
import { type Batch, columnsBySlot, NO_ROWS, PAUSE, type Pause } from './batch.ts';
import type { Execution } from './execution.ts';

const FIRST_ROWS = 64;
/** Rows of a column that are copied between two opportunities to pause. */
const COPIED_AT_ONCE = 1 << 18;

/**
 * Rows buffered by a blocking operator: columns that grow by doubling and are charged to the memory
 * budget.
 */
export class RowStore {
  readonly slots: readonly number[];
  /** Columns by slot, as in a batch. */
  readonly columns: (Uint32Array | undefined)[];
  length = 0;
  private capacity = 0;
  private readonly memory: MemoryBudget;

  constructor(slots: readonly number[], memory: MemoryBudget) {
    this.slots = slots;
    this.memory = memory;
    // Allocated with the first rows: in a chain of nested joins, each keeps the variables of all
    // inner ones.
    this.columns = columnsBySlot(slots, () => NO_ROWS);
  }

  /** Makes room for `more` rows, in slices with pauses: columns may have millions of rows. */
  *reserve(more: number, execution: Execution): Generator<Pause, void, void> {
    const { length, slots } = this;
    if (length + more <= this.capacity) return;
    const capacity = this.grownCapacity(length + more);
    for (const slot of slots) {
      const grown = new Uint32Array(capacity);
      yield* copySliced(this.columns[slot]!, grown, length, execution);
      this.columns[slot] = grown;
    }
    this.capacity = capacity;
  }

  /** Copies all rows of a batch. Slots that it lacks become unbound. */
  append(batch: Batch): void {
    this.grow(this.length + batch.length);
    for (const slot of this.slots) {
      const from = batch.columns[slot];
      const to = this.columns[slot]!;
      if (from === undefined) {
        to.fill(0, this.length, this.length + batch.length);
      } else {
        for (let row = 0, at = this.length; row < batch.length; row++) to[at++] = from[row];
      }
    }
    this.length += batch.length;
  }

  /** Copies one row and returns its number. */
  appendRow(batch: { readonly columns: readonly (Uint32Array | undefined)[] }, row: number): number {
    this.grow(this.length + 1);
    for (const slot of this.slots) this.columns[slot]![this.length] = batch.columns[slot]?.[row] ?? 0;
    return this.length++;
  }

  private grow(rows: number): void {
    if (rows <= this.capacity) return;
    const capacity = this.grownCapacity(rows);
    for (const slot of this.slots) {
      const grown = new Uint32Array(capacity);
      grown.set(this.columns[slot]!);
      this.columns[slot] = grown;
    }
    this.capacity = capacity;
  }

  /** Returns the next capacity for this many rows, and claims its memory. */
  private grownCapacity(rows: number): number {
    let capacity = Math.max(FIRST_ROWS, this.capacity * 2);
    while (capacity < rows) capacity *= 2;
    this.memory.claimMemory((capacity - this.capacity) * 4 * this.slots.length);
    return capacity;
  }
}

/** Copies the first `length` values of a column, in slices with pauses. */
export function* copySliced(
  from: Uint32Array,
  to: Uint32Array,
  length: number,
  execution: Execution,
): Generator<Pause, void, void> {
  for (let start = 0; start < length; start += COPIED_AT_ONCE) {
    to.set(from.subarray(start, Math.min(start + COPIED_AT_ONCE, length)), start);
    if (execution.pauseDue) yield PAUSE;
  }
}
