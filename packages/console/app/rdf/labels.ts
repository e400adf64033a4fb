import type { Literal } from '@rdfjs/types';
import { client } from '../session/service.ts';

/** Predicates whose values name an entity. */
export const LABELS: ReadonlySet<string> = new Set([
  'http://www.w3.org/2000/01/rdf-schema#label',
  'http://www.w3.org/2004/02/skos/core#prefLabel',
  'http://xmlns.com/foaf/0.1/name',
  'http://purl.org/dc/terms/title',
  'https://schema.org/name',
  'http://schema.org/name',
]);

/** The property path of them. */
export const LABEL_PATH = [...LABELS].map((iri) => `<${iri}>`).join('|');

/** Returns the label in the language of the browser, or the first; undefined if there is none. */
export function bestLabel<Label extends Pick<Literal, 'language'>>(labels: readonly Label[]): Label | undefined {
  const languages = navigator.languages.map((language) => language.split('-')[0]);
  const rank = ({ language }: Label) => {
    const at = languages.indexOf(language.split('-')[0]);
    return at < 0 ? languages.length : at;
  };
  return [...labels].sort((a, b) => rank(a) - rank(b))[0];
}

/**
 * Characters that an IRI in a query cannot have (SPARQL 1.1, rule 139); blank nodes have no name.
 */
const UNQUERIED = /[<>"{}|^`\\\s]|\p{Cc}|^_:/u;
/** Longer names are not asked for. */
const MAX_IRI = 2_000;

/** Returns the labels of entities by their IRIs, as far as these worlds have any. */
export async function labelsOf(
  iris: Iterable<string>,
  worlds: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const asked = [...new Set(iris)].filter((iri) => iri.length <= MAX_IRI && !UNQUERIED.test(iri));
  if (asked.length === 0) return new Map();
  const pattern = `?entity ${LABEL_PATH} ?label`;
  const query = `SELECT ?entity ?label {
  VALUES ?entity { ${asked.map((iri) => `<${iri}>`).join(' ')} }
  { ${pattern} } UNION { GRAPH ?graph { ${pattern} } }
}`;
  const found = new Map<string, Literal[]>();
  for await (const row of await client.select({ sources: [...worlds], query, signal })) {
    const label = row.get('label');
    if (label?.termType !== 'Literal') continue;
    const iri = row.get('entity')!.value;
    found.set(iri, [...(found.get(iri) ?? []), label]);
  }
  return new Map(Array.from(found, ([iri, labels]) => [iri, bestLabel(labels)!.value]));
}
