import { newColumn } from '../../contracts/new-column.ts';
import { expressionText } from '../explain/algebra-text.ts';
import { NumberTerms } from '../vectors/number-terms.ts';
import type { NumberProgram } from '../vectors/number-vector.ts';
import { SlotNumbers } from '../vectors/slot-numbers.ts';
import { Batch, MIN_BATCH_ROWS, NO_ROWS, PAUSE, type Stream } from './batch.ts';
import { type Execution, isPause } from './execution.ts';
import { type Operator, type PlanNames, pruned } from './operator.ts';
import { Pace } from './pace.ts';
import { resumed } from './resumed.ts';
import { neededWith, type RowTerm } from './row-function.ts';
import type { SlotSet } from './slot-set.ts';

/** Binds a slot to a computed term in every row (Extend in the SPARQL algebra). */
export class Extend implements Operator {
  readonly name = 'extend';
  readonly slots: readonly number[];
  readonly certain: SlotSet;
  readonly estimate: number;
  readonly inputs: readonly [Operator];
  private readonly slot: number;
  private readonly term: RowTerm;

  constructor(input: Operator, slot: number, term: RowTerm) {
    this.inputs = [input];
    this.slots = [...input.slots.filter((own) => own !== slot), slot];
    this.certain = input.certain;
    this.estimate = input.estimate;
    this.slot = slot;
    this.term = term;
  }

  detail(names: PlanNames): string {
    return `${expressionText(this.term.expression)} AS ${names.variable(this.slot)}`;
  }

  withOnly(needed: SlotSet): Operator | undefined {
    const [input] = this.inputs;
    const others = needed.without(this.slot);
    // Expressions have no side effects, so an unused one can be dropped.
    if (!needed.has(this.slot)) return pruned(input, others);
    const below = neededWith(others, [this.term]);
    return below && new Extend(pruned(input, below), this.slot, this.term);
  }

  *run(execution: Execution): Stream {
    const [input] = this.inputs;
    const slots = new SlotNumbers(execution);
    const termOf = this.term.start(execution, { slots, maySuspend: true });
    // An expression may take as long to compile as a slice.
    if (execution.pauseDue) yield PAUSE;
    const pace = new Pace(execution);
    let numbers: NumberProgram | undefined;
    let terms: NumberTerms | undefined;
    let isPrepared = this.term.startNumbers === undefined;
    let column = NO_ROWS;
    for (const rows of execution.run(input)) {
      if (isPause(rows)) {
        yield PAUSE;
        continue;
      }
      if (rows.length > column.length) column = newColumn(rows.capacity);
      if (!isPrepared && rows.length >= MIN_BATCH_ROWS) {
        numbers = this.term.startNumbers!(slots);
        terms = numbers && NumberTerms.of(execution.source.terms);
        isPrepared = true;
      }
      slots.advance();
      const vector = terms && numbers?.(rows);
      if (vector && terms!.takes(vector.lowest)) {
        terms!.write(vector, rows.length, column);
        if (pace.look()) yield PAUSE;
      } else {
        for (let row = 0; row < rows.length; row++) {
          const isNumber = vector !== undefined && terms!.takes(vector.kinds[row]);
          if (isNumber) column[row] = terms!.id(vector.kinds[row], vector.numbers[row]);
          else {
            try {
              column[row] = termOf(rows, row);
            } catch (cause) {
              column[row] = yield* resumed(cause, termOf, rows, row);
            }
          }
          if (pace.isDue) yield PAUSE;
        }
      }
      const columns = [...rows.columns];
      while (columns.length <= this.slot) columns.push(undefined);
      columns[this.slot] = column;
      const extended = new Batch(columns, rows.capacity);
      extended.length = rows.length;
      yield extended;
    }
  }
}
