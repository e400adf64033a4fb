import { NO_TERM } from '../../contracts/term-source.ts';
import { Batch, gatherRows, PAUSE, type Stream } from './batch.ts';
import { type Execution, isPause } from './execution.ts';
import type { Operator, PlanNames } from './operator.ts';
import { Pace } from './pace.ts';
import type { PathEnd } from './path-join.ts';
import { CONSTANT } from './quad-pattern.ts';
import { SlotSet, unionOf } from './slot-set.ts';

/** Returns the text of a plan for a variable that is a triple term. */
export function tripleText(slot: number, parts: readonly PathEnd[], names: PlanNames): string {
  const texts = parts.map((part) => (part.slot === CONSTANT ? names.term(part.id) : names.variable(part.slot)));
  return `${names.variable(slot)} = <<( ${texts.join(' ')} )>>`;
}

/**
 * Destructures the triple term in a slot: keeps rows whose slot holds a triple term that matches
 * the given parts, and binds the parts that are unbound variables.
 */
export class TripleMatch implements Operator {
  readonly name = 'triple term';
  readonly slots: readonly number[];
  readonly certain: SlotSet;
  readonly estimate: number;
  readonly inputs: readonly [Operator];
  private readonly slot: number;
  private readonly parts: readonly PathEnd[];
  /** Slots copied from the input; the parts come from the triple term. */
  private readonly carried: readonly number[];

  constructor(input: Operator, slot: number, parts: readonly PathEnd[]) {
    this.inputs = [input];
    this.slot = slot;
    this.parts = parts;
    const open = parts.map((part) => part.slot).filter((one) => one !== CONSTANT);
    this.slots = unionOf(input.slots, open);
    this.carried = SlotSet.of(open).outside(input.slots);
    this.certain = input.certain.with(open);
    this.estimate = input.estimate / 2;
  }

  detail(names: PlanNames): string {
    return tripleText(this.slot, this.parts, names);
  }

  *run(execution: Execution): Stream {
    const [input] = this.inputs;
    const { terms } = execution.source;
    const pace = new Pace(execution);
    for (const rows of execution.run(input)) {
      if (isPause(rows)) {
        yield PAUSE;
        continue;
      }
      const chosen = new Uint32Array(rows.length);
      const output = Batch.withSlots(this.slots, rows.length);
      const ends = this.parts.map(({ slot }) => (slot === CONSTANT ? undefined : output.columns[slot]!));
      const known = this.parts.map(({ slot }) => rows.columns[slot]);
      const triples = rows.columns[this.slot]!;
      let count = 0;
      for (let row = 0; row < rows.length; row++) {
        if (pace.isDue) yield PAUSE;
        const id = triples[row];
        if (id === NO_TERM || terms.kind(id) !== 'triple') continue;
        const ids = terms.tripleOf(id);
        let agrees = true;
        for (let at = 0; at < 3 && agrees; at++) {
          const end = ends[at];
          const before = end ? (known[at]?.[row] ?? NO_TERM) : this.parts[at].id;
          agrees = before === ids[at] || (end !== undefined && before === NO_TERM);
          // The same variable may stand in two places.
          for (let other = 0; other < at && end; other++) agrees &&= ends[other] !== end || ids[other] === ids[at];
        }
        if (!agrees) continue;
        for (let at = 0; at < 3; at++) if (ends[at]) ends[at]![count] = ids[at];
        chosen[count++] = row;
      }
      gatherRows(this.carried, rows, chosen, output, 0, count);
      output.length = count;
      if (count > 0) yield output;
      if (execution.pauseDue) yield PAUSE;
    }
  }
}
