import { expressionText } from '../explain/algebra-text.ts';
import type { NumberProgram, NumberVector } from '../vectors/number-vector.ts';
import { SlotNumbers } from '../vectors/slot-numbers.ts';
import type { Batch, Pause, Stream } from './batch.ts';
import type { Execution } from './execution.ts';
import { RangeTable } from './range-table.ts';
import type { RowValue } from './row-function.ts';

/** A number of a left row that bounds one of the right rows. */
export interface RangeBound {
  readonly left: RowValue;
  readonly right: RowValue;
  /** Whether the right number must be at least the left one; otherwise, it must be at most that. */
  readonly isLower: boolean;
  /** Whether the two must differ. False for a moved bound. */
  readonly isStrict: boolean;
  /**
   * Whether a number was moved to the other side of the inequality, where it may be rounded
   * differently. The range is then a little wider, and the two may be equal.
   */
  readonly isMoved: boolean;
}

/** Share of a moved bound by which the range is wider, since doubles are rounded. */
const MARGIN = 1e-12;

/** Describes bounds for explain. */
export function boundsText(bounds: readonly RangeBound[]): readonly string[] {
  return bounds.map(({ left, right, isLower, isStrict }) => {
    const sign = `${isLower ? '>' : '<'}${isStrict ? '' : '='}`;
    return `${expressionText(right.expression)} ${sign} ${expressionText(left.expression)}`;
  });
}

/** Bounds by what they bound. */
export class RangeBounds {
  readonly all: readonly RangeBound[];
  /** The bounds of the number that the right rows are sorted by. */
  readonly sorting: readonly RangeBound[];
  /** A bound of another number. */
  readonly other: RangeBound | undefined;

  /** @param all at least one */
  constructor(all: readonly RangeBound[]) {
    this.all = all;
    const byNumber = new Map<string, RangeBound[]>();
    for (const bound of all) {
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
}

/**
 * Finds the right rows that are within the bounds of a left row and have the same keys. It leaves
 * out only rows for which one of the conditions that the bounds come from is false: where values
 * are not numbers, those conditions decide.
 *
 * A run fills the table, announces each batch of left rows with {@link begin}, selects one with
 * {@link seek}, and takes the right rows with {@link next}.
 */
export class RangeCandidates {
  readonly table: RangeTable;
  private readonly bounds: RangeBounds;
  private readonly numbers: SlotNumbers;
  private readonly programs: readonly (NumberProgram | undefined)[];
  private readonly otherProgram: NumberProgram | undefined;
  /** 1, or -1 if the other number is bounded from above. */
  private readonly sign: 1 | -1;
  /**
   * Whether to begin with the greatest number. With a lower bound alone, that one satisfies it if
   * any does.
   */
  private readonly isDescending: boolean;
  private columns: Batch['columns'] = [];
  private vectors: readonly (NumberVector | undefined)[] = [];
  private otherVector: NumberVector | undefined;
  /** Positions of the table that remain: sorted ones from `at` to `to`, then the unsorted ones. */
  private at = 0;
  private to = 0;
  private loose = 0;
  private end = 0;
  /** Whether the other number is bounded, and by what. */
  private isBounded = false;
  private least = 0;

  constructor(
    bounds: RangeBounds,
    right: { readonly slots: readonly number[] },
    keys: readonly number[],
    execution: Execution,
  ) {
    this.bounds = bounds;
    const { sorting, other } = bounds;
    this.table = new RangeTable(right.slots, keys, execution);
    this.numbers = new SlotNumbers(execution);
    this.programs = sorting.map(({ left }) => left.startNumbers?.(this.numbers));
    this.otherProgram = other?.left.startNumbers?.(this.numbers);
    this.sign = other?.isLower === false ? -1 : 1;
    this.isDescending = !other && sorting.every(({ isLower }) => isLower);
  }

  /** Reads the right rows. */
  fill(right: Stream): Generator<Pause, void, void> {
    const { sorting, other } = this.bounds;
    return this.table.fill(right, sorting[0].right, other && { value: other.right, sign: this.sign });
  }

  /** Announces the rows that {@link seek} selects from. */
  begin(rows: Batch): void {
    this.numbers.advance();
    this.columns = rows.columns;
    this.vectors = this.programs.map((program) => program?.(rows));
    this.otherVector = this.otherProgram?.(rows);
  }

  /** Selects a left row. */
  seek(row: number): void {
    const { table, otherVector } = this;
    const { other, sorting } = this.bounds;
    const group = table.find(this.columns, row);
    if (group < 0) {
      this.at = this.to = this.loose = this.end = 0;
      return;
    }
    let from = table.start(group);
    let to = table.unsorted(group);
    this.loose = to;
    this.end = table.end(group);
    for (let i = 0; i < sorting.length; i++) {
      const bound = sorting[i];
      const vector = this.vectors[i];
      if (vector === undefined) continue;
      const kind = vector.kinds[row];
      const number = vector.numbers[row];
      if (bound.isLower) from = Math.max(from, table.from(group, kind, number - margin(bound, number), bound.isStrict));
      else to = Math.min(to, table.to(group, kind, number + margin(bound, number), bound.isStrict));
    }
    this.isBounded = otherVector !== undefined && table.hasOther(otherVector.kinds[row]);
    if (this.isBounded) {
      const number = otherVector!.numbers[row];
      this.least = this.sign * number - margin(other!, number);
      from = table.next(from, this.least);
    }
    this.at = from;
    this.to = to;
  }

  /** Returns the next row of the table, or -1. */
  next(): number {
    const { table } = this;
    if (this.at < this.to) {
      if (this.isDescending) return table.rows[--this.to];
      const found = table.rows[this.at];
      this.at = this.isBounded ? table.next(this.at + 1, this.least) : this.at + 1;
      return found;
    }
    return this.loose < this.end ? table.rows[this.loose++] : -1;
  }
}

/** The number of directions in which a number is bounded. */
function directions(bounds: readonly RangeBound[]): number {
  return new Set(bounds.map(({ isLower }) => isLower)).size;
}

function margin({ isMoved }: RangeBound, number: number): number {
  return isMoved && Number.isFinite(number) ? Math.abs(number) * MARGIN : 0;
}
