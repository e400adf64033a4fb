import type * as RDFJS from '@rdfjs/types';
import { Mismatch } from './mismatch.ts';
import { RDF } from './vocabulary.ts';

const SD = 'http://www.w3.org/ns/sparql-service-description#';

/**
 * SPARQL 1.1 Service Description section 3.2: the classes, with the instances that the vocabulary
 * itself defines.
 */
const CLASSES: ReadonlyMap<string, readonly string[]> = new Map([
  ['Service', []],
  ['Feature', ['DereferencesURIs', 'UnionDefaultGraph', 'RequiresDataset', 'EmptyGraphs', 'BasicFederatedQuery']],
  ['Language', ['SPARQL10Query', 'SPARQL11Query', 'SPARQL11Update']],
  ['Function', []],
  ['Aggregate', []],
  ['EntailmentRegime', []],
  ['EntailmentProfile', []],
  ['GraphCollection', []],
  ['Dataset', []],
  ['Graph', []],
  ['NamedGraph', []],
]);

/** A dataset is a collection of graphs with a default graph (section 3.2.10). */
const SUPERCLASS: ReadonlyMap<string, string> = new Map([['Dataset', 'GraphCollection']]);

/**
 * Section 3.4: property to domain and range, as local names of classes; no range is any IRI or
 * blank node.
 */
const PROPERTIES: ReadonlyMap<string, readonly [domain: string, range?: string]> = new Map([
  ['endpoint', ['Service']],
  ['feature', ['Service', 'Feature']],
  ['defaultEntailmentRegime', ['Service', 'EntailmentRegime']],
  ['entailmentRegime', ['NamedGraph', 'EntailmentRegime']],
  ['defaultSupportedEntailmentProfile', ['Service', 'EntailmentProfile']],
  ['supportedEntailmentProfile', ['NamedGraph', 'EntailmentProfile']],
  ['extensionFunction', ['Service', 'Function']],
  ['extensionAggregate', ['Service', 'Aggregate']],
  ['languageExtension', ['Service', 'Feature']],
  ['supportedLanguage', ['Service', 'Language']],
  ['propertyFeature', ['Service', 'Feature']],
  ['defaultDataset', ['Service', 'Dataset']],
  ['availableGraphs', ['Service', 'GraphCollection']],
  ['resultFormat', ['Service']],
  ['inputFormat', ['Service']],
  ['defaultGraph', ['Dataset', 'Graph']],
  ['namedGraph', ['GraphCollection', 'NamedGraph']],
  ['name', ['NamedGraph']],
  ['graph', ['NamedGraph', 'Graph']],
]);

/**
 * Throws a {@link Mismatch} for a description that uses the vocabulary in another way than it is
 * defined: an unknown property or class, a literal in place of a resource, a resource that is of
 * another class than the property is for, or not one service with one endpoint.
 */
export function expectServiceSchema(quads: readonly RDFJS.Quad[]): void {
  const types = new Map<string, Set<string>>();
  for (const { subject, predicate, object } of quads) {
    if (predicate.value !== `${RDF}type` || !object.value.startsWith(SD)) continue;
    const name = object.value.slice(SD.length);
    if (!CLASSES.has(name)) throw new Mismatch(`sd:${name} is no class of the vocabulary`);
    const known = types.get(subject.value) ?? new Set();
    types.set(subject.value, known.add(name));
  }
  for (const { subject, predicate, object } of quads) {
    if (!predicate.value.startsWith(SD)) continue;
    const name = predicate.value.slice(SD.length);
    const property = PROPERTIES.get(name);
    if (!property) throw new Mismatch(`sd:${name} is no property of the vocabulary`);
    const [domain, range] = property;
    if (object.termType === 'Literal') throw new Mismatch(`sd:${name} has the literal ${JSON.stringify(object.value)}`);
    expectClass(subject, domain, types, name);
    if (range) expectClass(object, range, types, name);
  }
  const services = [...types].filter(([, classes]) => classes.has('Service')).map(([service]) => service);
  const endpoints = quads.filter(({ predicate }) => predicate.value === `${SD}endpoint`);
  if (services.length !== 1 || endpoints.length !== 1)
    throw new Mismatch(`expected one sd:Service with one sd:endpoint, got ${services.length} and ${endpoints.length}`);
}

/**
 * What a resource of the vocabulary is, the vocabulary says; another one must not be said to be
 * something else alone.
 */
function expectClass(
  { value }: RDFJS.Term,
  wanted: string,
  types: ReadonlyMap<string, ReadonlySet<string>>,
  property: string,
): void {
  const defined = [...CLASSES].find(
    ([, instances]) => value.startsWith(SD) && instances.includes(value.slice(SD.length)),
  );
  const classes = new Set(types.get(value) ?? []);
  if (defined) classes.add(defined[0]);
  else if (value.startsWith(SD)) throw new Mismatch(`<${value}> is no term of the vocabulary`);
  const isA = [...classes].some((name) => name === wanted || SUPERCLASS.get(name) === wanted);
  if (classes.size > 0 && !isA)
    throw new Mismatch(`sd:${property} is for sd:${wanted}, and <${value}> is sd:${[...classes].join(', sd:')}`);
}
