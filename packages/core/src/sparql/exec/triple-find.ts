import { NO_TERM } from '../../contracts/term-source.ts';
import { Batch, gatherRows, PAUSE, type Stream } from './batch.ts';
import { type Execution, isPause } from './execution.ts';
import type { Operator, PlanNames } from './operator.ts';
import { Pace } from './pace.ts';
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
      const found = output.columns[this.slot]!;
      const [subject, predicate, object] = this.parts.map(
        ({ slot, id }) =>
          (slot === CONSTANT ? undefined : rows.columns[slot]!) ?? new Uint32Array(rows.length).fill(id),
      );
      let count = 0;
      for (let row = 0; row < rows.length; row++) {
        if (pace.isDue) yield PAUSE;
        const id = terms.findTriple(subject[row], predicate[row], object[row]);
        if (id === NO_TERM) continue;
        found[count] = id;
        chosen[count++] = row;
      }
      gatherRows(input.slots, rows, chosen, output, 0, count);
      output.length = count;
      if (count > 0) yield output;
      if (execution.pauseDue) yield PAUSE;
    }
  }
}
