import { dataFactory } from '@rdf-worlds/core';
import type { EvaluateOptions, QuadSource, TermId } from '@rdf-worlds/core/plugin';
import type { DatasetClause } from './translation.ts';

/**
 * Returns the dataset of a query: the protocol's graphs override FROM (SPARQL 1.1 Protocol section
 * 2.1.4); without either it is the unchanged source.
 */
export function datasetOf(
  source: QuadSource,
  clause: DatasetClause | undefined,
  override: EvaluateOptions['dataset'],
): QuadSource {
  const graphs = override ?? clause;
  if (!graphs) return source;
  const ids = (iris: readonly string[]): TermId[] =>
    [...new Set(iris)].map((iri) => source.terms.intern(dataFactory.namedNode(iri)));
  return source.dataset(ids(graphs.defaultGraphs), ids(graphs.namedGraphs));
}
