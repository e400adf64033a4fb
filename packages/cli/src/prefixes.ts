/** Prefix name (without `:`) to namespace IRI. */
export type Prefixes = Readonly<Record<string, string>>;

/**
 * Prefixes of the RDFa 1.1 initial context with a universally established meaning; tables use them
 * undeclared.
 */
export const WELL_KNOWN_PREFIXES: Prefixes = {
  dcterms: 'http://purl.org/dc/terms/',
  foaf: 'http://xmlns.com/foaf/0.1/',
  owl: 'http://www.w3.org/2002/07/owl#',
  prov: 'http://www.w3.org/ns/prov#',
  rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
  schema: 'http://schema.org/',
  skos: 'http://www.w3.org/2004/02/skos/core#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
};

/**
 * Returns the IRI of a name with a well-known prefix, such as `rdfs:label`, as tables show it; any
 * other text as it is, without angle brackets.
 */
export function fullIri(text: string): string {
  const [prefix, ...rest] = text.split(':');
  if (Object.hasOwn(WELL_KNOWN_PREFIXES, prefix) && rest.length > 0)
    return WELL_KNOWN_PREFIXES[prefix] + rest.join(':');
  return text.replace(/^<(.*)>$/s, '$1');
}

/**
 * Matches only the local names that Turtle and SPARQL accept without escapes (Turtle 2.4,
 * PN_LOCAL), so that displayed names can be pasted into a query.
 */
const LOCAL_NAME = /^(?:[\p{L}\p{Nd}_](?:[\p{L}\p{Nd}_.-]*[\p{L}\p{Nd}_-])?)?$/u;

/** Abbreviates IRIs with prefixes, for display. */
export class ShortNames {
  /** Longest namespace first, which yields the shortest name. */
  private readonly spaces: readonly (readonly [prefix: string, namespace: string])[];

  /** @param prefixes the prefixes of the query; they take precedence over the well-known ones */
  constructor(prefixes: Prefixes = {}) {
    this.spaces = Object.entries({ ...WELL_KNOWN_PREFIXES, ...prefixes })
      .filter(([, namespace]) => namespace !== '')
      .sort(([, one], [, other]) => other.length - one.length);
  }

  /** Returns `ex:name`, or `<iri>` if no prefix fits. */
  of(iri: string): string {
    for (const [prefix, namespace] of this.spaces) {
      if (!iri.startsWith(namespace)) continue;
      const name = iri.slice(namespace.length);
      if (LOCAL_NAME.test(name)) return `${prefix}:${name}`;
    }
    return `<${iri}>`;
  }
}
