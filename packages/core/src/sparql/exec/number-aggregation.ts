import { NO_TERM, type TermId } from '../../contracts/term-source.ts';
import { COMPARABLE, MAX_UNITS, NUMERIC, VALUE } from '../../contracts/value-column.ts';
import { type Accumulator, makeAccumulator } from '../expressions/aggregates.ts';
import { divide } from '../expressions/arithmetic.ts';
import { decimalOf } from '../expressions/decimal.ts';
import { compareForOrder } from '../expressions/ordering.ts';
import { doubleValue, exactValue, integerValue, type Value } from '../expressions/value.ts';
import { type NumberProgram, ofSlot } from '../vectors/number-program.ts';
import { NumberVector, powerOfTen, scaleOf, unitsOf } from '../vectors/number-vector.ts';
import type { AggregateColumn, GroupAggregate } from './aggregate-column.ts';
import type { Batch } from './batch.ts';
import type { Execution } from './execution.ts';

/** Bytes per group, without a general accumulator. */
const SUM_BYTES = 19;
const EXTREME_BYTES = 13;
const ACCUMULATOR_BYTES = 144;
const FIRST_GROUPS = 16;

/**
 * Returns a column that computes SUM, AVG, MIN or MAX on unboxed numbers, with the same results as
 * the general accumulators. Returns undefined for every other aggregate and if the argument has no
 * unboxed numbers.
 */
export function numberAggregation(spec: GroupAggregate, execution: Execution): AggregateColumn | undefined {
  const { aggregate, argumentSlot, argument } = spec;
  switch (aggregate.function) {
    case 'SUM':
    case 'AVG': {
      if (aggregate.distinct) return undefined;
      const program =
        argumentSlot === undefined ? argument?.startNumbers?.(execution) : ofSlot(argumentSlot, execution);
      return program && new NumberSum(spec, program, execution);
    }
    case 'MIN':
    case 'MAX': {
      const program = argumentSlot === undefined ? undefined : ofSlot(argumentSlot, execution);
      return program && new Extreme(argumentSlot!, aggregate.function === 'MIN' ? -1 : 1, program, execution);
    }
    default:
      return undefined;
  }
}

/** Representation of the sum of a group. */
const MODE = {
  /** Integer or decimal: units and a scale. */
  exact: 0,
  double: 1,
  /** A general accumulator, because a value or the sum did not fit the others. */
  general: 2,
} as const;

/**
 * SUM and AVG (sections 18.5.1.3 and 18.5.1.4). Integers and decimals are added exactly, as units
 * with one scale per group; after the first double, the sum of a group is a double.
 */
class NumberSum implements AggregateColumn {
  private readonly isAverage: boolean;
  /** Rows without a number are evaluated one by one, which may take long for an expression. */
  private readonly isComputed: boolean;
  private readonly program: NumberProgram;
  private readonly execution: Execution;
  private readonly valueAt: (batch: Batch, row: number) => Value | undefined;
  private readonly general = new Map<number, Accumulator>();
  private vector: NumberVector;
  private modes = new Uint8Array(FIRST_GROUPS);
  /** Units of an exact sum, or the double. */
  private sums = new Float64Array(FIRST_GROUPS);
  private scales = new Uint8Array(FIRST_GROUPS);
  /** Whether an exact sum has the type xsd:decimal. */
  private decimals = new Uint8Array(FIRST_GROUPS);
  private counts = new Float64Array(FIRST_GROUPS);

  constructor({ aggregate, argumentSlot, argument }: GroupAggregate, program: NumberProgram, execution: Execution) {
    this.isAverage = aggregate.function === 'AVG';
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

  add(groups: Uint32Array, batch: Batch, from: number, to: number): void {
    if (from === 0) this.vector = this.program(batch);
    const { kinds, numbers } = this.vector;
    for (let row = from; row < to; row++) {
      const group = groups[row];
      if (group >= this.counts.length) this.grow(group + 1);
      const mode = this.modes[group];
      if (mode === MODE.exact) {
        const added = this.addRun(groups, row, to);
        if (added > 0) {
          row += added - 1;
          continue;
        }
      }
      this.counts[group]++;
      const kind = kinds[row];
      if (mode === MODE.general || COMPARABLE[kind] !== NUMERIC) {
        this.generalOf(group).add(this.valueAt(batch, row));
        this.execution.releaseTemporaries();
      } else if (kind === VALUE.double) {
        if (mode === MODE.exact) this.sums[group] /= powerOfTen(this.scales[group]);
        this.modes[group] = MODE.double;
        this.sums[group] += numbers[row];
      } else if (mode === MODE.double) {
        this.sums[group] += numbers[row];
      } else if (!this.addExactly(group, kind, numbers[row])) {
        this.generalOf(group).add(this.valueAt(batch, row));
      }
    }
  }

  /**
   * Adds the rows from a row on that are of its group and fit its exact sum as it is. Returns their
   * number.
   */
  private addRun(groups: Uint32Array, from: number, to: number): number {
    const { kinds, numbers } = this.vector;
    const group = groups[from];
    const scale = this.scales[group];
    const power = powerOfTen(scale);
    const lastKind = VALUE.decimal + scale;
    let sum = this.sums[group];
    let isDecimal = this.decimals[group];
    let row = from;
    for (; row < to && groups[row] === group; row++) {
      const kind = kinds[row];
      if (kind < VALUE.integer || kind > lastKind) break;
      // Exact: below MAX_UNITS, the product is off by less than a half.
      const units = Math.round(numbers[row] * power);
      const total = sum + units;
      // A total that is not exact is not in this range either.
      if (!(Math.abs(units) < MAX_UNITS && Math.abs(total) <= Number.MAX_SAFE_INTEGER)) break;
      sum = total;
      if (kind !== VALUE.integer) isDecimal = 1;
    }
    this.sums[group] = sum;
    this.decimals[group] = isDecimal;
    this.counts[group] += row - from;
    return row - from;
  }

  /** Adds to an exact sum. Returns false and changes nothing if its units would be inexact. */
  private addExactly(group: number, kind: number, number: number): boolean {
    const scale = scaleOf(kind);
    let sumScale = this.scales[group];
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
    this.scales[group] = sumScale;
    if (kind !== VALUE.integer) this.decimals[group] = 1;
    return true;
  }

  /** Switches a group to a general accumulator, which continues from the sum so far. */
  private generalOf(group: number): Accumulator {
    let accumulator = this.general.get(group);
    if (accumulator) return accumulator;
    this.execution.claimMemory(ACCUMULATOR_BYTES);
    accumulator = makeAccumulator({ function: 'SUM', distinct: false, argument: NO_ARGUMENT }, this.execution);
    accumulator.add(this.sumOf(group));
    this.modes[group] = MODE.general;
    this.general.set(group, accumulator);
    return accumulator;
  }

  private sumOf(group: number): Value | undefined {
    switch (this.modes[group]) {
      case MODE.general:
        return this.general.get(group)!.result();
      case MODE.double:
        return doubleValue(this.sums[group]);
      default: {
        if (this.decimals[group] === 0) return integerValue(this.sums[group]);
        return exactValue(decimalOf(this.sums[group], this.scales[group]));
      }
    }
  }

  result(group: number): TermId {
    // Sections 18.5.1.3 and 18.5.1.4: sum and average of an empty group are 0.
    if (group >= this.counts.length || this.counts[group] === 0) return this.execution.integerId(0);
    const sum = this.sumOf(group);
    const value = this.isAverage ? sum && divide(sum, integerValue(this.counts[group])) : sum;
    return this.execution.idOf(value);
  }

  private grow(groups: number): void {
    const length = Math.max(groups, this.counts.length * 2);
    this.execution.claimMemory((length - this.counts.length) * SUM_BYTES);
    this.modes = grown(this.modes, new Uint8Array(length));
    this.sums = grown(this.sums, new Float64Array(length));
    this.scales = grown(this.scales, new Uint8Array(length));
    this.decimals = grown(this.decimals, new Uint8Array(length));
    this.counts = grown(this.counts, new Float64Array(length));
  }
}

/** Placeholder: the type requires an argument, but the accumulator is given values directly. */
const NO_ARGUMENT = { type: 'variable', name: '' } as const;

/**
 * MIN and MAX (sections 18.5.1.5 and 18.5.1.6): the first or last term in the order of ORDER BY.
 */
class Extreme implements AggregateColumn {
  private readonly slot: number;
  private readonly sign: -1 | 1;
  private readonly execution: Execution;
  /** Undefined once most values of a batch turn out not to be numbers. */
  private program: NumberProgram | undefined;
  private vector: NumberVector;
  isCostly = false;
  private isFilled = new Uint8Array(FIRST_GROUPS);
  private ids = new Uint32Array(FIRST_GROUPS);
  private kinds = new Uint8Array(FIRST_GROUPS);
  private numbers = new Float64Array(FIRST_GROUPS);

  constructor(slot: number, sign: -1 | 1, program: NumberProgram, execution: Execution) {
    this.slot = slot;
    this.sign = sign;
    this.program = program;
    this.vector = new NumberVector(execution);
    this.execution = execution;
  }

  add(groups: Uint32Array, batch: Batch, from: number, to: number): void {
    if (from === 0) this.read(batch);
    const { kinds, numbers } = this.vector;
    const column = batch.columns[this.slot];
    // The extreme of the group of the row before, to skip the rows that cannot replace it.
    let lastGroup = -1;
    let lastClass = 0;
    let lastNumber = 0;
    for (let row = from; row < to; row++) {
      const group = groups[row];
      if (group === lastGroup && lastClass !== 0 && COMPARABLE[kinds[row]] === lastClass) {
        if (this.sign > 0 ? numbers[row] < lastNumber : numbers[row] > lastNumber) continue;
      }
      if (group >= this.ids.length) this.grow(group + 1);
      lastGroup = -1;
      const id = column === undefined ? NO_TERM : column[row];
      if (this.isFilled[group] === 1) {
        if (id === this.ids[group]) continue;
        const comparable = COMPARABLE[kinds[row]];
        let order = 0;
        if (comparable !== 0 && comparable === COMPARABLE[this.kinds[group]])
          order = compareNumbers(numbers[row], this.numbers[group]);
        // Equal numbers can be different terms, and opaque values have none: compare the terms as
        // ORDER BY does.
        if (order === 0) order = this.compare(id, this.ids[group]);
        if (order * this.sign <= 0) {
          lastGroup = group;
          lastClass = COMPARABLE[this.kinds[group]];
          lastNumber = this.numbers[group];
          continue;
        }
      }
      this.isFilled[group] = 1;
      this.ids[group] = id;
      this.kinds[group] = kinds[row];
      this.numbers[group] = numbers[row];
      lastGroup = group;
      lastClass = COMPARABLE[kinds[row]];
      lastNumber = numbers[row];
    }
  }

  result(group: number): TermId {
    return group < this.ids.length ? this.ids[group] : NO_TERM;
  }

  private read(batch: Batch): void {
    if (this.program) {
      this.vector = this.program(batch);
      let opaque = 0;
      for (let row = 0; row < batch.length; row++) if (this.vector.kinds[row] === VALUE.opaque) opaque++;
      this.isCostly = opaque > 0;
      if (opaque * 2 <= batch.length) return;
      this.program = undefined;
    }
    this.isCostly = true;
    this.vector.reserve(batch.length);
    this.vector.kinds.fill(VALUE.opaque);
  }

  private compare(id: TermId, other: TermId): number {
    return compareForOrder(this.execution.value(id), this.execution.value(other));
  }

  private grow(groups: number): void {
    const length = Math.max(groups, this.ids.length * 2);
    this.execution.claimMemory((length - this.ids.length) * EXTREME_BYTES);
    this.isFilled = grown(this.isFilled, new Uint8Array(length));
    this.ids = grown(this.ids, new Uint32Array(length));
    this.kinds = grown(this.kinds, new Uint8Array(length));
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
