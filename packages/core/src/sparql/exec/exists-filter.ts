import { newColumn } from '../../contracts/new-column.ts';
import type { Algebra } from '../algebra/algebra.ts';
import { algebraLine } from '../explain/algebra-text.ts';
import { Batch, gatherRows, PAUSE, type Pause, type Stream } from './batch.ts';
import { type Execution, isPause } from './execution.ts';
import type { Operator } from './operator.ts';
import type { SlotSet } from './slot-set.ts';

/** Runs the pattern of an EXISTS for one row. */
export type PatternOfRow = (batch: Batch, row: number) => Stream;

/** Returns whether the stream has a row; stops at the first one. */
export function* hasRows(rows: Stream): Generator<Pause, boolean, void> {
  for (const step of rows) {
    if (!isPause(step)) return true;
    yield PAUSE;
  }
  return false;
}

/** EXISTS that cannot be a join: runs the pattern for every row, up to its first solution. */
export class ExistsFilter implements Operator {
  readonly name: string;
  readonly slots: readonly number[];
  readonly certain: SlotSet;
  readonly estimate: number;
  readonly inputs: readonly [Operator];
  private readonly negated: boolean;
  private readonly makePattern: (execution: Execution) => PatternOfRow;
  private readonly pattern: Algebra;

  /** @param pattern the pattern that `makePattern` runs, for explain */
  constructor(
    input: Operator,
    negated: boolean,
    makePattern: (execution: Execution) => PatternOfRow,
    pattern: Algebra,
  ) {
    this.name = negated ? 'not exists' : 'exists';
    this.inputs = [input];
    this.negated = negated;
    this.makePattern = makePattern;
    this.pattern = pattern;
    this.slots = input.slots;
    this.certain = input.certain;
    this.estimate = input.estimate / 2;
  }

  detail(): string {
    return `planned again for every row: ${algebraLine(this.pattern)}`;
  }

  *run(execution: Execution): Stream {
    const pattern = this.makePattern(execution);
    for (const rows of execution.run(this.inputs[0])) {
      if (isPause(rows)) {
        yield PAUSE;
        continue;
      }
      const chosen = newColumn(rows.length);
      let count = 0;
      for (let row = 0; row < rows.length; row++) {
        // Checked per row, because each row plans the pattern and, nested, the patterns inside it.
        if (execution.pauseDue) yield PAUSE;
        let found = false;
        for (const step of pattern(rows, row)) {
          if (isPause(step)) {
            yield PAUSE;
          } else {
            found = true;
            break;
          }
        }
        if (found !== this.negated) chosen[count++] = row;
      }
      if (count === 0) continue;
      const output = Batch.withSlots(this.slots, count);
      gatherRows(this.slots, rows, chosen, output, 0, count);
      output.length = count;
      yield output;
    }
  }
}
