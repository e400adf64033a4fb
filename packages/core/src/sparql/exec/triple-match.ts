import { NO_TERM } from '../../contracts/term-source.ts';
import { Batch, gatherRows, PAUSE, type Stream } from './batch.ts';
import { type Execution, isPause } from './execution.ts';
import type { Operator, PlanNames } from './operator.ts';
import { Pace } from './pace.ts';
import type { PathEnd } from './path-join.ts';
import { CONSTANT } from './quad-pattern.ts';
import { type SlotSet, unionOf } from './slot-set.ts';

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

  constructor(input: Operator, slot: number, parts: readonly PathEnd[]) {
    this.inputs = [input];
    this.slot = slot;
    this.parts = parts;
    const open = parts.map((part) => part.slot).filter((one) => one !== CONSTANT);
    this.slots = unionOf(input.slots, open);
    this.certain = input.certain.with(open);
    this.estimate = input.estimate / 2;
  }

  detail(names: PlanNames): string {
    const parts = this.parts.map(({ slot, id }) => (slot === CONSTANT ? names.term(id) : names.variable(slot)));
    return `${names.variable(this.slot)} = <<( ${parts.join(' ')} )>>`;
  }

  *run(execution: Execution): Stream {
    const [input] = this.inputs;
    const { terms } = execution.source;
    const chosen = new Uint32Array(1);
    const pace = new Pace(execution);
    for (const rows of execution.run(input)) {
      if (isPause(rows)) {
        yield PAUSE;
        continue;
      }
      const output = Batch.withSlots(this.slots, rows.length);
      for (let row = 0; row < rows.length; row++) {
        if (pace.isDue) yield PAUSE;
        const id = rows.columns[this.slot]![row];
        if (id === NO_TERM || terms.kind(id) !== 'triple') continue;
        const term = terms.term(id);
        if (term.termType !== 'Quad') continue;
        const ids = [term.subject, term.predicate, term.object].map((part) => terms.intern(part));
        chosen[0] = row;
        const at = output.length;
        gatherRows(input.slots, rows, chosen, output, at, 1);
        for (const slot of this.slots) if (!input.slots.includes(slot)) output.columns[slot]![at] = NO_TERM;
        const agrees = this.parts.every((part, i) => {
          if (part.slot === CONSTANT) return part.id === ids[i];
          const known = output.columns[part.slot]![at];
          output.columns[part.slot]![at] = ids[i];
          return known === NO_TERM || known === ids[i];
        });
        if (agrees) output.length++;
      }
      if (output.length > 0) yield output;
      if (execution.pauseDue) yield PAUSE;
    }
  }
}
