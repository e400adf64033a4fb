import { dataFactory } from '@rdf-worlds/client';
import type { Term } from '@rdfjs/types';
import { client } from '../session/service.ts';
import type { GraphModel } from './graph-model.ts';
import { addTriples, groupOf, idOf } from './result-graph.ts';

const MAX_NEIGHBOURS = 60;

/** The neighbours of an entity in one direction, each with a type and a label. */
const neighbours = (pattern: string) => `PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
PREFIX skos: <http://www.w3.org/2004/02/skos/core#>
PREFIX foaf: <http://xmlns.com/foaf/0.1/>
SELECT ?predicate ?other (SAMPLE(?t) AS ?type) (SAMPLE(?l) AS ?label) {
  { ${pattern} } UNION { GRAPH ?g { ${pattern} } }
  FILTER(!ISLITERAL(?other))
  OPTIONAL { ?other a ?t }
  OPTIONAL { ?other rdfs:label|skos:prefLabel|foaf:name ?l }
} GROUP BY ?predicate ?other LIMIT ${MAX_NEIGHBOURS}`;
const OUTWARD = neighbours('?entity ?predicate ?other');
const INWARD = neighbours('?other ?predicate ?entity');

/** Adds the neighbours of a node. Returns false if it has none that the graph did not have. */
export async function expandNode(model: GraphModel, node: number, worlds: readonly string[]): Promise<boolean> {
  const { id, kind } = model.nodes[node]!;
  if (kind !== 'iri') return false;
  const before = model.edges.length;
  const entity = dataFactory.namedNode(id);
  const triples: (readonly [Term, Term, Term])[] = [];
  const names = new Map<string, string>();
  const groups = new Map<string, number>();
  for (const query of [OUTWARD, INWARD]) {
    const rows = await client.select({ sources: [...worlds], query, bindings: { entity } });
    for await (const row of rows) {
      const other = row.get('other')!;
      const predicate = row.get('predicate')!;
      const label = row.get('label');
      const type = row.get('type');
      if (label) names.set(idOf(other), label.value);
      if (type) groups.set(idOf(other), groupOf(type.value));
      triples.push(query === OUTWARD ? [entity, predicate, other] : [other, predicate, entity]);
    }
  }
  addTriples(model, triples, names, groups);
  return model.edges.length > before;
}
