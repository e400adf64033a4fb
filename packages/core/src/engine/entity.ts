import type * as RDF from '@rdfjs/types';
import { isAbsoluteIri } from '../model/iri.ts';
import { type PlainValue, plainValue, setOwn } from '../model/plain-value.ts';
import { dataFactory } from '../model/term.ts';
import { termKey } from '../model/term-key.ts';
import { WorldsError } from '../model/worlds-error.ts';

/**
 * The properties of an entity: arrays of values by the IRIs or short names of the properties.
 * Values are always arrays, so that a second value does not change the shape.
 */
export type Entity = Record<string, PlainValue[]>;

type EntityTerm = RDF.NamedNode | RDF.BlankNode;

const LABEL = /^_:[^\s]+$/;

/**
 * Returns whether a value names an entity: an absolute IRI, `_:` and a label, or a term of either.
 */
export function isEntityName(value: unknown): value is string | EntityTerm {
  if (typeof value === 'string') return LABEL.test(value) || isAbsoluteIri(value);
  const { termType, value: name } = (value ?? {}) as Partial<EntityTerm>;
  if (typeof name !== 'string') return false;
  return termType === 'BlankNode' || (termType === 'NamedNode' && isAbsoluteIri(name));
}

/** Returns the term of an entity's name. */
export function entityTerm(name: string | EntityTerm): EntityTerm {
  if (typeof name !== 'string') return name;
  return name.startsWith('_:') ? dataFactory.blankNode(name.slice(2)) : dataFactory.namedNode(name);
}

/**
 * Returns the distinct objects of quads, by the short names of their predicates; undefined if there
 * are no quads.
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
    // The same triple may occur in several graphs.
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
 * JSON-LD 1.1 API 4.2.2, 14.2.5: a simple term is a prefix if it ends in one of these characters
 * (gen-delims of RFC 3986).
 */
const PREFIX_END = /[:/?#[\]@]$/;

/**
 * Returns a function from predicates to short names. In order of precedence: a term of the context
 * for the predicate, `@vocab`, the longest prefix. Returns the IRI if none applies, or if the short
 * name already denotes something else in the context. Throws INVALID_ARGUMENT for invalid names or
 * values.
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
        `getEntity: context: ${JSON.stringify(name)} is not the name of a property; the only JSON-LD keyword allowed here is @vocab.`,
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
      // With a colon, the name would be read as an IRI or a prefixed name.
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

/** Returns the IRI of a term of the context. Its value may use a prefix of the same context. */
function expanded(name: string, context: Readonly<Record<string, string>>): string {
  const passed = new Set<string>();
  let value = context[name];
  for (let prefix = prefixOf(value); prefix !== undefined && Object.hasOwn(context, prefix); prefix = prefixOf(value)) {
    if (passed.has(prefix)) {
      throw new WorldsError(
        'INVALID_ARGUMENT',
        `getEntity: context: ${JSON.stringify(name)} is defined in terms of itself.`,
      );
    }
    passed.add(prefix);
    value = context[prefix] + value.slice(prefix.length + 1);
  }
  requireIri(value, `context: ${JSON.stringify(name)}`);
  return value;
}

/** JSON-LD 1.1 API 5.2.2, 6.3: a name followed by `://` is not a prefix. */
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
