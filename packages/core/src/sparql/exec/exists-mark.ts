import { newColumn } from '../../contracts/new-column.ts';
import type { Algebra } from '../algebra/algebra.ts';
import { algebraLine, expressionText } from '../explain/algebra-text.ts';
import { Batch, PAUSE, type Stream } from './batch.ts';
import { type Execution, isPause } from './execution.ts';
import type { PatternOfRow } from './exists-filter.ts';
import type { Operator } from './operator.ts';
import type { RowTest } from './row-function.ts';
import type { SlotSet } from './slot-set.ts';

/**
 * EXISTS inside an expression: runs the pattern for every row and binds a slot to whether it has a
 * match.
 */
export class ExistsMark implements Operator {
  readonly name = 'exists mark';
  readonly slots: readonly number[];
  readonly certain: SlotSet;
  readonly estimate: number;
  readonly inputs: readonly [Operator];
  private readonly slot: number;
  private readonly makePattern: (execution: Execution) => PatternOfRow;
  private readonly pattern: Algebra;
  private readonly unless: RowTest | undefined;

  /**
   * @param pattern the pattern that `makePattern` runs, for explain
   * @param unless skips the pattern for rows where the result is not needed
   */
  constructor(
    input: Operator,
    slot: number,
    makePattern: (execution: Execution) => PatternOfRow,
    pattern: Algebra,
    unless: RowTest | undefined,
  ) {
    this.inputs = [input];
    this.slot = slot;
    this.makePattern = makePattern;
    this.pattern = pattern;
    this.unless = unless;
    this.slots = [...input.slots, slot];
    this.certain = input.certain.with([slot]);
    this.estimate = input.estimate;
  }

  detail(): string {
    const unless = this.unless ? `unless ${expressionText(this.unless.expression)}, ` : '';
    return `${unless}planned again for every row: ${algebraLine(this.pattern)}`;
  }

  *run(execution: Execution): Stream {
    const pattern = this.makePattern(execution);
    const unless = this.unless?.start(execution);
    for (const rows of execution.run(this.inputs[0])) {
      if (isPause(rows)) {
        yield PAUSE;
        continue;
      }
      const column = newColumn(rows.length);
      for (let row = 0; row < rows.length; row++) {
        // Checked per row, because each row plans the pattern and, nested, the patterns inside it.
        if (execution.pauseDue) yield PAUSE;
        let found = false;
        if (!unless?.(rows, row)) {
          for (const step of pattern(rows, row)) {
            if (isPause(step)) {
              yield PAUSE;
            } else {
              found = true;
              break;
            }
          }
        }
        column[row] = execution.booleanId(found);
      }
      const columns = [...rows.columns];
      while (columns.length <= this.slot) columns.push(undefined);
      columns[this.slot] = column;
      const marked = new Batch(columns, rows.length);
      marked.length = rows.length;
      yield marked;
    }
  }
}
