import { Batch, emptied, NO_BATCH, PAUSE, type Stream } from './batch.ts';
import { type Execution, isPause } from './execution.ts';
import { type Operator, type PlanNames, pruned } from './operator.ts';
import { Pace } from './pace.ts';
import { boundsText, type RangeBound, RangeBounds, RangeCandidates } from './range-candidates.ts';
import type { RangeTable } from './range-table.ts';
import { neededWith } from './row-function.ts';
import { SlotSet } from './slot-set.ts';

/**
 * Joins rows whose shared slots have the same terms, without the pairs for which a bound says that
 * one of the conditions above is false.
 */
export class RangeJoin implements Operator {
  readonly name = 'range join';
  readonly slots: readonly number[];
  readonly certain: SlotSet;
  readonly estimate: number;
  readonly inputs: readonly [Operator, Operator];
  private readonly keys: readonly number[];
  private readonly added: readonly number[];
  private readonly bounds: RangeBounds;

  /**
   * @param left its shared slots are bound in all rows, as those of `right` are
   * @param bounds at least one
   */
  constructor(left: Operator, right: Operator, bounds: readonly RangeBound[], estimate: number) {
    this.inputs = [left, right];
    this.bounds = new RangeBounds(bounds);
    this.estimate = estimate;
    this.keys = SlotSet.of(right.slots).among(left.slots);
    this.added = SlotSet.of(left.slots).outside(right.slots);
    this.slots = left.slots.concat(this.added);
    this.certain = left.certain.union(right.certain);
  }

  detail({ variable }: PlanNames): string {
    const keys = this.keys.length > 0 ? [`on ${this.keys.map(variable).join(' ')}`] : [];
    return [...keys, ...boundsText(this.bounds.all)].join(', ');
  }

  withOnly(needed: SlotSet): Operator | undefined {
    const [left, right] = this.inputs;
    const { all } = this.bounds;
    const values = all.flatMap((bound) => [bound.left, bound.right]);
    const below = neededWith(needed.with(this.keys), values);
    return below && new RangeJoin(pruned(left, below), pruned(right, below), all, this.estimate);
  }

  *run(execution: Execution): Stream {
    const [left, right] = this.inputs;
    const candidates = new RangeCandidates(this.bounds, right, this.keys, execution);
    yield* candidates.fill(execution.run(right));
    const { table } = candidates;
    if (table.store.length === 0) return;

    const pairs = new Pairs(this, table, execution);
    const pace = new Pace(execution);
    for (const rows of execution.run(left)) {
      if (isPause(rows)) {
        yield PAUSE;
        continue;
      }
      candidates.begin(rows);
      pairs.begin(rows);
      for (let row = 0; row < rows.length; row++) {
        if (pace.isDue) yield PAUSE;
        candidates.seek(row);
        for (let found = candidates.next(); found >= 0; found = candidates.next()) {
          if (pairs.add(row, found)) {
            yield pairs.take();
            if (execution.pauseDue) yield PAUSE;
          }
        }
      }
      // The rows are valid until the next batch is read.
      if (pairs.count > 0) yield pairs.take();
      if (execution.pauseDue) yield PAUSE;
    }
  }

  /** Columns of pairs of rows, as many as there is room for. */
  gather(rows: Batch, lefts: Uint32Array, table: RangeTable, rights: Uint32Array, count: number, into: Batch): void {
    for (const slot of this.inputs[0].slots) copy(rows.columns[slot], lefts, count, into.columns[slot]!);
    for (const slot of this.added) copy(table.store.columns[slot], rights, count, into.columns[slot]!);
    into.length = count;
  }
}

/** Collects pairs of rows, and makes batches of them. */
class Pairs {
  count = 0;
  private readonly join: RangeJoin;
  private readonly table: RangeTable;
  private readonly execution: Execution;
  private lefts = new Uint32Array(0);
  private rights = new Uint32Array(0);
  private rows = NO_BATCH;
  private output = NO_BATCH;

  constructor(join: RangeJoin, table: RangeTable, execution: Execution) {
    this.join = join;
    this.table = table;
    this.execution = execution;
  }

  /** Announces the left rows of the next pairs. */
  begin(rows: Batch): void {
    this.rows = rows;
    if (this.output !== NO_BATCH) return;
    const { slots, estimate } = this.join;
    this.open(Batch.withSlots(slots, this.execution.firstRows(estimate, slots.length)));
  }

  /** Returns whether there is no room for another pair. */
  add(left: number, right: number): boolean {
    this.lefts[this.count] = left;
    this.rights[this.count] = right;
    return ++this.count === this.output.capacity;
  }

  /** Returns the pairs as a batch, which is valid until it is called again. */
  take(): Batch {
    const { join, rows, lefts, table, rights, count } = this;
    const isFull = count === this.output.capacity;
    const { output } = this;
    join.gather(rows, lefts, table, rights, count, output);
    this.count = 0;
    if (isFull) this.open(emptied(output, join.slots, this.execution));
    // An output of the same capacity is used again, which `emptied` has made empty.
    output.length = count;
    return output;
  }

  private open(output: Batch): void {
    this.output = output;
    if (this.lefts.length >= output.capacity) return;
    this.lefts = new Uint32Array(output.capacity);
    this.rights = new Uint32Array(output.capacity);
  }
}

function copy(from: Uint32Array | undefined, rows: Uint32Array, count: number, to: Uint32Array): void {
  if (from === undefined) to.fill(0, 0, count);
  else for (let i = 0; i < count; i++) to[i] = from[rows[i]];
}
