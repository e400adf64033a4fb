import { Batch, type Stream } from './batch.ts';
import type { Execution } from './execution.ts';
import type { Operator, PlanNames } from './operator.ts';
import { patternText, type QuadPattern } from './quad-pattern.ts';
import { SlotSet } from './slot-set.ts';

/** Counts the matches of one pattern without reading them. */
export class CountRange implements Operator {
  readonly name = 'count range';
  readonly slots: readonly number[];
  readonly certain: SlotSet;
  readonly estimate = 1;
  readonly inputs = [];
  private readonly pattern: QuadPattern;
  private readonly slot: number;

  constructor(pattern: QuadPattern, slot: number) {
    this.pattern = pattern;
    this.slot = slot;
    this.slots = [slot];
    this.certain = SlotSet.of(this.slots);
  }

  detail(names: PlanNames): string {
    return `COUNT(*) AS ${names.variable(this.slot)}: ${patternText(this.pattern, names)}`;
  }

  *run(execution: Execution): Stream {
    const { ids, impossible } = this.pattern;
    const batch = Batch.withSlots(this.slots, 1);
    batch.length = 1;
    batch.columns[this.slot]![0] = execution.integerId(impossible ? 0 : execution.source.count(...ids));
    yield batch;
  }
}
