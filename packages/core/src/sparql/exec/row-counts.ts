import type { TermId } from '../../contracts/term-source.ts';
import type { AggregateColumn, AggregateState } from './aggregate-column.ts';
import type { Batch } from './batch.ts';
import type { Execution } from './execution.ts';

/** COUNT(*), or COUNT of a variable, which counts the rows where it is bound. */
export class RowCounts implements AggregateState, AggregateColumn {
  readonly isCostly = false;
  readonly states: readonly AggregateState[] = [this];
  private readonly slot: number | undefined;
  private readonly execution: Execution;
  private counts = new Float64Array(16);

  constructor(slot: number | undefined, execution: Execution) {
    this.slot = slot;
    this.execution = execution;
  }

  add(groups: Uint32Array, size: number, batch: Batch, from: number, to: number): void {
    const column = this.slot === undefined ? undefined : batch.columns[this.slot];
    if (this.slot !== undefined && column === undefined) return;
    this.reserve(size);
    const { counts } = this;
    if (size === 1 && column === undefined) counts[0] += to - from;
    else if (column === undefined) for (let row = from; row < to; row++) counts[groups[row]]++;
    else for (let row = from; row < to; row++) if (column[row] !== 0) counts[groups[row]]++;
  }

  /** Counts one row more of a group for which there is room. */
  increment(group: number): void {
    this.counts[group]++;
  }

  /** Makes room for this many groups. */
  reserve(size: number): void {
    if (size <= this.counts.length) return;
    const grown = new Float64Array(Math.max(size, this.counts.length * 2));
    this.execution.claimMemory(grown.byteLength - this.counts.byteLength);
    grown.set(this.counts);
    this.counts = grown;
  }

  of(group: number): number {
    return group < this.counts.length ? this.counts[group] : 0;
  }

  result(group: number): TermId {
    return this.execution.integerId(this.of(group));
  }
}
