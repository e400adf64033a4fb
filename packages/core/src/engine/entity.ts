import type * as RDF from '@rdfjs/types';
import { isAbsoluteIri } from '../model/iri.ts';
import { type PlainValue, plainValue, setOwn } from '../model/plain-value.ts';
import { dataFactory } from '../model/term.ts';
import { termKey } from '../model/term-key.ts';
import { WorldsError } from '../model/worlds-error.ts';

/**
 * What a world says of an entity: the values of each property, by its IRI or its short name. A
 * property has an array always, so that a second value changes no shape.
 */
export type Entity = Record<string, PlainValue[]>;

type EntityTerm = RDF.NamedNode | RDF.BlankNode;

const LABEL = /^_:[^\s]+$/;

export function isEntityName(value: unknown): value is string | EntityTerm {
  if (typeof value === 'string') return LABEL.test(value) || isAbsoluteIri(value);
  const { termType, value: name } = (value ?? {}) as Partial<EntityTerm>;
  if (typeof name !== 'string') return false;
  return termType === 'BlankNode' || (termType === 'NamedNode' && isAbsoluteIri(name));
}

export function entityTerm(name: string | EntityTerm): EntityTerm {
  if (typeof name !== 'string') return name;
  return name.startsWith('_:') ? dataFactory.blankNode(name.slice(2)) : dataFactory.namedNode(name);
}

/**
 * The objects of quads by the short names of their predicates, each once; undefined when there are
 * no quads.
 */
export async function entityOf(
  quads: Iterable<RDF.Quad> | AsyncIterable<RDF.Quad>,
  nameOf: (predicate: string) => string,
): Promise<Entity | undefined> {
  const properties = new Map<string, { readonly values: PlainValue[]; readonly seen: Set<string> }>();
  for await (const { predicate, object } of quads) {
    let property = properties.get(predicate.value);
    if (!property) {
      property = { values: [], seen: new Set() };
      properties.set(predicate.value, property);
    }
    const { values, seen } = property;
    // The same triple may be in several graphs.
    const key = termKey(object);
    if (seen.has(key)) continue;
    seen.add(key);
    values.push(plainValue(object));
  }
  if (properties.size === 0) return undefined;
  const entity: Entity = {};
  for (const [predicate, { values }] of properties) setOwn(entity, nameOf(predicate), values);
  return entity;
}

/**
 * JSON-LD 1.1 API 4.2.2, 14.2.5: what a simple term must end in to be a prefix (gen-delims of RFC
 * 3986).
 */
const PREFIX_END = /[:/?#[\]@]$/;

/**
 * Gives predicates their short names. A term of the context that means the predicate comes first,
 * then `@vocab`, then the longest prefix; the IRI itself where there is none, and where the short
 * name would be that of something else. Throws INVALID_ARGUMENT for a name or value that cannot be.
 */
export function shortNames(
  prefixes: Readonly<Record<string, string>> = {},
  context: Readonly<Record<string, string>> = {},
): (predicate: string) => string {
  const terms = new Map<string, string>();
  const spaces = new Map<string, string>(Object.entries(prefixes));
  for (const [prefix, iri] of spaces) requireIri(iri, `prefixes: ${JSON.stringify(prefix)}`);
  let vocabulary: string | undefined;
  for (const name of Object.keys(context)) {
    const iri = expanded(name, context);
    if (name === '@vocab') {
      vocabulary = iri;
      continue;
    }
    if (name === '' || name.startsWith('@')) {
      throw new WorldsError(
        'INVALID_ARGUMENT',
        `getEntity: context: ${JSON.stringify(name)} is no name of a property; of the keywords of JSON-LD @vocab alone may stand here.`,
      );
    }
    if (!terms.has(iri)) terms.set(iri, name);
    if (PREFIX_END.test(iri)) spaces.set(name, iri);
  }
  const longest = [...spaces].sort(([, a], [, b]) => b.length - a.length);
  const isTaken = (name: string) => Object.hasOwn(context, name);
  return (predicate) => {
    const term = terms.get(predicate);
    if (term !== undefined) return term;
    if (vocabulary !== undefined && predicate.startsWith(vocabulary)) {
      const name = predicate.slice(vocabulary.length);
      // With a colon it would read as an IRI or a prefixed name.
      if (name !== '' && !name.includes(':') && !isTaken(name)) return name;
    }
    for (const [prefix, iri] of longest) {
      if (!predicate.startsWith(iri)) continue;
      const name = `${prefix}:${predicate.slice(iri.length)}`;
      if (!isTaken(name)) return name;
    }
    return predicate;
  };
}

/** The IRI of a term of the context, whose value may use a prefix of the same context. */
function expanded(name: string, context: Readonly<Record<string, string>>): string {
  const passed = new Set<string>();
  let value = context[name];
  for (let prefix = prefixOf(value); prefix !== undefined && Object.hasOwn(context, prefix); prefix = prefixOf(value)) {
    if (passed.has(prefix)) {
      throw new WorldsError('INVALID_ARGUMENT', `getEntity: context: ${JSON.stringify(name)} is defined by itself.`);
    }
    passed.add(prefix);
    value = context[prefix] + value.slice(prefix.length + 1);
  }
  requireIri(value, `context: ${JSON.stringify(name)}`);
  return value;
}

/** JSON-LD 1.1 API 5.2.2, 6.3: what is followed by `//` is no prefix. */
function prefixOf(value: string): string | undefined {
  const colon = value.indexOf(':');
  return colon <= 0 || value.startsWith('//', colon + 1) ? undefined : value.slice(0, colon);
}

function requireIri(value: string, field: string): void {
  if (isAbsoluteIri(value)) return;
  throw new WorldsError(
    'INVALID_ARGUMENT',
    `getEntity: ${field}: expected an absolute IRI, not ${JSON.stringify(value)}.`,
  );
}
