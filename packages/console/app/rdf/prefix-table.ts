import { signal } from '@preact/signals';

/** Vocabularies that most worlds use. */
const KNOWN: readonly (readonly [string, string])[] = [
  ['rdf', 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'],
  ['rdfs', 'http://www.w3.org/2000/01/rdf-schema#'],
  ['owl', 'http://www.w3.org/2002/07/owl#'],
  ['xsd', 'http://www.w3.org/2001/XMLSchema#'],
  ['skos', 'http://www.w3.org/2004/02/skos/core#'],
  ['dcterms', 'http://purl.org/dc/terms/'],
  ['dc', 'http://purl.org/dc/elements/1.1/'],
  ['foaf', 'http://xmlns.com/foaf/0.1/'],
  ['schema', 'https://schema.org/'],
  ['schema1', 'http://schema.org/'],
  ['prov', 'http://www.w3.org/ns/prov#'],
  ['sh', 'http://www.w3.org/ns/shacl#'],
  ['geo', 'http://www.opengis.net/ont/geosparql#'],
  ['wgs', 'http://www.w3.org/2003/01/geo/wgs84_pos#'],
  ['vcard', 'http://www.w3.org/2006/vcard/ns#'],
  ['org', 'http://www.w3.org/ns/org#'],
  ['dcat', 'http://www.w3.org/ns/dcat#'],
  ['void', 'http://rdfs.org/ns/void#'],
  ['sioc', 'http://rdfs.org/sioc/ns#'],
  ['wd', 'http://www.wikidata.org/entity/'],
  ['wdt', 'http://www.wikidata.org/prop/direct/'],
  ['dbr', 'http://dbpedia.org/resource/'],
  ['dbo', 'http://dbpedia.org/ontology/'],
];

/** Prefix name by namespace IRI: those of everybody, and those learned from data. */
const byNamespace = new Map<string, string>();
const byName = new Map<string, string>();
/** The names that {@link learnFrom} made up. */
const madeUp = new Set<string>();

/** Forgets all prefixes but those of everybody. */
export function forgetPrefixes(): void {
  byNamespace.clear();
  byName.clear();
  madeUp.clear();
  for (const [name, iri] of KNOWN) {
    byNamespace.set(iri, name);
    byName.set(name, iri);
  }
}

forgetPrefixes();

/** Counts changes, so that views show names again once prefixes were learned. */
export const prefixVersion = signal(0);

/** Prefix name and namespace IRI of all known prefixes. */
export function allPrefixes(): ReadonlyMap<string, string> {
  return byName;
}

/** Prefix name and namespace IRI of the known prefixes that abbreviate any of these IRIs. */
export function prefixesFor(iris: Iterable<string>): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const iri of iris) {
    const namespace = namespaceOfIri(iri);
    const name = byNamespace.get(namespace);
    if (name !== undefined) found.set(name, namespace);
  }
  return found;
}

/** What a prefix may abbreviate without escapes (SPARQL 1.1, rule 169, in part). */
const LOCAL = /^[\p{L}\p{N}_](?:[\p{L}\p{N}_.-]*[\p{L}\p{N}_-])?$/u;

/** Returns the namespace of an IRI: all up to the last `#`, `/` or `:` of a URN. */
export function namespaceOfIri(iri: string): string {
  const end = Math.max(iri.lastIndexOf('#'), iri.lastIndexOf('/'));
  return iri.slice(0, (end > 0 ? end : iri.lastIndexOf(':')) + 1);
}

/** Returns an IRI as a prefixed name; undefined if no prefix fits. */
export function prefixedName(iri: string): string | undefined {
  const namespace = namespaceOfIri(iri);
  const name = byNamespace.get(namespace);
  if (name === undefined) return undefined;
  const local = iri.slice(namespace.length);
  return local === '' || LOCAL.test(local) ? `${name}:${local}` : undefined;
}

/** Returns what follows the namespace of an IRI; the whole if nothing does. */
export function localName(iri: string): string {
  const local = iri.slice(namespaceOfIri(iri).length);
  if (local === '') return iri;
  try {
    return decodeURIComponent(local);
  } catch {
    return local;
  }
}

/** Worlds may have any number of namespaces. */
const MAX_LEARNED = 500;

const PREFIX_DECLARATION = /\bPREFIX\s+([\p{L}][\p{L}\p{N}_-]*)?:\s*<([^<>"{}|^`\\\s]*)>/giu;

/** Learns the prefixes that a query declares; they replace those that were made up from data. */
export function learnDeclared(query: string): void {
  for (const [, name = '', iri] of query.matchAll(PREFIX_DECLARATION)) {
    if (name === '' || !iri || byName.has(name)) continue;
    const before = byNamespace.get(iri);
    if (before !== undefined && !madeUp.delete(before)) continue;
    if (before !== undefined) byName.delete(before);
    learn(name, iri);
  }
}

/** Learns prefixes for namespaces that occur at least `least` times among IRIs. */
export function learnFrom(iris: Iterable<string>, least = 2): void {
  const counts = new Map<string, number>();
  for (const iri of iris) {
    const namespace = namespaceOfIri(iri);
    counts.set(namespace, (counts.get(namespace) ?? 0) + 1);
  }
  for (const [namespace, count] of [...counts].sort((a, b) => b[1] - a[1]).slice(0, 40)) {
    // Only of the web: what precedes the name in other IRIs may be anything.
    if (count < least || namespace.length > 200 || !/^(?:https?:\/\/[^/]|urn:)/.test(namespace)) continue;
    if (byNamespace.has(namespace) || byName.size > MAX_LEARNED) continue;
    const base = nameFor(namespace);
    let name = base;
    for (let i = 2; byName.has(name); i++) name = /\d$/.test(base) ? `${base}_${i}` : `${base}${i}`;
    madeUp.add(name);
    learn(name, namespace);
  }
}

function learn(name: string, namespace: string): void {
  byName.set(name, namespace);
  byNamespace.set(namespace, name);
  prefixVersion.value++;
}

/** Segments of addresses that name no vocabulary, and extensions of files. */
const DULL = new Set([
  'http',
  'https',
  'www',
  'org',
  'com',
  'net',
  'ns',
  'vocab',
  'ontology',
  'urn',
  'id',
  'resource',
  'terms',
  'core',
  'v1',
  'html',
  'jsonld',
  'nt',
  'owl',
  'rdf',
  'rdfs',
  'ttl',
  'xml',
]);

function nameFor(namespace: string): string {
  if (/^https?:\/\/(?:www\.)?example\.(?:org|com|net)\/$/.test(namespace)) return 'ex';
  const words = namespace
    .toLowerCase()
    // Neither the top-level domain nor an encoded name says anything.
    .replace(/^(https?:\/\/[^/:]+)\.[a-z]+(?=[:/])/, '$1')
    .replace(/xn--[a-z0-9-]+/g, '')
    .split(/[^a-z0-9]+/)
    .filter((word) => /^[a-z][a-z0-9]{0,11}$/.test(word) && !DULL.has(word));
  return words.at(-1) ?? 'ns';
}
