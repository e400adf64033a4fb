import { Batch, gatherRows, PAUSE, type Stream } from './batch.ts';
import { type Execution, isPause } from './execution.ts';
import { KeyTable } from './key-table.ts';
import type { Operator } from './operator.ts';
import { RowStore } from './row-store.ts';

/** Each row once: by term, not by value (SPARQL 1.1 section 15.3). Gives a row as soon as it is seen first. */
export class Distinct implements Operator {
  readonly name = 'distinct';
  readonly slots: readonly number[];
  readonly certain: ReadonlySet<number>;
  readonly estimate: number;
  readonly inputs: readonly [Operator];

  constructor(input: Operator) {
    this.inputs = [input];
    this.slots = input.slots;
    this.certain = input.certain;
    this.estimate = input.estimate;
  }

  *run(execution: Execution): Stream {
    const seen = new RowStore(this.slots, execution);
    const table = new KeyTable(seen, this.slots, execution);
    const output = Batch.withSlots(this.slots, execution.batchRows);
    const chosen = new Uint32Array(execution.batchRows);
    const flush = (rows: Batch, count: number): Batch => {
      gatherRows(this.slots, rows, chosen, output, 0, count);
      output.length = count;
      return output;
    };
    for (const rows of this.inputs[0].run(execution)) {
      if (isPause(rows)) {
        yield PAUSE;
        continue;
      }
      let count = 0;
      for (let row = 0; row < rows.length; row++) {
        if (table.find(rows.columns, row) >= 0) continue;
        table.add(seen.appendRow(rows, row));
        chosen[count++] = row;
        if (count === chosen.length) {
          yield flush(rows, count);
          count = 0;
        }
      }
      if (count > 0) yield flush(rows, count);
      if (execution.pauseDue) yield PAUSE;
    }
  }
}
