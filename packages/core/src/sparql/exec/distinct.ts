import { newColumn } from '../../contracts/new-column.ts';
import { Batch, gatherRows, keyColumns, NO_ROWS, PAUSE, type Stream } from './batch.ts';
import { DistinctRows } from './distinct-rows.ts';
import { type Execution, isPause } from './execution.ts';
import { type Operator, pruned } from './operator.ts';
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
    const { slots } = this;
    const distinct = new DistinctRows(slots.length, input.clusters?.(slots) === true, execution);
    let [output, chosen] = [new Batch([], 0), NO_ROWS];
    for (const rows of execution.run(input)) {
      if (isPause(rows)) {
        yield PAUSE;
        continue;
      }
      if (output.capacity < rows.length) {
        output = Batch.withSlots(slots, rows.capacity);
        chosen = newColumn(rows.capacity);
      }
      yield* distinct.reserve(rows.length, execution);
      const count = distinct.choose(keyColumns(rows, slots), 0, rows.length, chosen);
      if (count > 0) {
        gatherRows(slots, rows, chosen, output, 0, count);
        output.length = count;
        yield output;
      }
      if (execution.pauseDue) yield PAUSE;
    }
  }
}
