import { newColumn } from '../../contracts/new-column.ts';
import { Batch, gatherRows, keyColumns, NO_ROWS, PAUSE, type Stream } from './batch.ts';
import { type Execution, isPause } from './execution.ts';
import { NextRows } from './next-rows.ts';
import { type Operator, pruned } from './operator.ts';
import { RowNumbers } from './row-numbers.ts';
import { SlotSet } from './slot-set.ts';

/**
 * Removes duplicate rows, comparing terms, not values (SPARQL 1.1 section 15.3). Streams: yields
 * each row at its first occurrence.
 */
export class Distinct implements Operator {
  readonly name = 'distinct';
  readonly slots: readonly number[];
  readonly certain: SlotSet;
  readonly estimate: number;
  readonly inputs: readonly [Operator];
  readonly isDistinct = true;

  constructor(input: Operator) {
    this.inputs = [input];
    this.slots = input.slots;
    this.certain = input.certain;
    this.estimate = input.estimate;
  }

  /** Every slot takes part in the comparison, so none can be pruned. */
  withOnly(): Operator {
    return new Distinct(pruned(this.inputs[0], SlotSet.of(this.slots)));
  }

  *run(execution: Execution): Stream {
    const [input] = this.inputs;
    const seen = new RowNumbers(this.slots.length, execution);
    const next = input.clusters?.(this.slots) ? new NextRows(this.slots.length) : undefined;
    let [output, numbers, chosen] = [new Batch([], 0), NO_ROWS, NO_ROWS];
    for (const rows of execution.run(input)) {
      if (isPause(rows)) {
        yield PAUSE;
        continue;
      }
      if (output.capacity < rows.length) {
        output = Batch.withSlots(this.slots, rows.capacity);
        [numbers, chosen] = [newColumn(rows.capacity), newColumn(rows.capacity)];
      }
      const columns = keyColumns(rows, this.slots);
      let count = 0;
      if (next) {
        for (let row = 0; row < rows.length; row++) if (next.differs(columns, row)) chosen[count++] = row;
      } else {
        yield* seen.reserve(rows.length, execution);
        let { size } = seen;
        seen.assign(columns, 0, rows.length, numbers);
        for (let row = 0; row < rows.length; row++) {
          // Row numbers ascend, so a row is new exactly if it has the next number.
          if (numbers[row] !== size) continue;
          size++;
          chosen[count++] = row;
        }
      }
      if (count > 0) {
        gatherRows(this.slots, rows, chosen, output, 0, count);
        output.length = count;
        yield output;
      }
      if (execution.pauseDue) yield PAUSE;
    }
  }
}
