import { dataFactory } from '@rdf-worlds/client';
import type { Term } from '@rdfjs/types';
import { LABEL_PATH } from '../rdf/labels.ts';
import { client } from '../session/service.ts';
import type { GraphModel } from './graph-model.ts';
import { addTriples, groupOf, idOf } from './result-graph.ts';

/** Neighbours in each direction that are added in one step. */
const MAX_NEIGHBOURS = 60;

/**
 * The neighbours of an entity in one direction, each with a type and a label: one more than a step
 * adds, which tells that there are more.
 */
const neighbours = (
  pattern: string,
  after: number,
) => `SELECT ?predicate ?other (SAMPLE(?t) AS ?type) (SAMPLE(?l) AS ?label) {
  { ${pattern} } UNION { GRAPH ?g { ${pattern} } }
  FILTER(!ISLITERAL(?other))
  OPTIONAL { ?other a ?t }
  OPTIONAL { ?other ${LABEL_PATH} ?l }
} GROUP BY ?predicate ?other ORDER BY ?predicate ?other OFFSET ${after} LIMIT ${MAX_NEIGHBOURS + 1}`;
const OUTWARD = '?entity ?predicate ?other';
const INWARD = '?other ?predicate ?entity';

/** What an expansion did: nothing if the node has no links that the graph did not have. */
export type Expansion = 'nothing' | 'grown' | 'full';

/**
 * Adds neighbours of a node: at most {@link MAX_NEIGHBOURS} in each direction, and the next ones
 * when it is expanded again. Nodes that have further ones are noted in `model.unread`.
 */
export async function expandNode(model: GraphModel, node: number, worlds: readonly string[]): Promise<Expansion> {
  const { id, kind } = model.nodes[node]!;
  if (kind === 'literal') return 'nothing';
  const before = model.edges.length;
  const after = model.unread.get(node) ?? 0;
  const entity = kind === 'blank' ? dataFactory.blankNode(id.slice(2)) : dataFactory.namedNode(id);
  const triples: (readonly [Term, Term, Term])[] = [];
  const names = new Map<string, string>();
  const groups = new Map<string, number>();
  let hasMore = false;
  for (const pattern of [OUTWARD, INWARD]) {
    const query = neighbours(pattern, after);
    const rows = await client.select({ sources: [...worlds], query, bindings: { entity } });
    let found = 0;
    for await (const row of rows) {
      if (++found > MAX_NEIGHBOURS) {
        hasMore = true;
        break;
      }
      const other = row.get('other')!;
      const predicate = row.get('predicate')!;
      const label = row.get('label');
      const type = row.get('type');
      if (label) names.set(idOf(other), label.value);
      if (type) groups.set(idOf(other), groupOf(type.value));
      triples.push(pattern === OUTWARD ? [entity, predicate, other] : [other, predicate, entity]);
    }
  }
  if (!addTriples(model, triples, names, groups)) return 'full';
  if (hasMore) model.unread.set(node, after + MAX_NEIGHBOURS);
  else model.unread.delete(node);
  return model.edges.length > before || hasMore ? 'grown' : 'nothing';
}
