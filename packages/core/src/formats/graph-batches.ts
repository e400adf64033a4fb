import { QuadBatch } from '../contracts/quad-batch.ts';
import type { QuadSource } from '../contracts/quad-source.ts';
import { NO_TERM, type TermId } from '../contracts/term-source.ts';

/**
 * Yields batches of one graph, sorted by subject, predicate, object. The batch object is reused:
 * consume it before the next step.
 */
export function* graphBatches(source: QuadSource, graph: TermId): Generator<QuadBatch> {
  const cursor = source.cursor();
  const batch = new QuadBatch();
  cursor.seek(NO_TERM, NO_TERM, NO_TERM, graph);
  while (cursor.next(batch) > 0) yield batch;
}
