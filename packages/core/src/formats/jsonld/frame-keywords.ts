import { nearestName } from '../../model/known-fields.ts';
import type { Context } from './context.ts';
import { AS_REFERENCE, AS_TYPE, AS_VOCAB } from './expand-iri.ts';
import type { ValueExpander } from './expand-map.ts';
import type { Expanded, ExpandedObject } from './expanded-objects.ts';
import { FRAMING_KEYWORDS, isFramingKeyword, isKeyword, looksLikeKeyword } from './keywords.ts';
import { invalidJsonLd, type Kernel, shown } from './work.ts';

const DOCUMENT_KEYWORDS = ['@context', '@graph', '@id', '@included', '@reverse', '@type', '@value'];

/** An empty object: it matches any value that is present. */
const WILDCARD: ExpandedObject = {};

/** The parts of the expansion of a node that the keywords of frames need. */
export interface FrameExpander extends ValueExpander {
  /** Expands the value of `@default`, which is data and not a pattern. */
  data(active: Context, property: string, value: unknown): Kernel<Expanded>;
}

/** A frame under expansion. */
export interface FrameNode {
  readonly active: Context;
  readonly property: string | null;
  readonly typeContext: Context;
}

/**
 * Returns the framing keyword that a key is or is an alias of; undefined for any other key. Throws
 * INVALID_RDF for an unknown key in the form of a keyword: documents ignore such keys, but in a
 * frame they are mistakes.
 */
export function framingKeyword(active: Context, key: string): string | undefined {
  if (isFramingKeyword(key)) return key;
  // JSON-LD 1.1 section 4.1.5: "Each of the JSON-LD keywords, except for @context, may be aliased".
  const aliased = active.term(key)?.iri;
  if (aliased && isFramingKeyword(aliased)) return aliased;
  if (!looksLikeKeyword(key) || isKeyword(key)) return undefined;
  const near = nearestName(key, [...FRAMING_KEYWORDS, ...DOCUMENT_KEYWORDS], 1 / 2);
  return invalidJsonLd(`invalid frame: ${key} is not a keyword of frames${near ? `; did you mean ${near}?` : ''}`);
}

/**
 * Returns whether an object is the empty object or has only framing keywords. A term with a map
 * container then has a wildcard rather than a map without entries, which would match nothing.
 */
export function isWildcard(active: Context, value: ReadonlyMap<string, unknown>): boolean {
  for (const key of value.keys()) if (framingKeyword(active, key) === undefined) return false;
  return true;
}

/**
 * Expands a keyword whose values have other forms in frames (JSON-LD 1.1 API section 5.1.2, step
 * 13.4, "when the frameExpansion flag is set"). Returns undefined for the other keywords.
 */
export function* expandFrameKeyword(
  expander: FrameExpander,
  { active, property, typeContext }: FrameNode,
  keyword: string,
  value: unknown,
): Kernel<unknown> {
  const { work } = expander;
  switch (keyword) {
    case '@id':
      return yield* patterns(expander, keyword, value, (id) => expander.iri(active, id, AS_REFERENCE));
    case '@type': {
      if (!isDefaultType(expander, active, value))
        return yield* patterns(expander, keyword, value, (type) => expander.iri(typeContext, type, AS_TYPE));
      const [given] = value.values();
      const types = yield* patterns(expander, '@default', given, (type) => expander.iri(typeContext, type, AS_TYPE));
      if (types.length === 0 || types[0] === WILDCARD) invalidJsonLd('invalid frame: the @default of @type is no IRI');
      return [{ '@default': types }];
    }
    case '@value': {
      if (value instanceof Map && value.size === 0) return [WILDCARD];
      const values = asArray(value);
      for (const item of values) {
        if (work.step()) yield;
        if (typeof item === 'object')
          invalidJsonLd(`invalid frame: ${shown(item)} in @value; it must be {}, a scalar or an array of scalars`);
      }
      return values;
    }
    case '@language':
    case '@direction':
      return yield* patterns(expander, keyword, value, (text) => (keyword === '@language' ? text.toLowerCase() : text));
    case '@default': {
      if (property === null || property === '@graph') invalidJsonLd('invalid frame: @default belongs to a property');
      // Framing section 2.1: "Values of @default MAY include the value @null, or an array
      // containing only @null".
      if (asArray(value)[0] === '@null' || value === null) return [null];
      return asArray(yield* expander.data(active, property as string, value));
    }
    case '@embed':
    case '@explicit':
    case '@omitDefault':
    case '@requireAll':
      if (Array.isArray(value) && value.length === 1) return value[0] as unknown;
      return value;
    default:
      return undefined;
  }
}

/** Returns whether the value of `@type` is an object with `@default`. */
function isDefaultType(
  expander: ValueExpander,
  active: Context,
  value: unknown,
): value is ReadonlyMap<string, unknown> {
  if (!(value instanceof Map) || value.size !== 1) return false;
  const [key] = value.keys();
  return key === '@default' || expander.iri(active, key, AS_VOCAB) === '@default';
}

/**
 * Returns the strings that a keyword matches, or the wildcard. An empty array matches the absence
 * of values.
 */
function* patterns(
  { work }: ValueExpander,
  keyword: string,
  value: unknown,
  expand: (text: string) => string | null,
): Kernel<unknown[]> {
  const given = asArray(value);
  if (given.length === 1 && given[0] instanceof Map && given[0].size === 0) return [WILDCARD];
  const expanded: unknown[] = [];
  for (const item of given) {
    if (work.step()) yield;
    if (typeof item !== 'string')
      invalidJsonLd(`invalid frame: ${shown(item)} in ${keyword}; it must be {}, a string or an array of strings`);
    expanded.push(expand(item as string));
  }
  return expanded;
}

const VALUE_MEMBERS = new Set(['@direction', '@index', '@language', '@type', '@value', ...FRAMING_KEYWORDS]);

/** Validates an expanded object of a frame. Throws INVALID_RDF. */
export function finishFrame(result: ExpandedObject): Expanded {
  if ('@value' in result) {
    for (const name in result)
      if (!VALUE_MEMBERS.has(name))
        invalidJsonLd(`invalid frame: a value pattern has ${shown(name)} beside its @value`);
    return result;
  }
  if ('@set' in result) return result['@set'] as Expanded;
  if ('@language' in result || '@direction' in result)
    invalidJsonLd('invalid frame: @language and @direction need a @value; "@value": {} matches any text');
  return result;
}

function asArray(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return value === null || value === undefined ? [] : [value];
}
