import { NO_TERM, type TermId } from '../../contracts/term-source.ts';
import type { AggregateColumn, AggregateState } from './aggregate-column.ts';
import type { Batch } from './batch.ts';
import type { Execution } from './execution.ts';

/** SAMPLE of a variable: the first term of each group, by id. */
export class FirstTerm implements AggregateState, AggregateColumn {
  readonly isCostly = false;
  readonly states: readonly AggregateState[] = [this];
  private readonly slot: number;
  private readonly execution: Execution;
  private ids = new Uint32Array(16);

  constructor(slot: number, execution: Execution) {
    this.slot = slot;
    this.execution = execution;
  }

  add(groups: Uint32Array, size: number, batch: Batch, from: number, to: number): void {
    const column = batch.columns[this.slot];
    if (column === undefined) return;
    this.reserve(size);
    const { ids } = this;
    for (let row = from; row < to; row++) {
      if (ids[groups[row]] === NO_TERM) ids[groups[row]] = column[row];
    }
  }

  result(group: number): TermId {
    return group < this.ids.length ? this.ids[group] : NO_TERM;
  }

  private reserve(size: number): void {
    if (size <= this.ids.length) return;
    const grown = new Uint32Array(Math.max(size, this.ids.length * 2));
    this.execution.claimMemory(grown.byteLength - this.ids.byteLength);
    grown.set(this.ids);
    this.ids = grown;
  }
}
