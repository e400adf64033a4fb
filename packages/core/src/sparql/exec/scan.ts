import { QuadBatch } from '../../contracts/quad-batch.ts';
import { Batch, PAUSE, type Stream } from './batch.ts';
import type { Execution } from './execution.ts';
import type { Operator, PlanNames } from './operator.ts';
import {
  columnsOfPattern,
  dropUnequal,
  patternText,
  type QuadPattern,
  repeatedPositions,
  wantedPositions,
} from './quad-pattern.ts';
import { SlotSet } from './slot-set.ts';

/**
 * Reads the quads of one pattern. The source fills the columns of its batches directly, without a
 * copy.
 */
export class Scan implements Operator {
  readonly name = 'scan';
  readonly slots: readonly number[];
  readonly certain: SlotSet;
  readonly estimate: number;
  readonly inputs = [];
  private readonly pattern: QuadPattern;

  constructor(pattern: QuadPattern, estimate: number, needed?: SlotSet) {
    const { variables } = pattern;
    this.pattern = pattern;
    this.slots = needed ? needed.among(variables) : variables;
    this.certain = SlotSet.of(this.slots);
    this.estimate = estimate;
  }

  detail(names: PlanNames): string {
    return patternText(this.pattern, names);
  }

  withOnly(needed: SlotSet): Operator | undefined {
    return needed.among(this.slots) === this.slots ? undefined : new Scan(this.pattern, this.estimate, needed);
  }

  *run(execution: Execution): Stream {
    const { pattern } = this;
    if (pattern.impossible) return;
    const wanted = wantedPositions(pattern, this.certain);
    const repeated = repeatedPositions(pattern);
    const cursor = execution.source.cursor();
    const [subject, predicate, object, graph] = pattern.ids;
    cursor.seek(subject, predicate, object, graph);
    const columns = this.slots.length;
    for (
      let capacity = execution.firstRows(this.estimate, columns);
      ;
      capacity = execution.moreRows(capacity, columns)
    ) {
      const quads = new QuadBatch(capacity, wanted);
      const batch = new Batch(columnsOfPattern(pattern, quads), capacity);
      do {
        if (cursor.next(quads) === 0) return;
        batch.length = quads.length;
        if (repeated.length > 0) {
          const all = [quads.subject, quads.predicate, quads.object, quads.graph];
          batch.length = dropUnequal(all, repeated, 0, quads.length);
        }
        if (batch.length > 0) yield batch;
        if (execution.pauseDue) yield PAUSE;
      } while (capacity === execution.batchRows);
    }
  }
}
