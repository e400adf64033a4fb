/** Prefix name (without `:`) to namespace IRI. */
export type Prefixes = Readonly<Record<string, string>>;

/**
 * What a table may take for known without being told: prefixes of the initial context of RDFa 1.1
 * that mean the same everywhere.
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
 * Local names that Turtle and SPARQL take without escapes (Turtle 2.4, PN_LOCAL), and no others:
 * what is shown can be copied into a query.
 */
const LOCAL_NAME = /^(?:[\p{L}\p{Nd}_](?:[\p{L}\p{Nd}_.-]*[\p{L}\p{Nd}_-])?)?$/u;

/** Writes IRIs by the prefixes that are declared, for people. */
export class ShortNames {
  /** The longest namespace first: the name is the shortest then. */
  private readonly spaces: readonly (readonly [prefix: string, namespace: string])[];

  /** @param prefixes those of the query; they win over the well-known ones */
  constructor(prefixes: Prefixes = {}) {
    this.spaces = Object.entries({ ...WELL_KNOWN_PREFIXES, ...prefixes })
      .filter(([, namespace]) => namespace !== '')
      .sort(([, one], [, other]) => other.length - one.length);
  }

  /** `ex:name`, or `<iri>` where no prefix fits. */
  of(iri: string): string {
    for (const [prefix, namespace] of this.spaces) {
      if (!iri.startsWith(namespace)) continue;
      const name = iri.slice(namespace.length);
      if (LOCAL_NAME.test(name)) return `${prefix}:${name}`;
    }
    return `<${iri}>`;
  }
}
