import { NO_TERM, type TermId } from '../../contracts/term-source.ts';
import { Batch, emptied, PAUSE, type Stream } from './batch.ts';
import { type Execution, isPause } from './execution.ts';
import type { Operator, PlanNames } from './operator.ts';
import { Pace } from './pace.ts';
import { idAt, type PathEnd } from './path-join.ts';
import { CONSTANT } from './quad-pattern.ts';
import { SlotSet, unionOf } from './slot-set.ts';
import { tripleText } from './triple-match.ts';

/**
 * Binds a slot to each triple term that has the parts of a row, and unbound parts to those of the
 * triple term. The triple terms may be in no quad of the dataset: the slot must belong to a pattern
 * that is joined later.
 */
export class TripleLookup implements Operator {
  readonly name = 'look up triple term';
  readonly slots: readonly number[];
  readonly certain: SlotSet;
  readonly estimate: number;
  readonly inputs: readonly [Operator];
  private readonly slot: number;
  private readonly parts: readonly PathEnd[];
  /** Slots that are the same in the input; the others come from the triple term. */
  private readonly carried: readonly number[];

  /**
   * @param slot a slot that the input does not have
   * @param parts the subject or the object is a constant, or bound in every row of the input
   */
  constructor(input: Operator, slot: number, parts: readonly PathEnd[], estimate: number) {
    this.inputs = [input];
    this.slot = slot;
    this.parts = parts;
    const own = [slot, ...parts.map((part) => part.slot).filter((one) => one !== CONSTANT)];
    this.slots = unionOf(input.slots, own);
    this.carried = SlotSet.of(own).outside(input.slots);
    this.certain = input.certain.with(own);
    this.estimate = estimate;
  }

  detail(names: PlanNames): string {
    return tripleText(this.slot, this.parts, names);
  }

  *run(execution: Execution): Stream {
    const [input] = this.inputs;
    const { slots } = this;
    const index = execution.source.terms.tripleTerms!;
    for (const _ of index.catchUp()) if (execution.pauseDue) yield PAUSE;
    const pace = new Pace(execution);
    let output = Batch.withSlots(slots, execution.firstRows(this.estimate, slots.length));
    for (const rows of execution.run(input)) {
      if (isPause(rows)) {
        yield PAUSE;
        continue;
      }
      for (let row = 0; row < rows.length; row++) {
        const subject = idAt(this.parts[0], rows, row);
        const part = subject === NO_TERM ? 'object' : 'subject';
        const term = subject === NO_TERM ? idAt(this.parts[2], rows, row) : subject;
        for (let entry = index.first(part, term); entry !== 0; entry = index.next(part, term, entry)) {
          if (pace.isDue) yield PAUSE;
          this.give(execution, rows, row, index.termOf(entry), output);
          if (output.length < output.capacity) continue;
          yield output;
          output = emptied(output, slots, execution);
        }
      }
      // The rows of the input are invalid with its next batch.
      if (output.length > 0) yield output;
      output = emptied(output, slots, execution);
    }
  }

  /** Adds a row for a triple term, unless one of its parts is another. */
  private give(execution: Execution, rows: Batch, row: number, triple: TermId, output: Batch): void {
    const ids = execution.source.terms.tripleOf(triple);
    const at = output.length;
    for (let i = 0; i < 3; i++) {
      const part = this.parts[i];
      const known = idAt(part, rows, row);
      if (known !== NO_TERM && known !== ids[i]) return;
      if (part.slot === CONSTANT) continue;
      // The same variable may stand in two places.
      for (let other = 0; other < i; other++) if (this.parts[other].slot === part.slot && ids[other] !== ids[i]) return;
      output.columns[part.slot]![at] = ids[i];
    }
    for (const slot of this.carried) output.columns[slot]![at] = rows.columns[slot]![row];
    output.columns[this.slot]![at] = triple;
    output.length++;
  }
}
