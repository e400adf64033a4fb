import { newColumn } from '../../contracts/new-column.ts';
import { NO_TERM, type TermId } from '../../contracts/term-source.ts';
import { WorldsError } from '../../model/worlds-error.ts';
import type { Aggregate } from '../algebra/algebra.ts';
import { aggregateText } from '../explain/algebra-text.ts';
import { type Accumulator, makeAccumulator } from '../expressions/aggregates.ts';
import { requireSuspended } from '../expressions/long-calls.ts';
import type { Value } from '../expressions/value.ts';
import { SlotNumbers } from '../vectors/slot-numbers.ts';
import type { AggregateColumn, AggregateState, GroupAggregate } from './aggregate-column.ts';
import { Batch, keyColumns, NO_ROWS, PAUSE, type Stream } from './batch.ts';
import { DistinctRows } from './distinct-rows.ts';
import { type Execution, isPause } from './execution.ts';
import { FirstTerm } from './first-term.ts';
import { numberAggregation } from './number-aggregation.ts';
import { type Operator, type PlanNames, pruned } from './operator.ts';
import { Pace } from './pace.ts';
import { RowCounts } from './row-counts.ts';
import { MAY_SUSPEND, neededWith } from './row-function.ts';
import { RowNumbers } from './row-numbers.ts';
import { SlotSet } from './slot-set.ts';

/** States that add a batch between two checks of the clock. */
const STATES_BETWEEN_LOOKS = 32;
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
    const numbers = new SlotNumbers(execution);
    const columns = makeColumns(this.aggregates, this.keys, input, numbers);
    const states = [...new Set(columns.flatMap((column) => column.states))];
    const pace = new Pace(execution);
    let groupOf = NO_ROWS;
    for (const rows of execution.run(input)) {
      if (isPause(rows)) {
        yield PAUSE;
        continue;
      }
      if (groupOf.length < rows.length) groupOf = newColumn(rows.capacity);
      yield* groups.reserve(rows.length, execution);
      for (const { seen } of states) if (seen) yield* seen.reserve(rows.length, execution);
      groups.assign(keyColumns(rows, this.keys), 0, rows.length, groupOf);
      const { size } = groups;
      numbers.advance();
      for (let from = 0, to = 0; from < rows.length; from = to) {
        const isCostly = states.some((state) => state.isCostly);
        to = Math.min(from + (isCostly ? pace.stride : rows.length), rows.length);
        for (let i = 0; i < states.length; i++) {
          const state = states[i];
          if (state.addSome) {
            for (let next = from; (next = state.addSome(groupOf, rows, next, to)) < to; ) yield PAUSE;
          } else state.add(groupOf, size, rows, from, to);
          if (i % STATES_BETWEEN_LOOKS === STATES_BETWEEN_LOOKS - 1 && execution.pauseDue) yield PAUSE;
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
        const isCostly = column.states.some((state) => state.isCostly);
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

/**
 * Makes the columns of the aggregates. Equal aggregates of variables are computed once: a HAVING
 * mostly repeats what is selected.
 */
function makeColumns(
  aggregates: readonly GroupAggregate[],
  keys: readonly number[],
  input: Operator,
  numbers: SlotNumbers,
): readonly AggregateColumn[] {
  const shared = new Map<string, AggregateColumn>();
  const columnOf = (key: string, make: () => AggregateColumn): AggregateColumn => {
    let column = shared.get(key);
    if (!column) shared.set(key, (column = make()));
    return column;
  };
  const rows = new RowCounts(undefined, numbers.execution);
  const distinctCount = (slots: readonly number[], onlyBound: boolean) => {
    const isClustered = input.clusters?.([...new Set([...keys, ...slots])]) === true;
    return new DistinctCount(slots, onlyBound, keys.length > 0, isClustered, numbers.execution);
  };
  return aggregates.map((spec) => {
    const { aggregate, argumentSlot, solutionSlots = [] } = spec;
    const { execution } = numbers;
    const { function: name, distinct } = aggregate;
    if (name === 'COUNT' && aggregate.argument === undefined) {
      if (!distinct) return rows;
      return columnOf('rows', () => distinctCount(solutionSlots, false));
    }
    if (name === 'COUNT' && argumentSlot !== undefined) {
      // Bound in every row.
      if (!distinct && input.certain.has(argumentSlot)) return rows;
      return columnOf(`${distinct} ${argumentSlot}`, () =>
        distinct ? distinctCount([argumentSlot], true) : new RowCounts(argumentSlot, execution),
      );
    }
    if (name === 'SAMPLE' && argumentSlot !== undefined) {
      return columnOf(`sample ${argumentSlot}`, () => new FirstTerm(argumentSlot, execution));
    }
    return numberAggregation(spec, numbers, rows, columnOf) ?? new Accumulation(spec, execution);
  });
}

/** COUNT(DISTINCT ...) of a variable or of whole rows: counts each (group, ids) once. */
class DistinctCount implements AggregateState, AggregateColumn {
  readonly isCostly = false;
  readonly states: readonly AggregateState[] = [this];
  private readonly slots: readonly number[];
  private readonly onlyBound: boolean;
  private readonly hasKeys: boolean;
  readonly seen: DistinctRows;
  private readonly counts: RowCounts;
  private chosen = NO_ROWS;

  /**
   * @param hasKeys false if all rows are one group
   * @param isClustered whether rows of one group that are equal in the slots follow each other
   */
  constructor(
    slots: readonly number[],
    onlyBound: boolean,
    hasKeys: boolean,
    isClustered: boolean,
    execution: Execution,
  ) {
    this.slots = slots;
    this.onlyBound = onlyBound;
    this.hasKeys = hasKeys;
    this.seen = new DistinctRows(slots.length + Number(hasKeys), isClustered, execution);
    this.counts = new RowCounts(undefined, execution);
  }

  add(groups: Uint32Array, size: number, batch: Batch, from: number, to: number): void {
    const columns = keyColumns(batch, this.slots);
    this.counts.reserve(size);
    if (this.chosen.length < groups.length) this.chosen = new Uint32Array(groups.length);
    const { chosen } = this;
    const count = this.seen.choose(this.hasKeys ? [groups, ...columns] : columns, from, to, chosen);
    for (let i = 0; i < count; i++) {
      const row = chosen[i];
      if (!this.onlyBound || columns[0][row] !== NO_TERM) this.counts.increment(groups[row]);
    }
  }

  result(group: number): TermId {
    return this.counts.result(group);
  }
}

/** All other aggregates, which work on decoded values. */
class Accumulation implements AggregateState, AggregateColumn {
  readonly isCostly = true;
  readonly states: readonly AggregateState[] = [this];
  private readonly aggregate: Aggregate;
  private readonly execution: Execution;
  private readonly argument: (batch: Batch, row: number) => Value | undefined;
  private readonly accumulators: Accumulator[] = [];

  constructor({ aggregate, argumentSlot, argument }: GroupAggregate, execution: Execution) {
    this.aggregate = aggregate;
    this.execution = execution;
    this.argument =
      argumentSlot === undefined
        ? argument!.start(execution, MAY_SUSPEND)
        : (batch, row) => execution.value(batch.columns[argumentSlot]?.[row] ?? 0);
  }

  add(groups: Uint32Array, _size: number, batch: Batch, from: number, to: number): void {
    if (this.addSome(groups, batch, from, to) < to)
      throw new WorldsError('INTERNAL', 'An aggregate was suspended outside its operator.');
  }

  addSome(groups: Uint32Array, batch: Batch, from: number, to: number): number {
    for (let row = from; row < to; row++) {
      let value: Value | undefined;
      try {
        value = this.argument(batch, row);
      } catch (cause) {
        requireSuspended(cause);
        return row;
      }
      this.accumulator(groups[row]).add(value);
      this.execution.releaseTemporaries();
    }
    return to;
  }

  result(group: number): TermId {
    return this.execution.idOf(this.accumulator(group).result());
  }

  private accumulator(group: number): Accumulator {
    while (this.accumulators.length <= group) {
      this.execution.claimMemory(this.aggregate.distinct ? DISTINCT_BYTES : ACCUMULATOR_BYTES);
      this.accumulators.push(makeAccumulator(this.aggregate, this.execution, this.execution.limits));
    }
    return this.accumulators[group];
  }
}
