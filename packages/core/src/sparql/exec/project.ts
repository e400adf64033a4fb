import { newColumn } from '../../contracts/new-column.ts';
import { Batch, columnsBySlot, NO_ROWS, PAUSE, type Stream } from './batch.ts';
import { type Execution, isPause } from './execution.ts';
import { type Operator, type PlanNames, pruned } from './operator.ts';
import { distinctSlots, SlotSet } from './slot-set.ts';

/**
 * Restricts the visible slots without copying columns. A slot that the input lacks becomes an
 * unbound column.
 */
export class Project implements Operator {
  readonly name = 'project';
  readonly slots: readonly number[];
  readonly certain: SlotSet;
  readonly estimate: number;
  readonly inputs: readonly [Operator];
  private readonly renamed: readonly (readonly [from: number, to: number])[];
  /** Input slots by their new number; undefined if no slot is renamed. */
  private readonly sources: ReadonlyMap<number, number> | undefined;

  /** @param renamed input slots that get another number in the output */
  constructor(
    input: Operator,
    slots: readonly number[],
    renamed: readonly (readonly [from: number, to: number])[] = [],
  ) {
    this.inputs = [input];
    this.slots = distinctSlots(slots);
    this.renamed = renamed;
    this.sources = renamed.length > 0 ? new Map(renamed.map(([from, to]) => [to, from])) : undefined;
    this.certain = SlotSet.of(this.slots, (slot) => input.certain.has(this.sourceOf(slot)));
    this.estimate = input.estimate;
  }

  get isDistinct(): boolean {
    const [input] = this.inputs;
    if (input.isDistinct !== true) return false;
    const read = new Set(this.slots.map((slot) => this.sourceOf(slot)));
    return input.slots.every((slot) => read.has(slot));
  }

  detail(names: PlanNames): string {
    return this.slots.map(names.variable).join(' ');
  }

  withOnly(needed: SlotSet): Operator | undefined {
    const slots = needed.among(this.slots);
    const below = this.renamed.length === 0 ? slots : slots.map((slot) => this.sourceOf(slot));
    const input = pruned(this.inputs[0], SlotSet.of(below));
    if (slots === this.slots && input === this.inputs[0]) return undefined;
    return new Project(input, slots, this.renamed);
  }

  *run(execution: Execution): Stream {
    const [input] = this.inputs;
    let unbound = NO_ROWS;
    for (const rows of execution.run(input)) {
      if (isPause(rows)) {
        yield PAUSE;
        continue;
      }
      const columns = columnsBySlot(this.slots, (slot) => {
        const column = rows.columns[this.sourceOf(slot)];
        if (column) return column;
        if (unbound.length < rows.length) unbound = newColumn(rows.capacity);
        return unbound;
      });
      const visible = new Batch(columns, rows.capacity);
      visible.length = rows.length;
      yield visible;
    }
  }

  private sourceOf(slot: number): number {
    return this.sources?.get(slot) ?? slot;
  }
}
