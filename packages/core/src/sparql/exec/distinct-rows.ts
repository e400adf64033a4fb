import type { MemoryBudget } from '../../model/memory-budget.ts';
import { NO_ROWS, type Pause } from './batch.ts';
import type { Execution } from './execution.ts';
import { RowNumbers } from './row-numbers.ts';

/**
 * Chooses rows that did not come before, comparing some columns by id. Where rows that are equal
 * follow each other (`Operator.clusters`), it compares each with the one before, and remembers
 * nothing else.
 */
export class DistinctRows {
  private readonly seen: RowNumbers | undefined;
  private numbers = NO_ROWS;
  /** The last row, if that is all that is remembered. */
  private readonly last: Uint32Array;
  private isFirst = true;

  /** @param width number of columns */
  constructor(width: number, isClustered: boolean, memory: MemoryBudget) {
    this.seen = isClustered ? undefined : new RowNumbers(width, memory);
    this.last = new Uint32Array(width);
  }

  /** As {@link RowNumbers.reserve}. */
  *reserve(more: number, execution: Execution): Generator<Pause, void, void> {
    if (this.seen) yield* this.seen.reserve(more, execution);
  }

  /**
   * Writes the numbers of those of the rows `from .. to - 1` that are new to the start of `chosen`,
   * and returns how many there are.
   */
  choose(columns: readonly Uint32Array[], from: number, to: number, chosen: Uint32Array): number {
    const { seen } = this;
    let count = 0;
    if (!seen) {
      for (let row = from; row < to; row++) if (this.differs(columns, row)) chosen[count++] = row;
      return count;
    }
    if (this.numbers.length < to) this.numbers = new Uint32Array(chosen.length);
    const { numbers } = this;
    let next = seen.size;
    seen.assign(columns, from, to, numbers);
    for (let row = from; row < to; row++) {
      // Row numbers ascend, so a row is new exactly if it has the next number.
      if (numbers[row] !== next) continue;
      next++;
      chosen[count++] = row;
    }
    return count;
  }

  /** Returns whether a row differs from the one before. */
  private differs(columns: readonly Uint32Array[], row: number): boolean {
    const { last } = this;
    let differs = this.isFirst;
    for (let i = 0; i < last.length; i++) {
      if (columns[i][row] === last[i]) continue;
      last[i] = columns[i][row];
      differs = true;
    }
    this.isFirst = false;
    return differs;
  }
}
