import { NO_TERM } from '../../contracts/term-source.ts';
import type { Stream } from './batch.ts';
import type { Execution } from './execution.ts';
import { keptRows } from './kept-rows.ts';
import type { Operator, PlanNames } from './operator.ts';
import type { PathEnd } from './path-join.ts';
import { CONSTANT } from './quad-pattern.ts';
import type { SlotSet } from './slot-set.ts';
import { tripleText } from './triple-match.ts';

/**
 * Binds a slot to the triple term of parts that each row has, so that a pattern with the triple
 * term is looked up instead of read as a whole. Drops rows whose triple term is not in the data: no
 * pattern matches it, and no path begins or ends there, since the ends of a path that are not
 * constants are nodes of the graph (SPARQL 1.1, 18.4).
 */
export class TripleFind implements Operator {
  readonly name = 'find triple term';
  readonly slots: readonly number[];
  readonly certain: SlotSet;
  readonly estimate: number;
  readonly inputs: readonly [Operator];
  private readonly slot: number;
  private readonly parts: readonly PathEnd[];

  /**
   * @param slot a slot that the input does not have
   * @param parts constants, or slots that the input binds in every row
   */
  constructor(input: Operator, slot: number, parts: readonly PathEnd[]) {
    this.inputs = [input];
    this.slot = slot;
    this.parts = parts;
    this.slots = [...input.slots, slot];
    this.certain = input.certain.with([slot]);
    this.estimate = input.estimate;
  }

  detail(names: PlanNames): string {
    return tripleText(this.slot, this.parts, names);
  }

  run(execution: Execution): Stream {
    const [input] = this.inputs;
    const { terms } = execution.source;
    return keptRows(execution, input, this.slots, input.slots, (rows, output) => {
      const found = output.columns[this.slot]!;
      const [subject, predicate, object] = this.parts.map(
        ({ slot, id }) =>
          (slot === CONSTANT ? undefined : rows.columns[slot]!) ?? new Uint32Array(rows.length).fill(id),
      );
      return (row, at) => {
        found[at] = terms.findTriple(subject[row], predicate[row], object[row]);
        return found[at] !== NO_TERM;
      };
    });
  }
}
