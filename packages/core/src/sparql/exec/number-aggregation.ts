import { NO_TERM, type TermId } from '../../contracts/term-source.ts';
import { COMPARABLE, MAX_SCALE, MAX_UNITS, NUMERIC, VALUE } from '../../contracts/value-column.ts';
import { type Accumulator, makeAccumulator } from '../expressions/aggregates.ts';
import { divide } from '../expressions/arithmetic.ts';
import { decimalOf } from '../expressions/decimal.ts';
import { compareForOrder } from '../expressions/ordering.ts';
import { doubleValue, exactValue, integerValue, type Value } from '../expressions/value.ts';
import type { NumberProgram } from '../vectors/number-vector.ts';
import { NumberVector, powerOfTen, scaleOf, unitsOf } from '../vectors/number-vector.ts';
import type { SlotNumbers } from '../vectors/slot-numbers.ts';
import type { AggregateColumn, AggregateState, GroupAggregate } from './aggregate-column.ts';
import type { Batch } from './batch.ts';
import type { Execution } from './execution.ts';
import type { RowCounts } from './row-counts.ts';

/** Bytes per group, without a general accumulator. */
const SUM_BYTES = 12;
const EXTREME_BYTES = 14;
const ACCUMULATOR_BYTES = 144;
const FIRST_GROUPS = 16;

/** Returns the column that was made for the same key, or the one that `make` returns. */
type ColumnOf = (key: string, make: () => AggregateColumn) => AggregateColumn;

/**
 * Returns a column that computes SUM, AVG, MIN or MAX on unboxed numbers, with the same results as
 * the general accumulators. Returns undefined for every other aggregate and if the argument has no
 * unboxed numbers.
 *
 * @param rows counts the rows of each group
 * @param columnOf shares columns that aggregates have in common
 */
export function numberAggregation(
  spec: GroupAggregate,
  numbers: SlotNumbers,
  rows: RowCounts,
  columnOf: ColumnOf,
): AggregateColumn | undefined {
  const { aggregate, argumentSlot, argument } = spec;
  switch (aggregate.function) {
    case 'SUM':
    case 'AVG': {
      if (aggregate.distinct) return undefined;
      const program = argumentSlot === undefined ? argument?.startNumbers?.(numbers) : numbers.program(argumentSlot);
      if (!program) return undefined;
      const make = () => new NumberSum(spec, program, rows, numbers.execution);
      const sum = argumentSlot === undefined ? make() : (columnOf(`sum ${argumentSlot}`, make) as NumberSum);
      return aggregate.function === 'AVG' ? new Average(sum, numbers.execution) : sum;
    }
    case 'MIN':
    case 'MAX': {
      const program = argumentSlot === undefined ? undefined : numbers.program(argumentSlot);
      if (!program) return undefined;
      const sign = aggregate.function === 'MIN' ? -1 : 1;
      return columnOf(`extreme ${sign} ${argumentSlot}`, () => {
        return new Extreme(argumentSlot!, sign, program, numbers.execution);
      });
    }
    default:
      return undefined;
  }
}

/**
 * Representation of the sum of a group, as the highest kind of number that it takes as it is. An
 * exact sum has the mode `decimal` plus its scale: it takes integers and decimals of at most that
 * scale.
 */
const MODE = {
  /** A general accumulator, because a value or the sum did not fit the others. */
  general: 0,
  double: 1,
  /** Integer or decimal: units and a scale. */
  exact: VALUE.decimal,
} as const;

/** By mode of exact sums: 10 to the power of their scale. */
const POWERS = Float64Array.from({ length: MODE.exact + MAX_SCALE + 1 }, (_, mode) =>
  mode < MODE.exact ? 1 : powerOfTen(mode - MODE.exact),
);

/**
 * SUM and AVG (sections 18.5.1.3 and 18.5.1.4). Integers and decimals are added exactly, as units
 * with one scale per group; after the first double, the sum of a group is a double.
 */
class NumberSum implements AggregateState, AggregateColumn {
  readonly states: readonly AggregateState[];
  readonly rows: RowCounts;
  /** Rows without a number are evaluated one by one, which may take long for an expression. */
  private readonly isComputed: boolean;
  private readonly program: NumberProgram;
  private readonly execution: Execution;
  private readonly valueAt: (batch: Batch, row: number) => Value | undefined;
  private readonly general = new Map<number, Accumulator>();
  private vector: NumberVector;
  /** Number of rows of each group is in {@link rows}; what follows is by group. */
  private modes = new Uint8Array(FIRST_GROUPS).fill(MODE.exact);
  /** Units of an exact sum, or the double. */
  private sums = new Float64Array(FIRST_GROUPS);
  /** Whether an exact sum has the type xsd:decimal. */
  private decimals = new Uint8Array(FIRST_GROUPS);

  constructor(
    { argumentSlot, argument }: GroupAggregate,
    program: NumberProgram,
    rows: RowCounts,
    execution: Execution,
  ) {
    this.states = [this, rows];
    this.rows = rows;
    this.isComputed = argumentSlot === undefined;
    this.program = program;
    this.vector = new NumberVector(execution);
    this.execution = execution;
    this.valueAt =
      argumentSlot === undefined
        ? argument!.start(execution)
        : (batch, row) => execution.value(batch.columns[argumentSlot]?.[row] ?? NO_TERM);
  }

  get isCostly(): boolean {
    return this.isComputed || this.general.size > 0;
  }

  add(groups: Uint32Array, size: number, batch: Batch, from: number, to: number): void {
    if (from === 0) this.vector = this.program(batch);
    this.reserve(size);
    const { kinds, numbers } = this.vector;
    const { modes, sums, decimals } = this;
    for (let row = from; row < to; row++) {
      const group = groups[row];
      const kind = kinds[row];
      const mode = modes[group];
      if (kind >= VALUE.integer && kind <= mode) {
        if (row + 1 < to && groups[row + 1] === group) {
          const added = this.addRun(groups, row, to);
          if (added > 0) {
            row += added - 1;
            continue;
          }
        }
        // Exact: below MAX_UNITS, the product is off by less than a half.
        const units = Math.round(numbers[row] * POWERS[mode]);
        const total = sums[group] + units;
        // A total that is not exact is not in this range either.
        if (Math.abs(units) < MAX_UNITS && Math.abs(total) <= Number.MAX_SAFE_INTEGER) {
          sums[group] = total;
          if (kind !== VALUE.integer) decimals[group] = 1;
          continue;
        }
      } else if (mode === MODE.double && kind >= VALUE.double) {
        sums[group] += numbers[row];
        continue;
      }
      this.addOther(group, kind, numbers[row], batch, row);
    }
  }

  /** Adds a row whose number does not fit the sum of its group as it is. */
  private addOther(group: number, kind: number, number: number, batch: Batch, row: number): void {
    const mode = this.modes[group];
    if (mode === MODE.general || COMPARABLE[kind] !== NUMERIC) {
      // A value that is no number makes the sum an error, whatever it is.
      const mayBeNumber = kind === VALUE.opaque || kind === VALUE.float || COMPARABLE[kind] === NUMERIC;
      this.generalOf(group).add(mayBeNumber ? this.valueAt(batch, row) : undefined);
      this.execution.releaseTemporaries();
    } else if (kind === VALUE.double) {
      // The sum of no rows is an integer; 0 becomes the double 0.
      this.sums[group] = this.sums[group] / POWERS[mode] + number;
      this.modes[group] = MODE.double;
    } else if (!this.addExactly(group, kind, number)) {
      this.generalOf(group).add(this.valueAt(batch, row));
    }
  }

  /**
   * Adds the rows from a row on that are of its group and fit its exact sum as it is. Returns their
   * number.
   */
  private addRun(groups: Uint32Array, from: number, to: number): number {
    const { kinds, numbers } = this.vector;
    const group = groups[from];
    const mode = this.modes[group];
    const power = POWERS[mode];
    let sum = this.sums[group];
    let isDecimal = this.decimals[group];
    let row = from;
    for (; row < to && groups[row] === group; row++) {
      const kind = kinds[row];
      if (kind < VALUE.integer || kind > mode) break;
      const units = Math.round(numbers[row] * power);
      const total = sum + units;
      if (!(Math.abs(units) < MAX_UNITS && Math.abs(total) <= Number.MAX_SAFE_INTEGER)) break;
      sum = total;
      if (kind !== VALUE.integer) isDecimal = 1;
    }
    this.sums[group] = sum;
    this.decimals[group] = isDecimal;
    return row - from;
  }

  /** Adds to an exact sum. Returns false and changes nothing if its units would be inexact. */
  private addExactly(group: number, kind: number, number: number): boolean {
    const scale = scaleOf(kind);
    let sumScale = this.modes[group] - MODE.exact;
    let sum = this.sums[group];
    let units = unitsOf(number, scale);
    if (scale < sumScale) units *= powerOfTen(sumScale - scale);
    else if (scale > sumScale) {
      sum *= powerOfTen(scale - sumScale);
      sumScale = scale;
    }
    const total = sum + units;
    if (!(Number.isSafeInteger(sum) && Number.isSafeInteger(units) && Number.isSafeInteger(total))) return false;
    this.sums[group] = total;
    this.modes[group] = MODE.exact + sumScale;
    if (kind !== VALUE.integer) this.decimals[group] = 1;
    return true;
  }

  /** Switches a group to a general accumulator, which continues from the sum so far. */
  private generalOf(group: number): Accumulator {
    let accumulator = this.general.get(group);
    if (accumulator) return accumulator;
    this.execution.claimMemory(ACCUMULATOR_BYTES);
    accumulator = makeAccumulator({ function: 'SUM', distinct: false, argument: NO_ARGUMENT }, this.execution);
    accumulator.add(this.valueOf(group));
    this.modes[group] = MODE.general;
    this.general.set(group, accumulator);
    return accumulator;
  }

  /** Returns the sum of a group that has rows; undefined stands for an error. */
  valueOf(group: number): Value | undefined {
    const mode = this.modes[group];
    if (mode === MODE.general) return this.general.get(group)!.result();
    if (mode === MODE.double) return doubleValue(this.sums[group]);
    if (this.decimals[group] === 0) return integerValue(this.sums[group]);
    return exactValue(decimalOf(this.sums[group], mode - MODE.exact));
  }

  result(group: number): TermId {
    // Section 18.5.1.3: the sum of an empty group is 0.
    return this.execution.idOf(this.rows.of(group) === 0 ? integerValue(0) : this.valueOf(group));
  }

  private reserve(groups: number): void {
    if (groups <= this.sums.length) return;
    const length = Math.max(groups, this.sums.length * 2);
    this.execution.claimMemory((length - this.sums.length) * SUM_BYTES);
    this.modes = grown(this.modes, new Uint8Array(length).fill(MODE.exact));
    this.sums = grown(this.sums, new Float64Array(length));
    this.decimals = grown(this.decimals, new Uint8Array(length));
  }
}

/** AVG: the sum by the number of rows. */
class Average implements AggregateColumn {
  readonly states: readonly AggregateState[];
  private readonly sum: NumberSum;
  private readonly execution: Execution;

  constructor(sum: NumberSum, execution: Execution) {
    this.states = sum.states;
    this.sum = sum;
    this.execution = execution;
  }

  result(group: number): TermId {
    // Section 18.5.1.4: the average of an empty group is 0.
    const rows = this.sum.rows.of(group);
    if (rows === 0) return this.execution.integerId(0);
    const sum = this.sum.valueOf(group);
    return this.execution.idOf(sum && divide(sum, integerValue(rows)));
  }
}

/** Placeholder: the type requires an argument, but the accumulator is given values directly. */
const NO_ARGUMENT = { type: 'variable', name: '' } as const;

/**
 * MIN and MAX (sections 18.5.1.5 and 18.5.1.6): the first or last term in the order of ORDER BY.
 */
class Extreme implements AggregateState, AggregateColumn {
  readonly states: readonly AggregateState[] = [this];
  private readonly slot: number;
  private readonly sign: -1 | 1;
  private readonly execution: Execution;
  /** Undefined once most values of a batch turn out not to be numbers. */
  private program: NumberProgram | undefined;
  private vector: NumberVector;
  /** Says that all values are opaque. */
  private readonly noNumbers: NumberVector;
  isCostly = false;
  private isFilled = new Uint8Array(FIRST_GROUPS);
  private ids = new Uint32Array(FIRST_GROUPS);
  /** Class of the extreme, of {@link COMPARABLE}; 0 if its number means nothing. */
  private classes = new Uint8Array(FIRST_GROUPS);
  private numbers = new Float64Array(FIRST_GROUPS);

  constructor(slot: number, sign: -1 | 1, program: NumberProgram, execution: Execution) {
    this.slot = slot;
    this.sign = sign;
    this.program = program;
    this.noNumbers = new NumberVector(execution);
    this.vector = this.noNumbers;
    this.execution = execution;
  }

  add(groups: Uint32Array, size: number, batch: Batch, from: number, to: number): void {
    if (from === 0) this.read(batch);
    this.reserve(size);
    const vector = this.vector;
    const column = batch.columns[this.slot];
    const { classes, numbers, sign } = this;
    if (size === 1 && vector.comparable !== 0 && vector.comparable === classes[0]) {
      let best = numbers[0];
      for (let row = from; row < to; row++) {
        const number = vector.numbers[row];
        if (sign > 0 ? number < best : number > best) continue;
        this.addOther(0, vector.comparable, number, column === undefined ? NO_TERM : column[row]);
        best = numbers[0];
      }
      return;
    }
    for (let row = from; row < to; row++) {
      const group = groups[row];
      const comparable = COMPARABLE[vector.kinds[row]];
      const number = vector.numbers[row];
      // Most rows cannot replace the extreme of their group.
      if (comparable !== 0 && comparable === classes[group]) {
        if (sign > 0 ? number < numbers[group] : number > numbers[group]) continue;
      }
      this.addOther(group, comparable, number, column === undefined ? NO_TERM : column[row]);
    }
  }

  /** Adds a row that may replace the extreme of its group. */
  private addOther(group: number, comparable: number, number: number, id: TermId): void {
    if (this.isFilled[group] === 1) {
      if (id === this.ids[group]) return;
      let order = 0;
      if (comparable !== 0 && comparable === this.classes[group]) order = compareNumbers(number, this.numbers[group]);
      // Equal numbers can be different terms, and opaque values have none: compare the terms as
      // ORDER BY does.
      if (order === 0) order = this.compare(id, this.ids[group]);
      if (order * this.sign <= 0) return;
    }
    this.isFilled[group] = 1;
    this.ids[group] = id;
    this.classes[group] = comparable;
    this.numbers[group] = number;
  }

  result(group: number): TermId {
    return group < this.ids.length ? this.ids[group] : NO_TERM;
  }

  private read(batch: Batch): void {
    if (this.program) {
      this.vector = this.program(batch);
      // What is an extreme of mixed kinds is found out row by row.
      this.isCostly = false;
      if (this.vector.comparable !== 0) return;
      let opaque = 0;
      for (let row = 0; row < batch.length; row++) if (this.vector.kinds[row] === VALUE.opaque) opaque++;
      this.isCostly = opaque > 0;
      if (opaque * 2 <= batch.length) return;
      this.program = undefined;
    }
    this.isCostly = true;
    // Not the vector of the slot, which other aggregates read.
    this.vector = this.noNumbers;
    this.vector.reserve(batch.length);
    this.vector.kinds.fill(VALUE.opaque);
  }

  private compare(id: TermId, other: TermId): number {
    return compareForOrder(this.execution.value(id), this.execution.value(other));
  }

  private reserve(groups: number): void {
    if (groups <= this.ids.length) return;
    const length = Math.max(groups, this.ids.length * 2);
    this.execution.claimMemory((length - this.ids.length) * EXTREME_BYTES);
    this.isFilled = grown(this.isFilled, new Uint8Array(length));
    this.ids = grown(this.ids, new Uint32Array(length));
    this.classes = grown(this.classes, new Uint8Array(length));
    this.numbers = grown(this.numbers, new Float64Array(length));
  }
}

function compareNumbers(one: number, other: number): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function grown<Values extends Uint8Array | Uint32Array | Float64Array>(from: Values, to: Values): Values {
  to.set(from);
  return to;
}
