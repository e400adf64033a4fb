import { newColumn } from '../../contracts/new-column.ts';
import { expressionText } from '../explain/algebra-text.ts';
import { Batch, gatherRows, NO_ROWS, PAUSE, type Pause, type Stream } from './batch.ts';
import { type Execution, isPause } from './execution.ts';
import { type Operator, pruned } from './operator.ts';
import { Pace } from './pace.ts';
import { neededWith, type RowTest } from './row-function.ts';
import type { SlotSet } from './slot-set.ts';

/** Conditions compiled between two checks of the clock. */
const CONDITIONS_BETWEEN_LOOKS = 32;

/**
 * Keeps the rows for which all conditions are true. False and error both drop a row (SPARQL 1.1
 * section 17.2).
 */
export class Filter implements Operator {
  readonly name = 'filter';
  readonly slots: readonly number[];
  readonly certain: SlotSet;
  readonly estimate: number;
  readonly inputs: readonly [Operator];
  private readonly conditions: readonly RowTest[];
  private readonly selectivity: number;

  constructor(input: Operator, conditions: readonly RowTest[], selectivity = 0.3) {
    this.inputs = [input];
    this.slots = input.slots;
    this.certain = input.certain;
    this.estimate = input.estimate * selectivity;
    this.conditions = conditions;
    this.selectivity = selectivity;
  }

  detail(): string {
    return this.conditions.map(({ expression }) => expressionText(expression)).join(' && ');
  }

  withOnly(needed: SlotSet): Operator | undefined {
    const below = neededWith(needed, this.conditions);
    return below && new Filter(pruned(this.inputs[0], below), this.conditions, this.selectivity);
  }

  *run(execution: Execution): Stream {
    const [input] = this.inputs;
    const [first] = this.conditions;
    const condition = this.conditions.length === 1 ? first.start(execution) : yield* this.startAll(execution);
    const pace = new Pace(execution);
    let chosen = NO_ROWS;
    let output: Batch | undefined;
    for (const rows of execution.run(input)) {
      if (isPause(rows)) {
        yield PAUSE;
        continue;
      }
      if (rows.length > chosen.length) chosen = newColumn(rows.capacity);
      let count = 0;
      for (let row = 0; row < rows.length; row++) {
        if (condition(rows, row)) chosen[count++] = row;
        if (pace.isDue) yield PAUSE;
      }
      if (count === rows.length) {
        yield rows;
      } else if (count > 0) {
        if (!output || output.capacity < count) output = Batch.withSlots(this.slots, rows.capacity);
        gatherRows(this.slots, rows, chosen, output, 0, count);
        output.length = count;
        yield output;
      }
      if (execution.pauseDue) yield PAUSE;
    }
  }

  /** Compiles all conditions into one test, with pauses because there may be thousands of them. */
  private *startAll(execution: Execution): Generator<Pause, (batch: Batch, row: number) => boolean, void> {
    const tests: ((batch: Batch, row: number) => boolean)[] = [];
    for (const condition of this.conditions) {
      tests.push(condition.start(execution));
      if (tests.length % CONDITIONS_BETWEEN_LOOKS === 0 && execution.pauseDue) yield PAUSE;
    }
    return (batch, row) => {
      for (const test of tests) if (!test(batch, row)) return false;
      return true;
    };
  }
}
