import { isAbsoluteIri } from '../model/iri.ts';
import { ITS, RDF } from '../model/vocabulary.ts';
import { WorldsError } from '../model/worlds-error.ts';
import { isNCName, ncNameStart } from './xml-name.ts';

/** RDF/XML 1.1 section 6.2.2: names that would be parsed as syntax rather than as properties. */
const SYNTAX = new Set(
  ['RDF', 'ID', 'about', 'parseType', 'resource', 'nodeID', 'datatype', 'Description', 'li']
    .concat(
      ['version', 'annotation', 'annotationNodeID'], // RDF 1.2
      ['aboutEach', 'aboutEachPrefix', 'bagID'], // section 6.2.1, withdrawn names
    )
    .map((name) => RDF + name),
);

/** Namespaces in XML 1.0 section 3: cannot be declared under another prefix. */
const RESERVED_NAMESPACES = ['http://www.w3.org/XML/1998/namespace', 'http://www.w3.org/2000/xmlns/'];

/** Assigns an XML name to each predicate of a document and collects the namespaces they need. */
export class RdfXmlPredicates {
  /** Namespace to prefix; '' is the default namespace, which applies to elements only. */
  readonly namespaces = new Map<string, string>([[RDF, 'rdf']]);
  private readonly given: readonly (readonly [prefix: string, namespace: string])[];
  private readonly taken: Set<string>;
  private generated = 0;

  /**
   * Ignores prefixes that XML does not allow, redefinitions of `rdf`, and the Internationalization
   * Tag Set as the default namespace: its names are needed for attributes.
   */
  constructor(prefixes: Readonly<Record<string, string>> = {}) {
    this.given = Object.entries(prefixes).filter(
      ([prefix, namespace]) =>
        (prefix === '' ? namespace !== ITS : isNCName(prefix) && !/^xml/i.test(prefix)) &&
        prefix !== 'rdf' &&
        isAbsoluteIri(namespace) &&
        isSafe(namespace) &&
        !RESERVED_NAMESPACES.includes(namespace),
    );
    this.taken = new Set(this.given.map(([prefix]) => prefix));
  }

  /** Returns the element name of a predicate. Throws UNSUPPORTED if XML cannot express it. */
  name(iri: string): string {
    if (SYNTAX.has(iri)) throw unsupported(iri, 'is part of the RDF/XML syntax');
    for (const [prefix, namespace] of this.given) {
      const local = iri.startsWith(namespace) ? iri.slice(namespace.length) : '';
      if (!isNCName(local)) continue;
      if (!this.namespaces.has(namespace)) this.namespaces.set(namespace, prefix);
      return qualified(this.namespaces.get(namespace)!, local);
    }
    const start = ncNameStart(iri);
    if (start === iri.length) throw unsupported(iri, 'does not end with an XML name');
    const namespace = iri.slice(0, start);
    if (!isSafe(namespace)) throw unsupported(iri, 'has white space before the XML name at its end');
    if (RESERVED_NAMESPACES.includes(namespace)) throw unsupported(iri, 'is in a namespace reserved by XML');
    const prefix = this.namespaces.get(namespace) ?? this.declare(namespace);
    return qualified(prefix, iri.slice(start));
  }

  /**
   * Returns the prefix of the Internationalization Tag Set, which is never '': the default
   * namespace does not apply to attributes (Namespaces in XML 1.0 section 6.2).
   */
  itsPrefix(): string {
    const known = this.namespaces.get(ITS) ?? this.given.find(([, namespace]) => namespace === ITS)?.[0];
    if (known === undefined && this.taken.has('its')) return this.declare(ITS);
    const prefix = known ?? 'its';
    this.namespaces.set(ITS, prefix);
    return prefix;
  }

  private declare(namespace: string): string {
    let prefix: string;
    do prefix = `ns${++this.generated}`;
    while (this.taken.has(prefix));
    this.namespaces.set(namespace, prefix);
    return prefix;
  }
}

/**
 * Returns whether a namespace survives common readers, which trim it: an IRI may end with a
 * no-break space, and the predicate would be read back as a different one.
 */
function isSafe(namespace: string): boolean {
  return namespace === namespace.trim();
}

function qualified(prefix: string, local: string): string {
  return prefix === '' ? local : `${prefix}:${local}`;
}

function unsupported(iri: string, reason: string): WorldsError {
  return new WorldsError(
    'UNSUPPORTED',
    `RDF/XML cannot represent the predicate <${iri}>, which ${reason}: use text/turtle or application/n-triples.`,
  );
}
