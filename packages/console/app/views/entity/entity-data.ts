import { dataFactory } from '@rdf-worlds/client';
import type { Term } from '@rdfjs/types';
import { LABEL_PATH } from '../../rdf/labels.ts';
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
}

/** The properties of an entity, or the links to it. */
export interface Properties {
  readonly properties: readonly Property[];
  /** Number of values that were read, and that there are. */
  readonly read: number;
  readonly total: number;
}

/** Values that are read of an entity, at first and each time that more are asked for. */
export const STEPS = [2_000, 10_000, 50_000] as const;

const LABEL = `OPTIONAL { ?other ${LABEL_PATH} ?label }`;
const values = (pattern: string) => `{ ${pattern} } UNION { GRAPH ?graph { ${pattern} } }`;
const OUTWARD = '?entity ?predicate ?other';
const INWARD = '?other ?predicate ?entity';
const rows = (pattern: string, limit: number) =>
  `SELECT ?predicate ?other ?graph (SAMPLE(?label) AS ?name) {
  { SELECT * { ${values(pattern)} } LIMIT ${limit} }
  ${LABEL}
} GROUP BY ?predicate ?other ?graph`;
const counted = (pattern: string) => `SELECT (COUNT(*) AS ?values) { ${values(pattern)} }`;

interface PropertiesRequest {
  /** An IRI, or `_:` and the label of a blank node. */
  readonly name: string;
  readonly worlds: readonly string[];
  /** True for the links to the entity. */
  readonly isInward: boolean;
  /** Maximum number of values. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** Returns the properties of an entity, or the links to it, by predicate. */
export async function propertiesOf(request: PropertiesRequest): Promise<Properties> {
  const { name, worlds, isInward, limit, signal } = request;
  const entity = name.startsWith('_:') ? dataFactory.blankNode(name.slice(2)) : dataFactory.namedNode(name);
  const pattern = isInward ? INWARD : OUTWARD;
  const select = (query: string) => client.select({ sources: [...worlds], query, bindings: { entity }, signal });
  const byPredicate = new Map<string, Value[]>();
  let read = 0;
  let isCut = false;
  // One more tells that there are more.
  for await (const row of await select(rows(pattern, limit + 1))) {
    if (read === limit) {
      isCut = true;
      break;
    }
    read++;
    const predicate = row.get('predicate')!.value;
    const value = { term: row.get('other')!, graph: row.get('graph')?.value, label: row.get('name')?.value };
    const known = byPredicate.get(predicate);
    if (known) known.push(value);
    else byPredicate.set(predicate, [value]);
  }
  const total = isCut ? Number((await (await select(counted(pattern))).array())[0]!.get('values')!.value) : read;
  const properties = Array.from(byPredicate, ([predicate, found]) => ({ predicate, values: found })).sort(
    (a, b) => rank(a.predicate) - rank(b.predicate) || (a.predicate < b.predicate ? -1 : 1),
  );
  return { properties, read, total };
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
