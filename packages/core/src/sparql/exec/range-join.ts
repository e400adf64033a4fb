import { expressionText } from '../explain/algebra-text.ts';
import type { NumberVector } from '../vectors/number-vector.ts';
import { SlotNumbers } from '../vectors/slot-numbers.ts';
import { Batch, emptied, NO_BATCH, PAUSE, type Stream } from './batch.ts';
import { type Execution, isPause } from './execution.ts';
import { type Operator, type PlanNames, pruned } from './operator.ts';
import { Pace } from './pace.ts';
import { RangeTable } from './range-table.ts';
import { neededWith, type RowValue } from './row-function.ts';
import { SlotSet } from './slot-set.ts';

/** A number of a left row that bounds one of the right rows. */
export interface RangeBound {
  readonly left: RowValue;
  readonly right: RowValue;
  /** Whether the right number must be at least the left one; otherwise, it must be at most that. */
  readonly isLower: boolean;
  /** Whether a number was moved to the other side, where it may be rounded otherwise. */
  readonly isMoved: boolean;
}

/** Share of a moved bound by which the range is wider, since doubles are rounded. */
const MARGIN = 1e-12;

/**
 * Joins rows whose shared slots have the same terms, without the pairs for which a bound says that
 * one of the conditions above is false. It leaves out no other pair: where values are not numbers,
 * those conditions decide.
 */
export class RangeJoin implements Operator {
  readonly name = 'range join';
  readonly slots: readonly number[];
  readonly certain: SlotSet;
  readonly estimate: number;
  readonly inputs: readonly [Operator, Operator];
  private readonly keys: readonly number[];
  private readonly added: readonly number[];
  /** The bounds of the number that the right rows are sorted by, then those of another one. */
  private readonly sorting: readonly RangeBound[];
  private readonly other: RangeBound | undefined;
  private readonly bounds: readonly RangeBound[];

  /**
   * @param left its shared slots are bound in all rows, as those of `right` are
   * @param bounds at least one
   */
  constructor(left: Operator, right: Operator, bounds: readonly RangeBound[], estimate: number) {
    this.inputs = [left, right];
    this.bounds = bounds;
    this.estimate = estimate;
    this.keys = SlotSet.of(right.slots).among(left.slots);
    this.added = SlotSet.of(left.slots).outside(right.slots);
    this.slots = left.slots.concat(this.added);
    this.certain = left.certain.union(right.certain);
    const byNumber = new Map<string, RangeBound[]>();
    for (const bound of bounds) {
      const text = expressionText(bound.right.expression);
      const others = byNumber.get(text);
      if (others) others.push(bound);
      else byNumber.set(text, [bound]);
    }
    // A number with two bounds makes the shortest ranges.
    const ofNumbers = [...byNumber.values()].sort((one, two) => directions(two) - directions(one));
    this.sorting = ofNumbers[0];
    this.other = ofNumbers[1]?.[0];
  }

  detail({ variable }: PlanNames): string {
    const ranges = this.bounds.map(({ left, right, isLower }) => {
      const sign = isLower ? '>=' : '<=';
      return `${expressionText(right.expression)} ${sign} ${expressionText(left.expression)}`;
    });
    const keys = this.keys.length > 0 ? [`on ${this.keys.map(variable).join(' ')}`] : [];
    return [...keys, ...ranges].join(', ');
  }

  withOnly(needed: SlotSet): Operator | undefined {
    const [left, right] = this.inputs;
    const values = this.bounds.flatMap((bound) => [bound.left, bound.right]);
    const below = neededWith(needed.with(this.keys), values);
    return below && new RangeJoin(pruned(left, below), pruned(right, below), this.bounds, this.estimate);
  }

  *run(execution: Execution): Stream {
    const [left, right] = this.inputs;
    const { sorting, other } = this;
    const sign = other?.isLower === false ? -1 : 1;
    const table = new RangeTable(right.slots, this.keys, execution);
    yield* table.fill(execution.run(right), sorting[0].right, other && { value: other.right, sign });
    if (table.store.length === 0) return;

    const numbers = new SlotNumbers(execution);
    const programs = sorting.map((bound) => bound.left.startNumbers?.(numbers));
    const otherProgram = other?.left.startNumbers?.(numbers);
    const pairs = new Pairs(this, table, execution);
    const pace = new Pace(execution);
    for (const rows of execution.run(left)) {
      if (isPause(rows)) {
        yield PAUSE;
        continue;
      }
      numbers.advance();
      const vectors = programs.map((program) => program?.(rows));
      const otherVector = otherProgram?.(rows);
      pairs.begin(rows);
      for (let row = 0; row < rows.length; row++) {
        if (pace.isDue) yield PAUSE;
        const group = table.find(rows.columns, row);
        if (group < 0) continue;
        const { from, to } = this.range(table, group, vectors, row);
        const isBounded = otherVector !== undefined && table.hasOther(otherVector.kinds[row]);
        const least = isBounded ? sign * otherVector.numbers[row] - margin(other!, otherVector.numbers[row]) : 0;
        for (let at = isBounded ? table.next(from, least) : from; at < to; ) {
          if (pairs.add(row, table.rows[at])) {
            yield pairs.take();
            if (execution.pauseDue) yield PAUSE;
          }
          at = isBounded ? table.next(at + 1, least) : at + 1;
        }
        for (let at = table.unsorted(group); at < table.end(group); at++) {
          if (pairs.add(row, table.rows[at])) {
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

  /** Returns the positions of the sorted rows that are within the bounds of a left row. */
  private range(
    table: RangeTable,
    group: number,
    vectors: readonly (NumberVector | undefined)[],
    row: number,
  ): { readonly from: number; readonly to: number } {
    let from = 0;
    let to = table.unsorted(group);
    for (let i = 0; i < vectors.length; i++) {
      const bound = this.sorting[i];
      const kind = vectors[i]?.kinds[row] ?? 0;
      const number = vectors[i]?.numbers[row] ?? 0;
      if (bound.isLower) from = Math.max(from, table.from(group, kind, number - margin(bound, number)));
      else to = Math.min(to, table.to(group, kind, number + margin(bound, number)));
    }
    return { from: Math.max(from, table.start(group)), to };
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

/** The number of directions in which a number is bounded. */
function directions(bounds: readonly RangeBound[]): number {
  return new Set(bounds.map(({ isLower }) => isLower)).size;
}

function margin({ isMoved }: RangeBound, number: number): number {
  return isMoved && Number.isFinite(number) ? Math.abs(number) * MARGIN : 0;
}

function copy(from: Uint32Array | undefined, rows: Uint32Array, count: number, to: Uint32Array): void {
  if (from === undefined) to.fill(0, 0, count);
  else for (let i = 0; i < count; i++) to[i] = from[rows[i]];
}
