import type { QuadsBatch } from '@rdf-worlds/core/plugin';
import type * as RDF from '@rdfjs/types';
import { termKey } from './canonical-quads.ts';

const BATCH_QUADS = 1024;

/**
 * Yields batches of triples without duplicates: the result of CONSTRUCT or DESCRIBE is an RDF
 * graph, i.e. a set (SPARQL 1.1 section 16.2).
 */
export async function* distinctBatches(groups: AsyncIterable<Iterable<RDF.Quad>>): AsyncGenerator<QuadsBatch> {
  const seen = new Set<string>();
  let batch: RDF.Quad[] = [];
  for await (const group of groups) {
    for (const quad of group) {
      const key = termKey(quad);
      if (seen.has(key)) continue;
      seen.add(key);
      batch.push(quad);
      if (batch.length < BATCH_QUADS) continue;
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}
