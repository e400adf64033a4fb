import type { QuadsBatch } from '@rdf-worlds/core';
import type * as RDF from '@rdfjs/types';

const BATCH_QUADS = 1024;

function keyOf(term: RDF.Term): string {
  if (term.termType === 'Quad') return `(${keyOf(term.subject)} ${keyOf(term.predicate)} ${keyOf(term.object)})`;
  if (term.termType !== 'Literal') return `${term.termType[0]}${JSON.stringify(term.value)}`;
  return `L${JSON.stringify([term.value, term.datatype.value, term.language, term.direction ?? ''])}`;
}

/** Batches of triples, each triple once: a CONSTRUCT or DESCRIBE gives an RDF graph, which is a set (SPARQL 1.1 section 16.2). */
export async function* distinctBatches(groups: AsyncIterable<Iterable<RDF.Quad>>): AsyncGenerator<QuadsBatch> {
  const seen = new Set<string>();
  let batch: RDF.Quad[] = [];
  for await (const group of groups) {
    for (const quad of group) {
      const key = keyOf(quad);
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
