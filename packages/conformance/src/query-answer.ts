import { dataFactory, type SparqlResults } from '@rdf-worlds/core';
import type * as RDF from '@rdfjs/types';
import { SparqlJsonParser } from 'sparqljson-parse';

/**
 * The answer of a query as terms, whatever format it came in. Variables are named without `?`;
 * unbound ones are absent.
 */
export type QueryAnswer =
  | {
      readonly type: 'bindings';
      readonly variables: readonly string[];
      readonly solutions: readonly ReadonlyMap<string, RDF.Term>[];
    }
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'quads'; readonly quads: readonly RDF.Quad[] };

// The engine's own terms serve as factory, because only the comparison of strings follows.
const json = new SparqlJsonParser({ dataFactory: dataFactory as unknown as RDF.DataFactory });

/** Reads SPARQL 1.1 Query Results JSON, and the engine's `results.quads` beside it. */
export function answerFromJson(results: SparqlResults): QueryAnswer {
  if ('boolean' in results) return { type: 'boolean', value: json.parseJsonBoolean(results) };
  if ('quads' in results.results) {
    const quads = results.results.quads.map(({ subject, predicate, object, graph }) => {
      const [s, p, o] = [subject, predicate, object].map((value) => json.parseJsonValue(value));
      return dataFactory.quad(
        s as RDF.Quad_Subject,
        p as RDF.Quad_Predicate,
        o as RDF.Quad_Object,
        graph.type === 'default' ? dataFactory.defaultGraph() : dataFactory.namedNode(graph.value),
      );
    });
    return { type: 'quads', quads };
  }
  return {
    type: 'bindings',
    variables: results.head.vars,
    solutions: json.parseJsonResults(results).map((solution) => new Map(Object.entries(solution))),
  };
}
