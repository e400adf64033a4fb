import type * as RDF from '@rdfjs/types';
import { QuadBatch } from '../contracts/quad-batch.ts';
import type { EvaluateOptions, QuadsBatch } from '../contracts/sparql-engine.ts';
import { DEFAULT_GRAPH, NO_TERM, type TermId } from '../contracts/term-source.ts';
import type { Query } from './algebra/algebra.ts';
import { PAUSE } from './exec/batch.ts';
import { isPause } from './exec/execution.ts';
import { MemoryClaims } from './exec/memory-claims.ts';
import type { Operator } from './exec/operator.ts';
import { TripleSet } from './new-triples.ts';
import type { Steps } from './paced-stream.ts';
import type { Evaluation } from './plan-query.ts';
import { rowCounter } from './row-counter.ts';
import { TermCache } from './solution-batch.ts';
import { sortedTriples } from './sorted-triples.ts';

/** Approximate bytes per DESCRIBE resource in a set. */
const RESOURCE_BYTES = 40;

/**
 * Computes the concise bounded description of each resource in the default graph: its triples, and
 * recursively those of the blank nodes among their objects.
 */
export function* describe(
  { targets }: Query & { type: 'describe' },
  operator: Operator | undefined,
  { execution, source, scope }: Evaluation,
  { maxRows, canonicalOrder }: EvaluateOptions,
): Steps<QuadsBatch> {
  const resources = new Set<TermId>();
  for (const target of targets) if (target.termType === 'NamedNode') resources.add(source.terms.find(target));
  if (operator) {
    const slots = targets.flatMap((target) => (target.termType === 'Variable' ? [scope.slot(target.value)] : []));
    if (execution.pauseDue) yield PAUSE;
    for (const batch of execution.run(operator)) {
      if (isPause(batch)) {
        yield PAUSE;
        continue;
      }
      const known = resources.size;
      for (const slot of slots) {
        const column = batch.columns[slot];
        for (let row = 0; column && row < batch.length; row++) resources.add(column[row]);
      }
      execution.claimMemory((resources.size - known) * RESOURCE_BYTES);
    }
  }
  resources.delete(NO_TERM);
  const terms = new TermCache(source.terms, execution);
  const count = rowCounter(maxRows);
  const seen = new TripleSet(execution);
  const cursor = source.cursor();
  const found = new QuadBatch();
  // Resources added during the iteration are described, too.
  for (const resource of resources) {
    if (canonicalOrder) {
      const memory = new MemoryClaims(execution);
      for (const { predicate, object } of yield* sortedTriples(resource, execution, memory)) {
        if (source.terms.kind(object) === 'blank') resources.add(object);
        if (seen.add(resource, predicate, object)) {
          count(1);
          yield [terms.triple(resource, predicate, object)];
        }
        if (execution.pauseDue) yield PAUSE;
      }
      memory.release();
      continue;
    }
    cursor.seek(resource, NO_TERM, NO_TERM, DEFAULT_GRAPH);
    while (cursor.next(found) > 0) {
      const known = resources.size;
      const quads: RDF.Quad[] = [];
      for (let row = 0; row < found.length; row++) {
        const { subject, predicate, object } = found;
        if (seen.add(subject[row], predicate[row], object[row])) {
          quads.push(terms.triple(subject[row], predicate[row], object[row]));
        }
        if (source.terms.kind(object[row]) === 'blank') resources.add(object[row]);
      }
      execution.claimMemory((resources.size - known) * RESOURCE_BYTES);
      count(quads.length);
      if (quads.length > 0) yield quads;
      if (execution.pauseDue) yield PAUSE;
    }
    if (execution.pauseDue) yield PAUSE;
  }
}
