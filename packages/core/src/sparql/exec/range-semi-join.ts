import { newColumn } from '../../contracts/new-column.ts';
import { expressionText } from '../explain/algebra-text.ts';
import { Batch, gatherRows, NO_BATCH, NO_ROWS, PAUSE, type Stream } from './batch.ts';
import { type Execution, isPause } from './execution.ts';
import { type Operator, type PlanNames, pruned } from './operator.ts';
import { Pace } from './pace.ts';
import { boundsText, type RangeBound, RangeBounds, RangeCandidates } from './range-candidates.ts';
import { MAY_SUSPEND, neededWith, type RowTest } from './row-function.ts';
import { SlotSet } from './slot-set.ts';
import { tested } from './tested.ts';

/**
 * EXISTS and NOT EXISTS whose pattern is compared with the row by an inequality: keeps the left
 * rows that have a right row with the same terms in the shared slots for which the condition is
 * true, or those that have none. Right rows are tried from the far end of the range, so that one is
 * usually enough: the greatest of a group is above all that any of the group is above.
 */
export class RangeSemiJoin implements Operator {
  readonly name: string;
  readonly slots: readonly number[];
  readonly certain: SlotSet;
  readonly estimate: number;
  readonly inputs: readonly [Operator, Operator];
  private readonly keys: readonly number[];
  private readonly isNegated: boolean;
  private readonly bounds: RangeBounds;
  private readonly condition: RowTest;

  /**
   * @param left its shared slots are bound in all rows, as those of `right` are
   * @param bounds at least one; they follow from the condition
   */
  constructor(
    left: Operator,
    right: Operator,
    isNegated: boolean,
    bounds: readonly RangeBound[],
    condition: RowTest,
    needed?: SlotSet,
  ) {
    this.name = `range join (${isNegated ? 'anti' : 'semi'})`;
    this.inputs = [left, right];
    this.isNegated = isNegated;
    this.bounds = new RangeBounds(bounds);
    this.condition = condition;
    this.keys = SlotSet.of(right.slots).among(left.slots);
    this.slots = needed ? needed.among(left.slots) : left.slots;
    this.certain = needed ? left.certain.intersection(needed) : left.certain;
    this.estimate = left.estimate / 2;
  }

  detail({ variable }: PlanNames): string {
    const keys = this.keys.length > 0 ? [`on ${this.keys.map(variable).join(' ')}`] : [];
    return [...keys, ...boundsText(this.bounds.all), `if ${expressionText(this.condition.expression)}`].join(', ');
  }

  withOnly(needed: SlotSet): Operator | undefined {
    const [left, right] = this.inputs;
    const { all } = this.bounds;
    const functions = [this.condition, ...all.flatMap((bound) => [bound.left, bound.right])];
    const read = neededWith(SlotSet.of(this.keys), functions);
    if (!read) return undefined;
    const below = pruned(left, read.union(needed));
    return new RangeSemiJoin(below, pruned(right, read), this.isNegated, all, this.condition, needed);
  }

  *run(execution: Execution): Stream {
    const [left, right] = this.inputs;
    const candidates = new RangeCandidates(this.bounds, right, this.keys, execution);
    yield* candidates.fill(execution.run(right));
    const { store } = candidates.table;
    if (store.length === 0 && !this.isNegated) return;

    const condition = this.condition.start(execution, MAY_SUSPEND);
    const own = SlotSet.of(left.slots).outside(right.slots);
    const pair = Batch.withSlots(left.slots.concat(own), 1);
    pair.length = 1;
    const pace = new Pace(execution);
    let chosen = NO_ROWS;
    let output = NO_BATCH;
    for (const rows of execution.run(left)) {
      if (isPause(rows)) {
        yield PAUSE;
        continue;
      }
      if (chosen.length < rows.length) {
        chosen = newColumn(rows.capacity);
        output = Batch.withSlots(this.slots, rows.capacity);
      }
      candidates.begin(rows);
      let count = 0;
      for (let row = 0; row < rows.length; row++) {
        if (pace.isDue) yield PAUSE;
        candidates.seek(row);
        let candidate = candidates.next();
        if (candidate >= 0) for (const slot of left.slots) pair.columns[slot]![0] = rows.columns[slot]![row];
        for (; candidate >= 0; candidate = candidates.next()) {
          for (const slot of own) pair.columns[slot]![0] = store.columns[slot]![candidate];
          if (yield* tested(condition, pair, 0)) break;
          if (pace.isDue) yield PAUSE;
        }
        const hasMatch = candidate >= 0;
        if (hasMatch !== this.isNegated) chosen[count++] = row;
      }
      if (count > 0) {
        gatherRows(this.slots, rows, chosen, output, 0, count);
        output.length = count;
        yield output;
      }
      if (execution.pauseDue) yield PAUSE;
    }
  }
}
