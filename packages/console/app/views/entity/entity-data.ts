import { dataFactory } from '@rdf-worlds/client';
import type { Term } from '@rdfjs/types';
import { client } from '../../session/service.ts';

/** A value of a property, with the world and the graph that say so. */
export interface Value {
  readonly term: Term;
  readonly graph: string | undefined;
  /** For linked entities. */
  readonly label: string | undefined;
}

export interface Property {
  readonly predicate: string;
  readonly values: readonly Value[];
  /** True if there are more values than are shown. */
  readonly isCut: boolean;
}

const MAX_ROWS = 2_000;
export const MAX_VALUES = 50;

const LABEL = `OPTIONAL { ?other <http://www.w3.org/2000/01/rdf-schema#label>|<http://www.w3.org/2004/02/skos/core#prefLabel>|<http://xmlns.com/foaf/0.1/name>|<http://purl.org/dc/terms/title>|<https://schema.org/name> ?label }`;
const rows = (pattern: string) =>
  `SELECT ?predicate ?other ?graph (SAMPLE(?label) AS ?name) {
  { SELECT * { { ${pattern} } UNION { GRAPH ?graph { ${pattern} } } } LIMIT ${MAX_ROWS} }
  ${LABEL}
} GROUP BY ?predicate ?other ?graph`;
const OUTWARD = rows('?entity ?predicate ?other');
const INWARD = rows('?other ?predicate ?entity');

/** Returns the properties of an entity, or the links to it, by predicate. */
export async function propertiesOf(
  name: string,
  worlds: readonly string[],
  isInward: boolean,
  signal: AbortSignal,
): Promise<Property[]> {
  const entity = name.startsWith('_:') ? dataFactory.blankNode(name.slice(2)) : dataFactory.namedNode(name);
  const result = await client.select({
    sources: [...worlds],
    query: isInward ? INWARD : OUTWARD,
    bindings: { entity },
    signal,
  });
  const byPredicate = new Map<string, Value[]>();
  for await (const row of result) {
    const predicate = row.get('predicate')!.value;
    const value = { term: row.get('other')!, graph: row.get('graph')?.value, label: row.get('name')?.value };
    const known = byPredicate.get(predicate);
    if (known) known.push(value);
    else byPredicate.set(predicate, [value]);
  }
  return [...byPredicate]
    .sort((a, b) => rank(a[0]) - rank(b[0]) || (a[0] < b[0] ? -1 : 1))
    .map(([predicate, values]) => ({
      predicate,
      values: values.slice(0, MAX_VALUES),
      isCut: values.length > MAX_VALUES,
    }));
}

const FIRST = [
  'http://www.w3.org/1999/02/22-rdf-syntax-ns#type',
  'http://www.w3.org/2000/01/rdf-schema#label',
  'http://www.w3.org/2004/02/skos/core#prefLabel',
  'http://xmlns.com/foaf/0.1/name',
];

/** Types and labels come first. */
function rank(predicate: string): number {
  const at = FIRST.indexOf(predicate);
  return at < 0 ? FIRST.length : at;
}
