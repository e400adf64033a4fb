import { dataFactory } from '@rdf-worlds/core';
import { DEFAULT_GRAPH, NO_TERM, QuadBatch, type QuadSource, type TermId } from '@rdf-worlds/core/plugin';
import type * as RDF from '@rdfjs/types';
import type { Pacer } from './pacer.ts';

/**
 * Yields the concise bounded description of resources: the triples of the default graph with one of
 * them as subject, and recursively those of blank nodes that occur as objects
 * (https://www.w3.org/submissions/CBD/, without its reified statements). Comunica's own DESCRIBE
 * does not follow blank nodes, which leaves readers with nodes they cannot query.
 */
export async function* describe(
  source: QuadSource,
  resources: Iterable<TermId>,
  pacer: Pacer,
): AsyncGenerator<RDF.Quad[]> {
  const seen = new Set<TermId>();
  const queue: TermId[] = [];
  const enqueue = (id: TermId) => {
    if (id === NO_TERM || seen.has(id)) return;
    seen.add(id);
    queue.push(id);
  };
  for (const resource of resources) enqueue(resource);
  const cursor = source.cursor();
  const batch = new QuadBatch();
  const { terms } = source;
  for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
    cursor.seek(id, NO_TERM, NO_TERM, DEFAULT_GRAPH);
    while (cursor.next(batch) > 0) {
      const triples: RDF.Quad[] = [];
      for (let row = 0; row < batch.length; row++) {
        if (terms.kind(batch.object[row]) === 'blank') enqueue(batch.object[row]);
        triples.push(
          dataFactory.quad(
            terms.term(batch.subject[row]) as RDF.Quad_Subject,
            terms.term(batch.predicate[row]) as RDF.Quad_Predicate,
            terms.term(batch.object[row]) as RDF.Quad_Object,
          ),
        );
      }
      yield triples;
      await pacer.breathe();
    }
  }
}
