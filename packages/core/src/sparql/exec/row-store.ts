import type { MemoryBudget } from '../../model/memory-budget.ts';
import { type Batch, columnsBySlot, NO_ROWS } from './batch.ts';

const FIRST_ROWS = 64;

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

  /** Copies all rows of a batch. Slots that it lacks become unbound. */
  append(batch: Batch): void {
    this.reserve(this.length + batch.length);
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
    this.reserve(this.length + 1);
    for (const slot of this.slots) this.columns[slot]![this.length] = batch.columns[slot]?.[row] ?? 0;
    return this.length++;
  }

  private reserve(rows: number): void {
    if (rows <= this.capacity) return;
    let capacity = Math.max(FIRST_ROWS, this.capacity * 2);
    while (capacity < rows) capacity *= 2;
    this.memory.claimMemory((capacity - this.capacity) * 4 * this.slots.length);
    this.capacity = capacity;
    for (const slot of this.slots) {
      const grown = new Uint32Array(capacity);
      grown.set(this.columns[slot]!);
      this.columns[slot] = grown;
    }
  }
}
