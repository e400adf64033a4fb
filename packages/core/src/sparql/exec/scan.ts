import { QuadBatch } from '../../storage/quad-source.ts';
import { Batch, PAUSE, type Stream } from './batch.ts';
import type { Execution } from './execution.ts';
import type { Operator } from './operator.ts';
import { CONSTANT, dropUnequal, type QuadPattern, repeatedPositions, slotsOf } from './quad-pattern.ts';

/** Reads the quads of one pattern. Its batches are the columns that the source fills: nothing is copied. */
export class Scan implements Operator {
  readonly name = 'scan';
  readonly slots: readonly number[];
  readonly certain: ReadonlySet<number>;
  readonly estimate: number;
  readonly inputs = [];
  private readonly pattern: QuadPattern;

  constructor(pattern: QuadPattern, estimate: number) {
    this.pattern = pattern;
    this.slots = slotsOf(pattern);
    this.certain = new Set(this.slots);
    this.estimate = estimate;
  }

  get detail(): string {
    return this.pattern.text;
  }

  *run(execution: Execution): Stream {
    const { ids, slots, impossible } = this.pattern;
    if (impossible) return;
    const quads = new QuadBatch(execution.batchRows);
    const positions = [quads.subject, quads.predicate, quads.object, quads.graph];
    const columns: (Uint32Array | undefined)[] = [];
    slots.forEach((slot, position) => {
      if (slot === CONSTANT) return;
      while (columns.length <= slot) columns.push(undefined);
      columns[slot] = positions[position];
    });
    const batch = new Batch(columns, quads.capacity);
    const repeated = repeatedPositions(this.pattern);
    const cursor = execution.source.cursor();
    cursor.seek(...ids);
    while (cursor.next(quads) > 0) {
      batch.length = repeated.length > 0 ? dropUnequal(positions, repeated, 0, quads.length) : quads.length;
      if (batch.length > 0) yield batch;
      if (execution.pauseDue) yield PAUSE;
    }
  }
}
