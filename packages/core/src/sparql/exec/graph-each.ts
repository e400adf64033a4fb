import { newColumn } from '../../contracts/new-column.ts';
import type { TermId } from '../../contracts/term-source.ts';
import type { Algebra } from '../algebra/algebra.ts';
import { algebraLine } from '../explain/algebra-text.ts';
import { Batch, columnsBySlot, NO_ROWS, PAUSE, type Pause, type Stream } from './batch.ts';
import { type Execution, isPause } from './execution.ts';
import type { Operator, PlanNames } from './operator.ts';
import { SlotSet } from './slot-set.ts';

/**
 * GRAPH with a variable around a pattern that must be evaluated per graph (SPARQL 1.1 section
 * 18.6). Used for many graphs: the pattern is planned for each graph at run time, when the graph is
 * reached.
 */
export class GraphEach implements Operator {
  readonly name = 'each graph';
  readonly slots: readonly number[];
  readonly certain: SlotSet;
  readonly estimate: number;
  readonly inputs = [];
  private readonly slot: number;
  private readonly pattern: Algebra;
  private readonly planFor: (graph: TermId, execution: Execution) => Generator<Pause, Operator, void>;

  /**
   * @param slot slot of the graph variable
   * @param slots slots that the pattern may bind
   * @param certain the subset of `slots` that it binds in every row
   * @param planFor plans the pattern for one graph; the plan's rows must include `slot`
   */
  constructor(
    slot: number,
    slots: readonly number[],
    certain: readonly number[],
    estimate: number,
    pattern: Algebra,
    planFor: (graph: TermId, execution: Execution) => Generator<Pause, Operator, void>,
  ) {
    this.slot = slot;
    this.slots = [...new Set([slot, ...slots])];
    this.certain = SlotSet.of([slot, ...certain]);
    this.estimate = estimate;
    this.pattern = pattern;
    this.planFor = planFor;
  }

  detail(names: PlanNames): string {
    return `${names.variable(this.slot)}, planned again for each: ${algebraLine(this.pattern)}`;
  }

  *run(execution: Execution): Stream {
    let unbound = NO_ROWS;
    for (const graph of execution.source.graphs) {
      for (const rows of execution.run(yield* this.planFor(graph, execution))) {
        if (isPause(rows)) {
          yield PAUSE;
          continue;
        }
        if (unbound.length < rows.length) unbound = newColumn(rows.capacity);
        // Copies only the shared slots: internal slots of one plan mean nothing to another.
        const columns = columnsBySlot(this.slots, (slot) => rows.columns[slot] ?? unbound);
        const named = new Batch(columns, rows.capacity);
        named.length = rows.length;
        yield named;
      }
      if (execution.pauseDue) yield PAUSE;
    }
  }
}
