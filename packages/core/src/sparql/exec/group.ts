import type { TermId } from '../../storage/term-source.ts';
import type { Aggregate } from '../algebra/algebra.ts';
import { type Accumulator, makeAccumulator } from '../expressions/aggregates.ts';
import type { Value } from '../expressions/value.ts';
import { Batch, PAUSE, type Stream } from './batch.ts';
import { type Execution, isPause } from './execution.ts';
import { KeyTable } from './key-table.ts';
import type { Operator } from './operator.ts';
import { RowStore } from './row-store.ts';

/** One aggregate of a group operator. */
export interface GroupAggregate {
  readonly slot: number;
  readonly aggregate: Aggregate;
  /** For COUNT(DISTINCT *): the slots that tell solutions apart. */
  readonly solutionSlots?: readonly number[];
  /** The slot that the argument is, when it is a plain variable. */
  readonly argumentSlot?: number;
  /** Computes the argument where it is more than a variable. */
  readonly makeArgument?: (execution: Execution) => (batch: Batch, row: number) => Value | undefined;
}

/** What one aggregate keeps for all groups. */
interface Column {
  add(group: number, batch: Batch, row: number): void;
  result(group: number): TermId;
}

/**
 * Groups rows by the terms of some slots and computes aggregates (SPARQL 1.1 section 18.5.1). Groups are numbered as they come; counting
 * works on ids alone and never looks at a term.
 */
export class Group implements Operator {
  readonly name = 'group';
  readonly slots: readonly number[];
  readonly certain: ReadonlySet<number>;
  readonly estimate: number;
  readonly inputs: readonly [Operator];
  private readonly keys: readonly number[];
  private readonly aggregates: readonly GroupAggregate[];

  constructor(input: Operator, keys: readonly number[], aggregates: readonly GroupAggregate[]) {
    this.inputs = [input];
    this.keys = keys;
    this.aggregates = aggregates;
    this.slots = [...keys, ...aggregates.map(({ slot }) => slot)];
    this.certain = new Set(keys.filter((slot) => input.certain.has(slot)));
    this.estimate = keys.length === 0 ? 1 : Math.max(1, input.estimate / 4);
  }

  *run(execution: Execution): Stream {
    const [input] = this.inputs;
    const groups = new RowStore(this.keys, execution);
    const table = new KeyTable(groups, this.keys, execution);
    const columns = this.aggregates.map((aggregate) => makeColumn(aggregate, execution));
    for (const rows of input.run(execution)) {
      if (isPause(rows)) {
        yield PAUSE;
        continue;
      }
      for (let row = 0; row < rows.length; row++) {
        let group = table.find(rows.columns, row);
        if (group < 0) {
          group = groups.appendRow(rows, row);
          table.add(group);
        }
        for (let i = 0; i < columns.length; i++) columns[i].add(group, rows, row);
      }
      if (execution.pauseDue) yield PAUSE;
    }
    // Without GROUP BY there is one group, also over no solutions.
    if (this.keys.length === 0 && groups.length === 0) groups.appendRow({ columns: [] }, 0);
    yield* this.results(groups, columns, execution);
  }

  private *results(groups: RowStore, columns: readonly Column[], execution: Execution): Stream {
    const output = Batch.withSlots(this.slots, execution.batchRows);
    for (let start = 0; start < groups.length; start += output.capacity) {
      output.length = Math.min(output.capacity, groups.length - start);
      for (const slot of this.keys) {
        output.columns[slot]!.set(groups.columns[slot]!.subarray(start, start + output.length));
      }
      this.aggregates.forEach(({ slot }, i) => {
        const target = output.columns[slot]!;
        for (let row = 0; row < output.length; row++) target[row] = columns[i].result(start + row);
      });
      yield output;
      if (execution.pauseDue) yield PAUSE;
    }
  }
}

function makeColumn(spec: GroupAggregate, execution: Execution): Column {
  const { aggregate, argumentSlot, solutionSlots = [] } = spec;
  if (aggregate.function === 'COUNT' && aggregate.argument === undefined) {
    return aggregate.distinct ? new DistinctCount(solutionSlots, false, execution) : new Count(undefined, execution);
  }
  if (aggregate.function === 'COUNT' && argumentSlot !== undefined) {
    return aggregate.distinct ? new DistinctCount([argumentSlot], true, execution) : new Count(argumentSlot, execution);
  }
  return new Accumulation(spec, execution);
}

/** COUNT(*), or COUNT of a variable: rows in which it is bound. */
class Count implements Column {
  private readonly slot: number | undefined;
  private readonly execution: Execution;
  private counts = new Float64Array(16);

  constructor(slot: number | undefined, execution: Execution) {
    this.slot = slot;
    this.execution = execution;
  }

  add(group: number, batch: Batch, row: number): void {
    if (this.slot !== undefined && (batch.columns[this.slot]?.[row] ?? 0) === 0) return;
    if (group >= this.counts.length) {
      const grown = new Float64Array(Math.max(group + 1, this.counts.length * 2));
      grown.set(this.counts);
      this.counts = grown;
    }
    this.counts[group]++;
  }

  result(group: number): TermId {
    return this.execution.integerId(group < this.counts.length ? this.counts[group] : 0);
  }
}

/** COUNT DISTINCT of a variable, or of whole rows: keeps (group, ids) once each. */
class DistinctCount implements Column {
  private readonly slots: readonly number[];
  private readonly onlyBound: boolean;
  private readonly seen: RowStore;
  private readonly table: KeyTable;
  private readonly counts: Count;
  private readonly groupSlot: number;
  private readonly groupColumn = new Uint32Array(1);

  constructor(slots: readonly number[], onlyBound: boolean, execution: Execution) {
    this.slots = slots;
    this.onlyBound = onlyBound;
    this.groupSlot = Math.max(-1, ...slots) + 1;
    const keys = [...slots, this.groupSlot];
    this.seen = new RowStore(keys, execution);
    this.table = new KeyTable(this.seen, keys, execution);
    this.counts = new Count(undefined, execution);
  }

  add(group: number, batch: Batch, row: number): void {
    const columns: Uint32Array[] = [];
    for (const slot of this.slots) {
      const id = batch.columns[slot]?.[row] ?? 0;
      if (id === 0 && this.onlyBound) return;
      columns[slot] = Uint32Array.of(id);
    }
    this.groupColumn[0] = group;
    columns[this.groupSlot] = this.groupColumn;
    if (this.table.find(columns, 0) >= 0) return;
    this.table.add(this.seen.appendRow({ columns }, 0));
    this.counts.add(group, batch, row);
  }

  result(group: number): TermId {
    return this.counts.result(group);
  }
}

/** Every other aggregate: over values. */
class Accumulation implements Column {
  private readonly aggregate: Aggregate;
  private readonly execution: Execution;
  private readonly argument: (batch: Batch, row: number) => Value | undefined;
  private readonly accumulators: Accumulator[] = [];

  constructor({ aggregate, argumentSlot, makeArgument }: GroupAggregate, execution: Execution) {
    this.aggregate = aggregate;
    this.execution = execution;
    this.argument =
      argumentSlot === undefined
        ? makeArgument!(execution)
        : (batch, row) => execution.value(batch.columns[argumentSlot]?.[row] ?? 0);
  }

  add(group: number, batch: Batch, row: number): void {
    this.accumulator(group).add(this.argument(batch, row));
  }

  result(group: number): TermId {
    return this.execution.idOf(this.accumulator(group).result());
  }

  private accumulator(group: number): Accumulator {
    while (this.accumulators.length <= group) this.accumulators.push(makeAccumulator(this.aggregate));
    return this.accumulators[group];
  }
}
