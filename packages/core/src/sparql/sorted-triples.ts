import { QuadBatch } from '../contracts/quad-batch.ts';
import { DEFAULT_GRAPH, NO_TERM, type TermId } from '../contracts/term-source.ts';
import type { MemoryBudget } from '../model/memory-budget.ts';
import { PAUSE, type Pause } from './exec/batch.ts';
import type { Execution } from './exec/execution.ts';

import { ComparisonCost, sortSliced } from './exec/merge-sort.ts';
import { compareForOrder } from './expressions/ordering.ts';
import type { Value } from './expressions/value.ts';

/** Approximate bytes per triple while sorting: its ids and two values. */
const TRIPLE_BYTES = 256;

interface Triple {
  readonly predicate: TermId;
  readonly object: TermId;
  readonly values: readonly [predicate: Value | undefined, object: Value | undefined];
}

/**
 * Returns the triples of a subject in the default graph, in term order. The caller releases
 * `memory`.
 */
export function* sortedTriples(
  subject: TermId,
  execution: Execution,
  memory: MemoryBudget,
): Generator<Pause, readonly Triple[], void> {
  const triples: Triple[] = [];
  const cursor = execution.source.cursor();
  const found = new QuadBatch();
  cursor.seek(subject, NO_TERM, NO_TERM, DEFAULT_GRAPH);
  while (cursor.next(found) > 0) {
    memory.claimMemory(found.length * TRIPLE_BYTES);
    for (let row = 0; row < found.length; row++) {
      const [predicate, object] = [found.predicate[row], found.object[row]];
      triples.push({ predicate, object, values: [execution.value(predicate), execution.value(object)] });
    }
    if (execution.pauseDue) yield PAUSE;
  }
  const compare = (one: number, other: number) => {
    const [a, b] = [triples[one].values, triples[other].values];
    return compareForOrder(a[0], b[0]) || compareForOrder(a[1], b[1]) || one - other;
  };
  return Array.from(yield* sortSliced(triples.length, compare, new ComparisonCost(2), execution), (at) => triples[at]);
}
