import { NO_TERM } from '../../contracts/term-source.ts';
import type { Stream } from './batch.ts';
import type { Execution } from './execution.ts';
import { keptRows } from './kept-rows.ts';
import type { Operator, PlanNames } from './operator.ts';
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

  run(execution: Execution): Stream {
    const { terms } = execution.source;
    return keptRows(execution, this.inputs[0], this.slots, this.carried, (rows, output) => {
      const ends = this.parts.map(({ slot }) => (slot === CONSTANT ? undefined : output.columns[slot]!));
      const known = this.parts.map(({ slot }) => rows.columns[slot]);
      const triples = rows.columns[this.slot]!;
      return (row, position) => {
        const id = triples[row];
        if (id === NO_TERM || terms.kind(id) !== 'triple') return false;
        const ids = terms.tripleOf(id);
        for (let at = 0; at < 3; at++) {
          const end = ends[at];
          const before = end ? (known[at]?.[row] ?? NO_TERM) : this.parts[at].id;
          if (before !== ids[at] && (!end || before !== NO_TERM)) return false;
          // The same variable may stand in two places.
          for (let other = 0; other < at && end; other++)
            if (ends[other] === end && ids[other] !== ids[at]) return false;
        }
        for (let at = 0; at < 3; at++) if (ends[at]) ends[at]![position] = ids[at];
        return true;
      };
    });
  }
}
