import { Batch, PAUSE, type Stream } from './batch.ts';
import type { Execution } from './execution.ts';
import type { Operator, PlanNames } from './operator.ts';
import { patternText, type QuadPattern } from './quad-pattern.ts';
import { SlotSet } from './slot-set.ts';

const FIRST_ROWS = 64;

/**
 * Scans the distinct terms of one variable of a pattern, with their match counts, using range
 * lengths: DISTINCT and GROUP BY without reading the matches.
 */
export class TermCountScan implements Operator {
  readonly name: string;
  readonly slots: readonly number[];
  readonly certain: SlotSet;
  readonly estimate: number;
  readonly inputs = [];
  private readonly pattern: QuadPattern;
  private readonly position: number;
  private readonly slot: number;
  private readonly countSlots: readonly number[];

  /**
   * @param position position of the variable: 0 subject, 1 predicate, 2 object. The source must
   *   support counts at this position.
   * @param slot slot that receives the term
   * @param countSlots slots that receive the match count
   */
  constructor(pattern: QuadPattern, position: number, slot: number, countSlots: readonly number[], estimate: number) {
    this.name = countSlots.length > 0 ? 'count ranges' : 'distinct terms';
    this.pattern = pattern;
    this.position = position;
    this.slot = slot;
    this.countSlots = countSlots;
    this.slots = [slot, ...countSlots];
    this.certain = SlotSet.of(this.slots);
    this.estimate = estimate;
  }

  detail(names: PlanNames): string {
    const counts = this.countSlots.map((slot) => `COUNT(*) AS ${names.variable(slot)}`);
    return `${[names.variable(this.slot), ...counts].join(' ')}: ${patternText(this.pattern, names)}`;
  }

  *run(execution: Execution): Stream {
    const { pattern, position, slot, countSlots } = this;
    const { source } = execution;
    const found = pattern.impossible ? undefined : source.termCounts?.(...pattern.ids, position);
    if (!found) return;
    const counts = new Uint32Array(execution.batchRows);
    for (let capacity = Math.min(FIRST_ROWS, execution.batchRows); ; capacity = execution.batchRows) {
      const batch = Batch.withSlots(this.slots, capacity);
      const terms = batch.columns[slot]!;
      batch.length = found.next(terms, counts);
      if (batch.length === 0) return;
      for (const countSlot of countSlots) {
        const column = batch.columns[countSlot]!;
        for (let row = 0; row < batch.length; row++) column[row] = execution.integerId(counts[row]);
      }
      yield batch;
      if (execution.pauseDue) yield PAUSE;
    }
  }
}
