import { newColumn } from '../../contracts/new-column.ts';
import { Batch, NO_ROWS, PAUSE, type Stream } from './batch.ts';
import { type Execution, isPause } from './execution.ts';
import { type Operator, pruned } from './operator.ts';
import { SlotSet } from './slot-set.ts';

/** Concatenates the rows of its inputs. Slots that an input lacks are unbound in its rows. */
export class Union implements Operator {
  readonly name = 'union';
  readonly slots: readonly number[];
  readonly certain: SlotSet;
  readonly estimate: number;
  readonly inputs: readonly Operator[];

  constructor(inputs: readonly Operator[]) {
    this.inputs = inputs;
    // Must scale to thousands of inputs with their own variables.
    const certainIn = new Map<number, number>();
    let estimate = 0;
    for (const input of inputs) {
      for (const slot of input.slots) {
        certainIn.set(slot, (certainIn.get(slot) ?? 0) + (input.certain.has(slot) ? 1 : 0));
      }
      estimate += input.estimate;
    }
    this.slots = [...certainIn.keys()];
    this.certain = SlotSet.of(this.slots.filter((slot) => certainIn.get(slot) === inputs.length));
    this.estimate = estimate;
  }

  withOnly(needed: SlotSet): Operator {
    return new Union(this.inputs.map((input) => pruned(input, needed)));
  }

  *run(execution: Execution): Stream {
    let unbound = NO_ROWS;
    for (const input of this.inputs) {
      const given = new Set(input.slots);
      const missing = this.slots.filter((slot) => !given.has(slot));
      for (const rows of execution.run(input)) {
        if (isPause(rows)) {
          yield PAUSE;
        } else if (missing.length === 0) {
          yield rows;
        } else {
          if (rows.length > unbound.length) unbound = newColumn(rows.capacity);
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
