import { COMPARABLE, hasFraction } from '../../contracts/value-column.ts';
import type { NumberProgram } from '../vectors/number-vector.ts';
import { SlotNumbers } from '../vectors/slot-numbers.ts';
import { keyColumns, PAUSE, type Pause, type Stream } from './batch.ts';
import { type Execution, isPause } from './execution.ts';
import { KeyTable } from './key-table.ts';
import { ComparisonCost, sortSliced } from './merge-sort.ts';
import type { RowValue } from './row-function.ts';
import { RowNumbers } from './row-numbers.ts';
import { RowStore } from './row-store.ts';

/** Bytes per row of what the table keeps besides the rows, at most. */
const BYTES_A_ROW = 72;
const ROWS_AT_ONCE = 1 << 12;

/** Numbers of a column of the table, by row. */
interface Numbers {
  readonly values: Float64Array;
  /** Class of the comparable ones, of {@link COMPARABLE}; 0 if there are none. */
  readonly comparable: number;
  /** By row: whether it has a number of that class. */
  readonly isKnown: Uint8Array;
  /** Whether {@link hasFraction} holds for a kind among them. */
  readonly hasFractions: boolean;
}

/**
 * The rows of a join's build side, by key and, among rows of one key, by a number: gives the rows
 * of a range without looking at the others. A second number may be bounded on one side; its maxima
 * over stretches of the sorted rows lead past those that are below.
 *
 * Rows that have no number, or one of another class than most, are not sorted: they are part of
 * every range.
 */
export class RangeTable {
  readonly store: RowStore;
  private readonly keys: readonly number[];
  private readonly execution: Execution;
  private readonly table: KeyTable;
  /** Group by row; rows of a group have the same keys. */
  private groupOf = new Uint32Array(0);
  /** By group: its first position, the first of its unsorted rows, and the end. */
  private starts = new Uint32Array(1);
  private loose = new Uint32Array(0);
  /** Rows by position. */
  rows: Uint32Array = new Uint32Array(0);
  /** By position: the number that rows are sorted by. */
  private sorted = new Float64Array(0);
  private maxima: Maxima | undefined;
  private sortClass = 0;
  private hasFractions = false;
  private otherClass = 0;

  constructor(slots: readonly number[], keys: readonly number[], execution: Execution) {
    this.store = new RowStore(slots, execution);
    this.keys = keys;
    this.execution = execution;
    this.table = new KeyTable(this.store, keys, execution);
  }

  /**
   * Reads all rows.
   *
   * @param sort the number to sort by
   * @param other another number; `sign` is -1 if it is bounded from above
   */
  *fill(
    input: Stream,
    sort: RowValue,
    other: { readonly value: RowValue; readonly sign: 1 | -1 } | undefined,
  ): Generator<Pause, void, void> {
    const { execution, store } = this;
    const sortNumbers = new NumberColumn();
    const otherNumbers = new NumberColumn();
    const slots = new SlotNumbers(execution);
    const sortProgram = sort.startNumbers?.(slots);
    const otherProgram = other?.value.startNumbers?.(slots);
    for (const batch of input) {
      if (isPause(batch)) {
        yield PAUSE;
        continue;
      }
      slots.advance();
      execution.claimMemory(batch.length * BYTES_A_ROW);
      sortNumbers.append(sortProgram, batch);
      otherNumbers.append(otherProgram, batch);
      yield* store.reserve(batch.length, execution);
      store.append(batch);
      if (execution.pauseDue) yield PAUSE;
    }
    yield* this.group();
    yield* this.sort(sortNumbers.numbers());
    if (other && otherProgram) yield* this.findMaxima(otherNumbers.numbers(), other.sign);
  }

  /** Numbers the keys of the rows. */
  private *group(): Generator<Pause, void, void> {
    const { store, keys, table, execution } = this;
    const numbers = new RowNumbers(keys.length, execution);
    const columns = keyColumns({ columns: store.columns, length: store.length }, keys);
    this.groupOf = new Uint32Array(store.length);
    for (let start = 0; start < store.length; start += ROWS_AT_ONCE) {
      const end = Math.min(start + ROWS_AT_ONCE, store.length);
      yield* numbers.reserve(end - start, execution);
      yield* table.reserve(end - start);
      for (let row = start; row < end; row++) {
        const known = numbers.size;
        this.groupOf[row] = numbers.number(columns, row);
        // One row stands for all of its key.
        if (numbers.size > known) table.add(row);
      }
      if (execution.pauseDue) yield PAUSE;
    }
  }

  private *sort({ values, comparable, isKnown, hasFractions }: Numbers): Generator<Pause, void, void> {
    const { groupOf, execution } = this;
    const { length } = groupOf;
    const compare = (one: number, other: number) =>
      groupOf[one] - groupOf[other] ||
      isKnown[other] - isKnown[one] ||
      (values[one] < values[other] ? -1 : values[one] > values[other] ? 1 : one - other);
    this.rows = yield* sortSliced(length, compare, new ComparisonCost(1), execution);
    this.sortClass = comparable;
    this.hasFractions = hasFractions;
    this.sorted = new Float64Array(length);
    const groups = length === 0 ? 0 : groupOf[this.rows[length - 1]] + 1;
    this.starts = new Uint32Array(groups + 1);
    this.loose = new Uint32Array(groups);
    for (let at = 0; at < length; at++) {
      const row = this.rows[at];
      this.sorted[at] = values[row];
      this.starts[groupOf[row] + 1] = at + 1;
      if (isKnown[row] === 1) this.loose[groupOf[row]] = at + 1;
      if (at % ROWS_AT_ONCE === 0 && execution.pauseDue) yield PAUSE;
    }
    // A group without sorted rows has unsorted ones from its start on.
    for (let group = 0; group < groups; group++) {
      this.loose[group] = Math.max(this.loose[group], this.starts[group]);
    }
  }

  private *findMaxima({ values, comparable, isKnown }: Numbers, sign: 1 | -1): Generator<Pause, void, void> {
    this.otherClass = comparable;
    const maxima = new Maxima(this.rows.length);
    for (let at = 0; at < this.rows.length; at++) {
      const row = this.rows[at];
      maxima.set(at, isKnown[row] === 1 ? sign * values[row] : Number.POSITIVE_INFINITY);
      if (at % ROWS_AT_ONCE === 0 && this.execution.pauseDue) yield PAUSE;
    }
    yield* maxima.complete(this.execution);
    this.maxima = maxima;
  }

  /** Returns the group of rows with the same keys, or -1. */
  find(columns: readonly (Uint32Array | undefined)[], row: number): number {
    if (this.keys.length === 0) return this.store.length > 0 ? 0 : -1;
    const found = this.table.find(columns, row);
    return found < 0 ? -1 : this.groupOf[found];
  }

  /**
   * Returns the first position of a group whose number is at least `bound`, or above it if
   * `isStrict`; or its first position if that cannot be told from the numbers.
   */
  from(group: number, kind: number, bound: number, isStrict: boolean): number {
    if (COMPARABLE[kind] !== this.sortClass || this.sortClass === 0) return this.starts[group];
    const first = isStrict && this.isExact(kind) ? firstAbove : firstAtLeast;
    return first(this.sorted, this.starts[group], this.loose[group], bound);
  }

  /**
   * Returns the end of the positions of a group whose number is at most `bound`, or below it if
   * `isStrict`; likewise.
   */
  to(group: number, kind: number, bound: number, isStrict: boolean): number {
    if (COMPARABLE[kind] !== this.sortClass || this.sortClass === 0) return this.loose[group];
    const first = isStrict && this.isExact(kind) ? firstAtLeast : firstAbove;
    return first(this.sorted, this.starts[group], this.loose[group], bound);
  }

  /** Whether equal numbers mean equal values. */
  private isExact(kind: number): boolean {
    return !this.hasFractions && !hasFraction(kind);
  }

  start(group: number): number {
    return this.starts[group];
  }

  /** Positions of the unsorted rows of a group: from here to {@link end}. */
  unsorted(group: number): number {
    return this.loose[group];
  }

  end(group: number): number {
    return this.starts[group + 1];
  }

  /** Whether the other number of rows can be compared with one of this kind. */
  hasOther(kind: number): boolean {
    return this.maxima !== undefined && this.otherClass !== 0 && COMPARABLE[kind] === this.otherClass;
  }

  /**
   * Returns the next position from `at` on whose other number, with its sign, is at least `bound`.
   */
  next(at: number, bound: number): number {
    return this.maxima!.next(at, bound);
  }
}

/** Numbers of a growing column. */
class NumberColumn {
  private values = new Float64Array(0);
  private kinds = new Uint8Array(0);
  private length = 0;

  append(program: NumberProgram | undefined, batch: Parameters<NumberProgram>[0]): void {
    const length = this.length + batch.length;
    if (length > this.values.length) {
      const capacity = Math.max(length, this.values.length * 2);
      const values = new Float64Array(capacity);
      values.set(this.values);
      this.values = values;
      const kinds = new Uint8Array(capacity);
      kinds.set(this.kinds);
      this.kinds = kinds;
    }
    const vector = program?.(batch);
    if (vector) {
      for (let row = 0; row < batch.length; row++) {
        this.values[this.length + row] = vector.numbers[row];
        this.kinds[this.length + row] = vector.kinds[row];
      }
    }
    this.length = length;
  }

  /** The class is that of the first number. */
  numbers(): Numbers {
    const isKnown = new Uint8Array(this.length);
    let comparable = 0;
    let hasFractions = false;
    for (let row = 0; row < this.length; row++) {
      const own = COMPARABLE[this.kinds[row]];
      hasFractions ||= hasFraction(this.kinds[row]);
      if (comparable === 0) comparable = own;
      if (own !== 0 && own === comparable) isKnown[row] = 1;
    }
    return { values: this.values, comparable, isKnown, hasFractions };
  }
}

/** A binary tree of maxima over positions, as in a heap: node n has the children 2n and 2n + 1. */
class Maxima {
  private readonly length: number;
  private readonly leaves: number;
  private readonly nodes: Float64Array;

  constructor(length: number) {
    this.length = length;
    let leaves = 1;
    while (leaves < length) leaves *= 2;
    this.leaves = leaves;
    this.nodes = new Float64Array(leaves * 2).fill(Number.NEGATIVE_INFINITY);
  }

  set(at: number, value: number): void {
    this.nodes[this.leaves + at] = value;
  }

  /** Computes the inner nodes, once all values are set. */
  *complete(execution: Execution): Generator<Pause, void, void> {
    for (let node = this.leaves - 1; node > 0; node--) {
      this.nodes[node] = Math.max(this.nodes[node * 2], this.nodes[node * 2 + 1]);
      if (node % ROWS_AT_ONCE === 0 && execution.pauseDue) yield PAUSE;
    }
  }

  /** Returns the first position from `at` on with at least this value, or the length. */
  next(at: number, bound: number): number {
    if (at >= this.length) return this.length;
    const { nodes, leaves } = this;
    let node = leaves + at;
    while (nodes[node] < bound) {
      // Up from right children, to the neighbour of a left one.
      while ((node & 1) === 1) node >>>= 1;
      if (node === 0) return this.length;
      node++;
    }
    while (node < leaves) {
      node *= 2;
      if (nodes[node] < bound) node++;
    }
    return Math.min(node - leaves, this.length);
  }
}

/** Returns the first position of sorted numbers, of `from .. to - 1`, that is at least `bound`. */
function firstAtLeast(numbers: Float64Array, from: number, to: number, bound: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle] < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}

function firstAbove(numbers: Float64Array, from: number, to: number, bound: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle] <= bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
