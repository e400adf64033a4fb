import { newColumn } from '../../contracts/new-column.ts';
import { expressionText } from '../explain/algebra-text.ts';
import { Batch, NO_ROWS, PAUSE, type Stream } from './batch.ts';
import { type Execution, isPause } from './execution.ts';
import { type Operator, pruned } from './operator.ts';
import { Pace } from './pace.ts';
import { neededWith, type RowFunction } from './row-function.ts';
import type { SlotSet } from './slot-set.ts';

/**
 * Adds a column of hashes of an expression's values, which a hash join uses as a key: rows whose
 * values are equal (SPARQL 1.1 section 17.3) have the same hash. The converse does not hold, so the
 * condition must be tested after the join. The hashes are not term ids.
 */
export class EqualityKey implements Operator {
  readonly name = 'equality key';
  readonly slots: readonly number[];
  readonly certain: SlotSet;
  readonly estimate: number;
  readonly inputs: readonly [Operator];
  private readonly slot: number;
  private readonly key: RowFunction<number>;

  constructor(input: Operator, slot: number, key: RowFunction<number>) {
    this.inputs = [input];
    this.slots = [...input.slots, slot];
    this.certain = input.certain.with([slot]);
    this.estimate = input.estimate;
    this.slot = slot;
    this.key = key;
  }

  detail(): string {
    return expressionText(this.key.expression);
  }

  withOnly(needed: SlotSet): Operator | undefined {
    const [input] = this.inputs;
    const below = neededWith(needed.without(this.slot), [this.key]);
    return below && new EqualityKey(pruned(input, below), this.slot, this.key);
  }

  *run(execution: Execution): Stream {
    const keyOf = this.key.start(execution);
    const pace = new Pace(execution);
    let column = NO_ROWS;
    for (const rows of execution.run(this.inputs[0])) {
      if (isPause(rows)) {
        yield PAUSE;
        continue;
      }
      if (rows.length > column.length) column = newColumn(rows.capacity);
      for (let row = 0; row < rows.length; row++) {
        column[row] = keyOf(rows, row);
        if (pace.isDue) yield PAUSE;
      }
      const columns = [...rows.columns];
      while (columns.length <= this.slot) columns.push(undefined);
      columns[this.slot] = column;
      const keyed = new Batch(columns, rows.capacity);
      keyed.length = rows.length;
      yield keyed;
    }
  }
}
