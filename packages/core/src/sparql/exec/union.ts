import { Batch, PAUSE, type Stream } from './batch.ts';
import { type Execution, isPause } from './execution.ts';
import { type Operator, pruned, unionOf } from './operator.ts';

/** The rows of all its inputs, one after the other; a slot that an input does not have is unbound in its rows. */
export class Union implements Operator {
  readonly name = 'union';
  readonly slots: readonly number[];
  readonly certain: ReadonlySet<number>;
  readonly estimate: number;
  readonly inputs: readonly Operator[];

  constructor(inputs: readonly Operator[]) {
    this.inputs = inputs;
    this.slots = inputs.reduce<number[]>((slots, input) => unionOf(slots, input.slots), []);
    this.certain = new Set(this.slots.filter((slot) => inputs.every((input) => input.certain.has(slot))));
    this.estimate = inputs.reduce((rows, input) => rows + input.estimate, 0);
  }

  withOnly(needed: ReadonlySet<number>): Operator {
    return new Union(this.inputs.map((input) => pruned(input, needed)));
  }

  *run(execution: Execution): Stream {
    let unbound = new Uint32Array(execution.batchRows);
    for (const input of this.inputs) {
      const missing = this.slots.filter((slot) => !input.slots.includes(slot));
      for (const rows of execution.run(input)) {
        if (isPause(rows)) {
          yield PAUSE;
        } else if (missing.length === 0) {
          yield rows;
        } else {
          if (rows.length > unbound.length) unbound = new Uint32Array(rows.length);
          const columns = [...rows.columns];
          for (const slot of missing) {
            while (columns.length <= slot) columns.push(undefined);
            columns[slot] = unbound;
          }
          const padded = new Batch(columns, rows.capacity);
          padded.length = rows.length;
          yield padded;
        }
      }
    }
  }
}
