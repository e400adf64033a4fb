import { WorldsError } from '@rdf-worlds/core';
import { isAbsoluteIri } from '@rdf-worlds/core/internal';
import { ENTITY_IRIS, FACT_IRIS, MEMORY_NAMESPACE, PROV_NAMESPACE, VOCABULARY_IRIS } from './memory-vocabulary.ts';

/** Prefixes that every tool understands in arguments and uses in results. */
export const DEFAULT_PREFIXES: Readonly<Record<string, string>> = {
  e: ENTITY_IRIS,
  v: VOCABULARY_IRIS,
  fact: FACT_IRIS,
  mem: MEMORY_NAMESPACE,
  rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
  owl: 'http://www.w3.org/2002/07/owl#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
  schema: 'https://schema.org/',
  foaf: 'http://xmlns.com/foaf/0.1/',
  skos: 'http://www.w3.org/2004/02/skos/core#',
  dc: 'http://purl.org/dc/elements/1.1/',
  dcterms: 'http://purl.org/dc/terms/',
  prov: PROV_NAMESPACE,
  geo: 'http://www.w3.org/2003/01/geo/wgs84_pos#',
};

const PREFIX_NAME = /^[A-Za-z][A-Za-z0-9_-]*$/;
/** The part of SPARQL 1.1 rule 169 (PN_LOCAL) that needs no escapes. */
const LOCAL_NAME =
  /^(?:[\p{L}\p{N}_]|%[0-9A-Fa-f]{2})(?:(?:[\p{L}\p{N}_.-]|%[0-9A-Fa-f]{2})*(?:[\p{L}\p{N}_-]|%[0-9A-Fa-f]{2}))?$/u;

/** Abbreviates IRIs, and expands what was abbreviated. */
export class PrefixTable {
  /** Prefix name (without `:`) to namespace IRI. */
  readonly prefixes: ReadonlyMap<string, string>;
  /** The longest namespace first. */
  private readonly namespaces: readonly (readonly [prefix: string, iri: string])[];

  /** Throws `INVALID_ARGUMENT` for a malformed prefix or a namespace that is not an IRI. */
  constructor(own: Readonly<Record<string, string>> = {}) {
    const prefixes = new Map(Object.entries(DEFAULT_PREFIXES));
    for (const [name, iri] of Object.entries(own)) {
      if (!PREFIX_NAME.test(name) || !isAbsoluteIri(iri)) {
        throw new WorldsError(
          'INVALID_ARGUMENT',
          `prefixes: ${JSON.stringify(name)}: expected a name of letters, digits, _ and -, and an absolute IRI.`,
        );
      }
      prefixes.set(name, iri);
    }
    this.prefixes = prefixes;
    this.namespaces = [...prefixes].sort(([, a], [, b]) => b.length - a.length);
  }

  /** Returns `prefix:name`, or `<iri>` if no prefix fits. Calls `used` with the prefix. */
  shorten(iri: string, used?: (prefix: string) => void): string {
    for (const [prefix, namespace] of this.namespaces) {
      if (!iri.startsWith(namespace)) continue;
      const local = iri.slice(namespace.length);
      if (!LOCAL_NAME.test(local)) continue;
      used?.(prefix);
      return `${prefix}:${local}`;
    }
    return `<${iri}>`;
  }

  /** Returns the IRI of `prefix:name`; undefined if there is no such prefix. */
  expand(name: string): string | undefined {
    const colon = name.indexOf(':');
    if (colon < 0) return undefined;
    const namespace = this.prefixes.get(name.slice(0, colon));
    return namespace === undefined ? undefined : namespace + name.slice(colon + 1);
  }

  /**
   * Returns PREFIX declarations for those prefixes that a SPARQL text uses but does not declare.
   */
  declarationsFor(query: string): string {
    const missing: string[] = [];
    for (const [prefix, namespace] of this.prefixes) {
      // A prefix that only occurs in a string or a comment is declared too, which does no harm.
      if (!new RegExp(`(?<![\\w-])${prefix}:`).test(query)) continue;
      if (new RegExp(`prefix\\s+${prefix}:`, 'i').test(query)) continue;
      missing.push(`PREFIX ${prefix}: <${namespace}>`);
    }
    return missing.length === 0 ? '' : `${missing.join(' ')} `;
  }
}
