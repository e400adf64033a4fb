import type { Batch } from '../exec/batch.ts';
import type { Execution } from '../exec/execution.ts';
import type { RowReader } from '../expressions/compiled-expression.ts';
import type { Value } from '../expressions/value.ts';

/**
 * View of one row of a batch for expressions. Reused across rows: move it with `at` instead of
 * creating another.
 */
export class RowView implements RowReader {
  readonly execution: Execution;
  batch: Batch | undefined;
  row = 0;

  constructor(execution: Execution) {
    this.execution = execution;
  }

  at(batch: Batch, row: number): this {
    this.batch = batch;
    this.row = row;
    return this;
  }

  id(slot: number): number {
    return this.batch!.columns[slot]?.[this.row] ?? 0;
  }

  value(slot: number): Value | undefined {
    return this.execution.value(this.id(slot));
  }

  bound(slot: number): boolean {
    return this.id(slot) !== 0;
  }
}
