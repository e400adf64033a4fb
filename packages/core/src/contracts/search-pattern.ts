import { WorldsError } from '../model/worlds-error.ts';

/** IRI of the ranked-search service in SPARQL: `SERVICE <urn:rdf-worlds:search> { ... }`. */
export const SEARCH_SERVICE = 'urn:rdf-worlds:search';
/** Namespace of its vocabulary; the customary prefix is `ws:`. */
export const SEARCH_VOCABULARY = 'urn:rdf-worlds:search#';

/** Number of hits without `ws:limit`. */
export const DEFAULT_SERVICE_LIMIT = 100;
export const MAX_SERVICE_LIMIT = 10_000;

/** A position of a triple pattern of any SPARQL algebra. */
export interface PatternPart {
  readonly termType: string;
  readonly value?: string;
}

/**
 * What a property accepts as its object. `text`: a literal or a variable; `term`: any term or a
 * variable.
 */
type Kind = 'text' | 'term' | 'variable' | 'name' | 'limit';

/** The vocabulary. Each property may appear at most once; `ws:query` is required. */
export const SEARCH_PROPERTIES = {
  query: 'text',
  subject: 'term',
  predicate: 'term',
  object: 'term',
  graph: 'name',
  score: 'variable',
  rank: 'variable',
  limit: 'limit',
} as const satisfies Record<string, Kind>;

export type SearchProperty = keyof typeof SEARCH_PROPERTIES;

const WANTED: Record<Kind, string> = {
  text: 'a plain string, or a variable bound by the rest of the group',
  term: 'a variable, or the term that hits must have in this position',
  name: 'a variable, or the IRI of a graph',
  variable: 'a variable',
  limit: `an integer from 1 to ${MAX_SERVICE_LIMIT}`,
};

/** One parsed SERVICE: the properties with their objects, and the limit. */
export interface SearchPattern<Part> {
  /** Objects of the properties that occur; `query` always does. */
  readonly parts: Readonly<Partial<Record<SearchProperty, Part>>> & { readonly query: Part };
  /** Maximum number of hits, 1 to 10,000. Default: 100. */
  readonly limit: number;
}

/** Returns whether a predicate belongs to the vocabulary. */
export function isSearchProperty(predicate: PatternPart): boolean {
  return predicate.termType === 'NamedNode' && predicate.value!.startsWith(SEARCH_VOCABULARY);
}

/**
 * Parses the triple patterns of a SERVICE that use the vocabulary. Throws INVALID_SPARQL, with the
 * correction in its message, if a property is unknown, missing, duplicated or has an invalid
 * object, or if the patterns describe more than one search.
 */
export function searchPattern<Part extends PatternPart>(
  triples: readonly { readonly subject: Part; readonly predicate: Part; readonly object: Part }[],
): SearchPattern<Part> {
  const parts = new Map<SearchProperty, Part>();
  let search: Part | undefined;
  for (const { subject, predicate, object } of triples) {
    const name = predicate.value!.slice(SEARCH_VOCABULARY.length);
    if (!Object.hasOwn(SEARCH_PROPERTIES, name)) {
      const known = Object.keys(SEARCH_PROPERTIES).map((one) => `ws:${one}`);
      throw wrong(`there is no ws:${name}; the properties are ${known.join(', ')}`);
    }
    const property = name as SearchProperty;
    if (subject.termType !== 'Variable' && subject.termType !== 'BlankNode')
      throw wrong(`the subject of ws:${name} identifies the search; write [] or a blank node`);
    search ??= subject;
    if (search.value !== subject.value)
      throw wrong('it describes two searches; write one SERVICE for each, with all properties on one []');
    if (parts.has(property)) throw wrong(`ws:${name} occurs twice; write it once`);
    if (!isOfKind(object, SEARCH_PROPERTIES[property])) {
      throw wrong(`the object of ws:${name} must be ${WANTED[SEARCH_PROPERTIES[property]]}`);
    }
    parts.set(property, object);
  }
  const query = parts.get('query');
  if (!query) throw wrong('it has no text to search for; write [] ws:query "some words" ; ws:subject ?s');
  const limit = parts.get('limit');
  return { parts: { ...Object.fromEntries(parts), query }, limit: limit ? Number(limit.value) : DEFAULT_SERVICE_LIMIT };
}

/** Returns the INVALID_SPARQL error for an invalid search SERVICE. */
export function wrong(what: string): WorldsError {
  return new WorldsError('INVALID_SPARQL', `SERVICE <${SEARCH_SERVICE}>: ${what}.`);
}

function isOfKind({ termType, value }: PatternPart, kind: Kind): boolean {
  const isVariable = termType === 'Variable';
  switch (kind) {
    case 'term':
      return isVariable || termType === 'NamedNode' || termType === 'Literal' || termType === 'BlankNode';
    case 'name':
      return isVariable || termType === 'NamedNode';
    case 'text':
      return isVariable || termType === 'Literal';
    case 'variable':
      return isVariable;
    case 'limit': {
      const limit = termType === 'Literal' && /^\+?[0-9]{1,9}$/.test(value!) ? Number(value) : 0;
      return limit >= 1 && limit <= MAX_SERVICE_LIMIT;
    }
  }
}
