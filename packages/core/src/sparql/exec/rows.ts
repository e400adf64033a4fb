import type * as RDF from '@rdfjs/types';
import { NO_TERM } from '../../contracts/term-source.ts';
import { Batch, PAUSE, type Stream } from './batch.ts';
import type { Execution } from './execution.ts';
import type { Operator, PlanNames } from './operator.ts';
import { SlotSet } from './slot-set.ts';

/** Yields the rows of a VALUES block. One row without slots is the identity of joins. */
export class Rows implements Operator {
  readonly name: string;
  readonly slots: readonly number[];
  readonly certain: SlotSet;
  readonly estimate: number;
  readonly inputs = [];
  private readonly rows: readonly (readonly (RDF.Term | undefined)[])[];

  constructor(slots: readonly number[], rows: readonly (readonly (RDF.Term | undefined)[])[]) {
    this.name = slots.length === 0 ? 'unit' : 'values';
    this.slots = slots;
    this.certain = SlotSet.of(slots.filter((_, column) => rows.every((row) => row[column] !== undefined)));
    this.estimate = rows.length;
    this.rows = rows;
  }

  detail(names: PlanNames): string {
    return this.slots.map(names.variable).join(' ');
  }

  *run(execution: Execution): Stream {
    const batch = Batch.withSlots(this.slots, Math.min(execution.batchRows, this.rows.length));
    for (const row of this.rows) {
      const at = batch.length++;
      this.slots.forEach((slot, column) => {
        const term = row[column];
        batch.columns[slot]![at] = term === undefined ? NO_TERM : execution.source.terms.intern(term);
      });
      if (batch.length === batch.capacity) {
        yield batch;
        batch.length = 0;
        if (execution.pauseDue) yield PAUSE;
      }
    }
    if (batch.length > 0) yield batch;
  }
}
