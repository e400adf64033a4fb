import { newColumn } from '../../contracts/new-column.ts';
import { Batch, PAUSE, type Stream } from './batch.ts';
import { type Execution, isPause } from './execution.ts';
import type { Operator } from './operator.ts';
import type { SlotSet } from './slot-set.ts';

/**
 * Numbers its rows from 1 in an additional slot, which identifies a solution downstream. The
 * numbers are not term ids.
 */
export class RowNumber implements Operator {
  readonly name = 'row number';
  readonly slots: readonly number[];
  readonly certain: SlotSet;
  readonly estimate: number;
  readonly inputs: readonly [Operator];
  readonly slot: number;

  constructor(input: Operator, slot: number) {
    this.inputs = [input];
    this.slot = slot;
    this.slots = [...input.slots, slot];
    this.certain = input.certain.with([slot]);
    this.estimate = input.estimate;
  }

  *run(execution: Execution): Stream {
    let number = 0;
    for (const rows of execution.run(this.inputs[0])) {
      if (isPause(rows)) {
        yield PAUSE;
        continue;
      }
      const column = newColumn(rows.length);
      for (let row = 0; row < rows.length; row++) column[row] = ++number;
      const columns = [...rows.columns];
      while (columns.length <= this.slot) columns.push(undefined);
      columns[this.slot] = column;
      const numbered = new Batch(columns, rows.length);
      numbered.length = rows.length;
      yield numbered;
    }
  }
}
