import { Batch, type Stream } from './batch.ts';
import type { Execution } from './execution.ts';
import type { Operator, PlanNames } from './operator.ts';
import { SlotSet } from './slot-set.ts';

/** Yields one row with the bindings of the run. */
export class GivenRow implements Operator {
  readonly name = 'bindings';
  readonly slots: readonly number[];
  readonly certain: SlotSet;
  readonly estimate = 1;
  readonly inputs = [];
  readonly isDistinct = true;
  private readonly variables: readonly string[];

  /** @param variables names of the slots */
  constructor(slots: readonly number[], variables: readonly string[]) {
    this.slots = slots;
    this.certain = SlotSet.of(slots);
    this.variables = variables;
  }

  detail(names: PlanNames): string {
    return this.slots.map(names.variable).join(' ');
  }

  *run(execution: Execution): Stream {
    const batch = Batch.withSlots(this.slots, 1);
    for (const [at, slot] of this.slots.entries()) {
      batch.columns[slot]![0] = execution.given(this.variables[at]);
    }
    batch.length = 1;
    yield batch;
  }
}
