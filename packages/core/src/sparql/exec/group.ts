import { newColumn } from '../../contracts/new-column.ts';
import type { TermId } from '../../contracts/term-source.ts';
import type { Aggregate } from '../algebra/algebra.ts';
import { aggregateText } from '../explain/algebra-text.ts';
import { type Accumulator, makeAccumulator } from '../expressions/aggregates.ts';
import type { Value } from '../expressions/value.ts';
import type { AggregateColumn, GroupAggregate } from './aggregate-column.ts';
import { Batch, keyColumns, NO_ROWS, PAUSE, type Stream } from './batch.ts';
import { type Execution, isPause } from './execution.ts';
import { numberAggregation } from './number-aggregation.ts';
import { type Operator, type PlanNames, pruned } from './operator.ts';
import { Pace } from './pace.ts';
import { neededWith } from './row-function.ts';
import { RowNumbers } from './row-numbers.ts';
import { SlotSet } from './slot-set.ts';

/** Aggregates that add a batch between two checks of the clock. */
const COLUMNS_BETWEEN_LOOKS = 32;
/** Approximate bytes of an empty accumulator without and with DISTINCT. */
const ACCUMULATOR_BYTES = 144;
const DISTINCT_BYTES = 480;

/**
 * Groups rows by the terms of the key slots and computes aggregates (SPARQL 1.1 section 18.5.1).
 * Groups are numbered in order of appearance; counting uses ids only and never decodes a term.
 */
export class Group implements Operator {
  readonly name = 'group';
  readonly slots: readonly number[];
  readonly certain: SlotSet;
  readonly estimate: number;
  readonly inputs: readonly [Operator];
  private readonly keys: readonly number[];
  private readonly aggregates: readonly GroupAggregate[];

  constructor(input: Operator, keys: readonly number[], aggregates: readonly GroupAggregate[]) {
    this.inputs = [input];
    this.keys = keys;
    this.aggregates = aggregates;
    this.slots = [...keys, ...aggregates.map(({ slot }) => slot)];
    this.certain = SlotSet.of(keys.filter((slot) => input.certain.has(slot)));
    this.estimate = keys.length === 0 ? 1 : Math.max(1, input.estimate / 4);
  }

  detail(names: PlanNames): string {
    const computed = this.aggregates.map(
      ({ slot, aggregate }) => `${aggregateText(aggregate)} AS ${names.variable(slot)}`,
    );
    const by = this.keys.length > 0 ? [`by ${this.keys.map(names.variable).join(' ')}`] : [];
    return [...by, ...computed].join(', ');
  }

  withOnly(): Operator | undefined {
    const read = this.aggregates.flatMap(({ argument }) => argument ?? []);
    const slots = this.aggregates.flatMap(({ argumentSlot, solutionSlots = [] }) =>
      argumentSlot === undefined ? solutionSlots : [argumentSlot],
    );
    const below = neededWith(SlotSet.of([...this.keys, ...slots]), read);
    return below && new Group(pruned(this.inputs[0], below), this.keys, this.aggregates);
  }

  *run(execution: Execution): Stream {
    const [input] = this.inputs;
    const groups = new RowNumbers(this.keys.length, execution);
    const columns = this.aggregates.map((aggregate) => makeColumn(aggregate, execution));
    const pace = new Pace(execution);
    let groupOf = NO_ROWS;
    for (const rows of execution.run(input)) {
      if (isPause(rows)) {
        yield PAUSE;
        continue;
      }
      if (groupOf.length < rows.length) groupOf = newColumn(rows.capacity);
      yield* groups.reserve(rows.length, execution);
      for (const column of columns) if (column.seen) yield* column.seen.reserve(rows.length, execution);
      groups.assign(keyColumns(rows, this.keys), 0, rows.length, groupOf);
      for (let from = 0, to = 0; from < rows.length; from = to) {
        const isCostly = columns.some((column) => column.isCostly);
        to = Math.min(from + (isCostly ? pace.stride : rows.length), rows.length);
        for (let i = 0; i < columns.length; i++) {
          columns[i].add(groupOf, rows, from, to);
          if (i % COLUMNS_BETWEEN_LOOKS === COLUMNS_BETWEEN_LOOKS - 1 && execution.pauseDue) yield PAUSE;
        }
        if (pace.look()) yield PAUSE;
      }
    }
    // Without GROUP BY there is exactly one group, even if there are no solutions.
    const size = this.keys.length === 0 ? 1 : groups.size;
    yield* this.results(groups, size, columns, execution, pace);
  }

  private *results(
    groups: RowNumbers,
    size: number,
    columns: readonly AggregateColumn[],
    execution: Execution,
    pace: Pace,
  ): Stream {
    const output = Batch.withSlots(this.slots, Math.min(size, execution.batchRows));
    for (let start = 0; start < size; start += output.capacity) {
      output.length = Math.min(output.capacity, size - start);
      this.keys.forEach((slot, i) => {
        groups.copyColumn(i, start, start + output.length, output.columns[slot]!);
      });
      for (let i = 0; i < columns.length; i++) {
        const column = columns[i];
        const { isCostly } = column;
        const target = output.columns[this.aggregates[i].slot]!;
        for (let row = 0; row < output.length; row++) {
          target[row] = column.result(start + row);
          // A result may be a long string that must be stored as a term.
          if (isCostly && pace.isDue) yield PAUSE;
        }
        if (pace.isDue) yield PAUSE;
      }
      yield output;
      if (execution.pauseDue) yield PAUSE;
    }
  }
}

function makeColumn(spec: GroupAggregate, execution: Execution): AggregateColumn {
  const { aggregate, argumentSlot, solutionSlots = [] } = spec;
  if (aggregate.function === 'COUNT' && aggregate.argument === undefined) {
    return aggregate.distinct ? new DistinctCount(solutionSlots, false, execution) : new Count(undefined, execution);
  }
  if (aggregate.function === 'COUNT' && argumentSlot !== undefined) {
    return aggregate.distinct ? new DistinctCount([argumentSlot], true, execution) : new Count(argumentSlot, execution);
  }
  return numberAggregation(spec, execution) ?? new Accumulation(spec, execution);
}

/** COUNT(*), or COUNT of a variable, which counts the rows where it is bound. */
class Count implements AggregateColumn {
  readonly isCostly = false;
  private readonly slot: number | undefined;
  private readonly execution: Execution;
  private counts = new Float64Array(16);

  constructor(slot: number | undefined, execution: Execution) {
    this.slot = slot;
    this.execution = execution;
  }

  add(groups: Uint32Array, batch: Batch, from: number, to: number): void {
    const column = this.slot === undefined ? undefined : batch.columns[this.slot];
    if (this.slot !== undefined && column === undefined) return;
    for (let row = from; row < to; row++) if (column === undefined || column[row] !== 0) this.increment(groups[row]);
  }

  increment(group: number): void {
    if (group >= this.counts.length) {
      const grown = new Float64Array(Math.max(group + 1, this.counts.length * 2));
      this.execution.claimMemory(grown.byteLength - this.counts.byteLength);
      grown.set(this.counts);
      this.counts = grown;
    }
    this.counts[group]++;
  }

  result(group: number): TermId {
    return this.execution.integerId(group < this.counts.length ? this.counts[group] : 0);
  }
}

/** COUNT(DISTINCT ...) of a variable or of whole rows: counts each (group, ids) once. */
class DistinctCount implements AggregateColumn {
  readonly isCostly = false;
  private readonly slots: readonly number[];
  private readonly onlyBound: boolean;
  readonly seen: RowNumbers;
  private readonly counts: Count;
  private numbers = new Uint32Array(0);

  constructor(slots: readonly number[], onlyBound: boolean, execution: Execution) {
    this.slots = slots;
    this.onlyBound = onlyBound;
    this.seen = new RowNumbers(slots.length + 1, execution);
    this.counts = new Count(undefined, execution);
  }

  add(groups: Uint32Array, batch: Batch, from: number, to: number): void {
    const columns = keyColumns(batch, this.slots);
    if (this.numbers.length < groups.length) this.numbers = new Uint32Array(groups.length);
    let next = this.seen.size;
    this.seen.assign([groups, ...columns], from, to, this.numbers);
    for (let row = from; row < to; row++) {
      // Row numbers ascend, so a row is new exactly if it has the next number.
      if (this.numbers[row] !== next) continue;
      next++;
      if (!this.onlyBound || columns[0][row] !== 0) this.counts.increment(groups[row]);
    }
  }

  result(group: number): TermId {
    return this.counts.result(group);
  }
}

/** All other aggregates, which work on decoded values. */
class Accumulation implements AggregateColumn {
  readonly isCostly = true;
  private readonly aggregate: Aggregate;
  private readonly execution: Execution;
  private readonly argument: (batch: Batch, row: number) => Value | undefined;
  private readonly accumulators: Accumulator[] = [];

  constructor({ aggregate, argumentSlot, argument }: GroupAggregate, execution: Execution) {
    this.aggregate = aggregate;
    this.execution = execution;
    this.argument =
      argumentSlot === undefined
        ? argument!.start(execution)
        : (batch, row) => execution.value(batch.columns[argumentSlot]?.[row] ?? 0);
  }

  add(groups: Uint32Array, batch: Batch, from: number, to: number): void {
    for (let row = from; row < to; row++) {
      this.accumulator(groups[row]).add(this.argument(batch, row));
      this.execution.releaseTemporaries();
    }
  }

  result(group: number): TermId {
    return this.execution.idOf(this.accumulator(group).result());
  }

  private accumulator(group: number): Accumulator {
    while (this.accumulators.length <= group) {
      this.execution.claimMemory(this.aggregate.distinct ? DISTINCT_BYTES : ACCUMULATOR_BYTES);
      this.accumulators.push(makeAccumulator(this.aggregate, this.execution));
    }
    return this.accumulators[group];
  }
}
