import { NO_TERM, type TermId } from '../../contracts/term-source.ts';
import { Batch, PAUSE, type Stream } from './batch.ts';
import type { Execution } from './execution.ts';
import type { Operator, PlanNames } from './operator.ts';
import { SlotSet } from './slot-set.ts';

/**
 * Lists the named graphs of the dataset, including empty ones: GRAPH ?g {} (SPARQL 1.1 section
 * 18.6). For a constant graph, yields one row without bindings if the graph exists.
 */
export class GraphNames implements Operator {
  readonly name = 'graph names';
  readonly slots: readonly number[];
  readonly certain: SlotSet;
  readonly estimate: number;
  readonly inputs = [];
  private readonly slot: number | undefined;
  private readonly graph: TermId;

  constructor(slot: number | undefined, graph: TermId, estimate: number) {
    this.slot = slot;
    this.graph = graph;
    this.slots = slot === undefined ? [] : [slot];
    this.certain = SlotSet.of(this.slots);
    this.estimate = estimate;
  }

  detail(names: PlanNames): string {
    if (this.slot !== undefined) return names.variable(this.slot);
    return this.graph === NO_TERM ? 'a graph that the dataset does not have' : names.term(this.graph);
  }

  *run(execution: Execution): Stream {
    const { graphs } = execution.source;
    if (this.slot === undefined) {
      if (this.graph === NO_TERM || !graphs.includes(this.graph)) return;
      const unit = new Batch([], 1);
      unit.length = 1;
      yield unit;
      return;
    }
    for (let start = 0; start < graphs.length; start += execution.batchRows) {
      const batch = Batch.withSlots(this.slots, Math.min(execution.batchRows, graphs.length - start));
      batch.length = batch.capacity;
      batch.columns[this.slot]!.set(graphs.subarray(start, start + batch.length));
      yield batch;
      if (execution.pauseDue) yield PAUSE;
    }
  }
}
