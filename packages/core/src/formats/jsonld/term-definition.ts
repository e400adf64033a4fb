import { type Context, isObject, type JsonObject, type TermDefinition } from './context.ts';
import type { ContextScope } from './context-scope.ts';
import { AS_VOCAB, expandIri } from './expand-iri.ts';
import { hasScheme, isFramingKeyword, isKeyword, looksLikeIri, looksLikeKeyword } from './keywords.ts';
import { sameJson } from './same-json.ts';
import { invalidJsonLd, type JsonLdWork, type Kernel, shown } from './work.ts';

/** The context processor as term definitions use it. */
export interface ContextValidator {
  readonly work: JsonLdWork;
  /** Whether the framing keywords are keywords. */
  readonly isFrame: boolean;
  /**
   * Validates a scoped context where it is defined, so that errors are reported even if it is never
   * used.
   */
  validate(active: Context, context: unknown, scope: ContextScope): Kernel<void>;
}

/** The state of a context's terms: true if defined, false while being defined. */
export type Defined = Map<string, boolean>;

/** A context being processed. */
export interface ContextDraft {
  readonly processor: ContextValidator;
  readonly active: Context;
  readonly local: JsonObject;
  readonly defined: Defined;
  readonly scope: ContextScope;
  /** The value of `@protected` for the context as a whole. */
  readonly isProtected: boolean;
}

const MEMBERS = new Set([
  '@container',
  '@context',
  '@direction',
  '@id',
  '@index',
  '@language',
  '@nest',
  '@prefix',
  '@protected',
  '@reverse',
  '@type',
]);
const CONTAINERS = new Set(['@graph', '@id', '@index', '@language', '@list', '@set', '@type']);
const NONE: ReadonlySet<string> = new Set();
const TYPE_KEYWORDS = new Set(['@id', '@json', '@none', '@vocab']);

/** RFC 3986 section 2.2, gen-delims: an IRI that ends with one of them can be a prefix. */
const ENDS_LIKE_PREFIX = /[:/?#[\]@]$/;

/**
 * Fast path of {@link defineTerm}: defines, in one step, a term that is a plain name for an IRI, as
 * most are, provided that everything the IRI depends on is defined. Returns false and changes
 * nothing for any other term.
 */
export function defineSimpleTerm(draft: ContextDraft, term: string): boolean {
  const { processor, active, local, defined } = draft;
  const given = local.get(term);
  if (typeof given !== 'string' || given === term || defined.has(term)) return false;
  if (term === '' || /^@|[:/]/.test(term) || given.startsWith('@')) return false;
  const colon = given.indexOf(':', 1);
  const prefix = colon > 0 ? given.slice(0, colon) : given;
  if (isPending(draft, given) || isPending(draft, prefix) || active.term(term)?.protected) return false;
  const iri = expandIri(active, given, AS_VOCAB, processor.work.meter);
  if (iri === null || !hasScheme(iri)) return false;
  processor.work.claimTerms(1);
  active.setTerm(term, {
    iri,
    reverse: false,
    prefix: ENDS_LIKE_PREFIX.test(iri) || iri.startsWith('_:'),
    protected: draft.isProtected,
    container: NONE,
    baseUrl: draft.scope.baseUrl,
  });
  defined.set(term, true);
  return true;
}

/** Returns whether a term of the context being processed is not fully defined yet. */
function isPending({ local, defined }: ContextDraft, term: string): boolean {
  return local.has(term) && !defined.get(term);
}

/** Create Term Definition (JSON-LD 1.1 API section 4.2.2). */
export function* defineTerm(draft: ContextDraft, term: string): Kernel<void> {
  const { processor, active, local, defined, scope } = draft;
  const { work } = processor;
  const known = defined.get(term);
  if (known) return;
  if (known === false) invalidJsonLd(`cyclic IRI mapping: the term ${shown(term)} is defined in terms of itself`);
  if (term === '') invalidJsonLd('invalid term definition: a term cannot be the empty string');
  work.enter();
  work.claimTerms(1);
  if (work.step()) yield;
  defined.set(term, false);
  const given = local.get(term);
  if (term === '@type') checkTypeDefinition(given);
  else if (isKeyword(term)) invalidJsonLd(`keyword redefinition: ${term} cannot be a term`);
  else if (looksLikeKeyword(term)) {
    work.leave();
    return;
  }
  const previous = active.term(term);
  if (previous) active.setTerm(term, null);

  // Steps 7 to 9
  let value: JsonObject;
  if (isObject(given)) value = given;
  else if (given === null || typeof given === 'string') value = new Map([['@id', given]]);
  else
    return invalidJsonLd(
      `invalid term definition: the term ${shown(term)} must be an object, a string or null, not ${shown(given)}`,
    );
  for (const member of value.keys())
    if (!MEMBERS.has(member))
      invalidJsonLd(`invalid term definition: the term ${shown(term)} has the unknown member ${shown(member)}`);

  const isProtected = value.get('@protected') ?? draft.isProtected;
  if (typeof isProtected !== 'boolean')
    invalidJsonLd(`invalid @protected value: that of the term ${shown(term)} is not a boolean`);
  const type = value.has('@type') ? yield* typeMapping(draft, term, value.get('@type')) : undefined;
  const mapping = value.has('@reverse')
    ? yield* reverseMapping(draft, term, value)
    : yield* iriMapping(draft, term, value, !isObject(given));
  if (!mapping) {
    // Steps 13.3 and 14.2.2: values with the form of a keyword are ignored.
    defined.set(term, true);
    work.leave();
    return;
  }
  const container = containerMapping(term, value.get('@container'));
  const context = value.get('@context');
  const definition: TermDefinition = {
    ...mapping,
    protected: isProtected as boolean,
    container,
    type: containerType(term, type, container),
    index: value.has('@index') ? yield* indexMapping(draft, term, value.get('@index'), container) : undefined,
    context,
    baseUrl: scope.baseUrl,
    ...languageMapping(term, value),
    nest: nestMapping(term, value),
    prefix: prefixFlag(term, value, mapping),
  };
  if (value.has('@context')) yield* processor.validate(active, context, scope);

  // Step 27
  if (previous?.protected && !scope.overrideProtected) {
    if (!(yield* sameDefinition(previous, definition, work)))
      invalidJsonLd(`protected term redefinition: the term ${shown(term)} is protected`);
    active.setTerm(term, previous);
  } else active.setTerm(term, definition);
  defined.set(term, true);
  work.leave();
}

/** Step 4: `@type` may have only a container and protection. */
function checkTypeDefinition(value: unknown): void {
  const valid =
    isObject(value) &&
    value.size > 0 &&
    [...value.keys()].every((member) => member === '@container' || member === '@protected') &&
    (!value.has('@container') || value.get('@container') === '@set');
  if (!valid) invalidJsonLd('keyword redefinition: @type can have only "@container": "@set" and @protected');
}

/** Expands an IRI with the context being processed (section 5.2.2 with steps 3 and 6.3). */
function* expandInDraft(draft: ContextDraft, value: string): Kernel<string | null> {
  const { active, processor } = draft;
  if (!isKeyword(value) && !looksLikeKeyword(value)) {
    if (isPending(draft, value)) yield* defineTerm(draft, value);
    const colon = value.indexOf(':', 1);
    if (colon > 0 && !value.startsWith('_:') && !value.startsWith('//', colon + 1)) {
      const prefix = value.slice(0, colon);
      if (isPending(draft, prefix)) yield* defineTerm(draft, prefix);
    }
  }
  return expandIri(active, value, AS_VOCAB, processor.work.meter);
}

/** Step 12. */
function* typeMapping(draft: ContextDraft, term: string, value: unknown): Kernel<string> {
  if (typeof value !== 'string') return invalidJsonLd(`invalid type mapping: that of ${shown(term)} is not a string`);
  const type = yield* expandInDraft(draft, value);
  if (type === null || !(TYPE_KEYWORDS.has(type) || (looksLikeIri(type) && !type.startsWith('_:'))))
    return invalidJsonLd(`invalid type mapping: ${shown(value)} of the term ${shown(term)} is not an IRI`);
  return type;
}

interface IriMapping {
  readonly iri: string | null;
  readonly reverse: boolean;
  readonly prefix: boolean;
}

/** Step 13. */
function* reverseMapping(draft: ContextDraft, term: string, value: JsonObject): Kernel<IriMapping | undefined> {
  const reverse = value.get('@reverse');
  if (value.has('@id') || value.has('@nest'))
    invalidJsonLd(`invalid reverse property: the term ${shown(term)} has @reverse with @id or @nest`);
  if (typeof reverse !== 'string') return invalidJsonLd(`invalid IRI mapping: ${shown(reverse)} is not an IRI`);
  if (looksLikeKeyword(reverse)) return undefined;
  const iri = yield* expandInDraft(draft, reverse);
  if (iri === null || !hasScheme(iri))
    invalidJsonLd(`invalid IRI mapping: ${shown(reverse)} of the term ${shown(term)} is not an IRI`);
  const container = value.get('@container') ?? null;
  if (container !== null && container !== '@set' && container !== '@index')
    invalidJsonLd(`invalid reverse property: the container of ${shown(term)} can be only @set or @index`);
  return { iri, reverse: true, prefix: false };
}

/** Steps 14 to 18; returns undefined if the term must be ignored. */
function* iriMapping(
  draft: ContextDraft,
  term: string,
  value: JsonObject,
  simple: boolean,
): Kernel<IriMapping | undefined> {
  const { active, defined, processor } = draft;
  const id = value.get('@id');
  if (value.has('@id') && id !== term) {
    if (id === null) return { iri: null, reverse: false, prefix: false };
    if (typeof id !== 'string') return invalidJsonLd(`invalid IRI mapping: the @id of ${shown(term)} is not a string`);
    const isAlias = processor.isFrame && isFramingKeyword(id);
    if (!isAlias && !isKeyword(id) && looksLikeKeyword(id)) return undefined;
    const iri = isAlias ? id : yield* expandInDraft(draft, id);
    if (iri === null || !(isKeyword(iri) || isFramingKeyword(iri) || hasScheme(iri)))
      return invalidJsonLd(
        `invalid IRI mapping: the @id ${shown(id)} of the term ${shown(term)} is relative or not an IRI: define @vocab, or write the IRI in full`,
      );
    if (iri === '@context')
      invalidJsonLd(`invalid keyword alias: the term ${shown(term)} cannot be an alias of @context`);
    const looksCompact = term.slice(1, -1).includes(':') || term.includes('/');
    if (looksCompact) {
      defined.set(term, true);
      // Step 14.2.4: a term with the form of an IRI must map to that IRI.
      if ((yield* expandInDraft(draft, term)) !== iri)
        invalidJsonLd(`invalid IRI mapping: the term ${shown(term)} expands to a different IRI than ${shown(iri)}`);
    }
    const prefix = !term.includes(':') && !term.includes('/') && simple;
    return { iri, reverse: false, prefix: prefix && (ENDS_LIKE_PREFIX.test(iri) || iri.startsWith('_:')) };
  }
  const colon = term.indexOf(':', 1);
  if (colon > 0) {
    const name = term.slice(0, colon);
    if (isPending(draft, name)) yield* defineTerm(draft, name);
    const prefix = active.term(name);
    const iri = typeof prefix?.iri === 'string' ? prefix.iri + term.slice(colon + 1) : term;
    processor.work.meter.claim(iri);
    return { iri, reverse: false, prefix: false };
  }
  if (term.includes('/')) {
    const iri = expandIri(active, term, AS_VOCAB, processor.work.meter);
    if (iri === null || !hasScheme(iri)) invalidJsonLd(`invalid IRI mapping: the term ${shown(term)} is not an IRI`);
    return { iri, reverse: false, prefix: false };
  }
  if (term === '@type') return { iri: '@type', reverse: false, prefix: false };
  if (active.vocab === null)
    return invalidJsonLd(`invalid IRI mapping: the term ${shown(term)} has no @id, and there is no @vocab`);
  const iri = active.vocab + term;
  processor.work.meter.claim(iri);
  return { iri, reverse: false, prefix: false };
}

/** Step 19.1. */
function containerMapping(term: string, value: unknown): ReadonlySet<string> {
  if (value === undefined || value === null) return NONE;
  const given = Array.isArray(value) ? value : [value];
  const names = new Set<string>(given);
  const has = (name: string) => names.has(name);
  const others = [...names].filter((name) => name !== '@set' && name !== '@graph');
  const valid =
    names.size === given.length &&
    given.length > 0 &&
    given.every((name) => CONTAINERS.has(name)) &&
    (given.length === 1 ||
      (!has('@list') && others.length <= 1 && (!has('@graph') || !(has('@language') || has('@type')))));
  if (!valid)
    invalidJsonLd(`invalid container mapping: the @container of the term ${shown(term)} is not a valid container`);
  return names;
}

/** Step 19.4. */
function containerType(term: string, type: string | undefined, container: ReadonlySet<string>): string | undefined {
  if (!container.has('@type')) return type;
  if (type !== undefined && type !== '@id' && type !== '@vocab')
    invalidJsonLd(`invalid type mapping: the term ${shown(term)} with the container @type needs @id or @vocab`);
  return type ?? '@id';
}

/** Step 20. */
function* indexMapping(
  draft: ContextDraft,
  term: string,
  value: unknown,
  container: ReadonlySet<string>,
): Kernel<string> {
  const iri = typeof value === 'string' ? yield* expandInDraft(draft, value) : null;
  if (!container.has('@index') || iri === null || !hasScheme(iri))
    invalidJsonLd(
      `invalid term definition: the @index of the term ${shown(term)} needs the container @index and an IRI`,
    );
  return value as string;
}

/** Steps 22 and 23. */
function languageMapping(term: string, value: JsonObject): Pick<TermDefinition, 'language' | 'direction'> {
  if (value.has('@type')) return {};
  const language = value.get('@language');
  const direction = value.get('@direction');
  if (language !== undefined && language !== null && typeof language !== 'string')
    invalidJsonLd(`invalid language mapping: the @language of the term ${shown(term)} is not a string`);
  if (direction !== undefined && direction !== null && direction !== 'ltr' && direction !== 'rtl')
    invalidJsonLd(`invalid base direction: the @direction of the term ${shown(term)} must be "ltr" or "rtl"`);
  return { language: language as string, direction: direction as 'ltr' };
}

/** Step 24. */
function nestMapping(term: string, value: JsonObject): string | undefined {
  const nest = value.get('@nest');
  if (nest === undefined) return undefined;
  if (typeof nest !== 'string' || (isKeyword(nest) && nest !== '@nest'))
    invalidJsonLd(`invalid @nest value: that of the term ${shown(term)} is neither @nest nor a term`);
  return nest as string;
}

/** Step 25. */
function prefixFlag(term: string, value: JsonObject, { iri, prefix }: IriMapping): boolean {
  const given = value.get('@prefix');
  if (given === undefined) return prefix;
  if (term.includes(':') || term.includes('/'))
    invalidJsonLd(`invalid term definition: the term ${shown(term)} cannot be a prefix`);
  if (typeof given !== 'boolean')
    invalidJsonLd(`invalid @prefix value: that of the term ${shown(term)} is not a boolean`);
  if (given && iri !== null && (isKeyword(iri) || isFramingKeyword(iri)))
    invalidJsonLd(`invalid term definition: the term ${shown(term)} denotes ${iri}, so it cannot be a prefix`);
  return given as boolean;
}

/** Returns whether two definitions are equal except for their protection. */
function* sameDefinition(
  one: TermDefinition,
  other: TermDefinition,
  work: { step(): boolean; claimTerms(count: number): void },
): Kernel<boolean> {
  const same =
    one.iri === other.iri &&
    one.reverse === other.reverse &&
    one.prefix === other.prefix &&
    one.type === other.type &&
    one.language === other.language &&
    one.direction === other.direction &&
    one.index === other.index &&
    one.nest === other.nest &&
    one.container.size === other.container.size &&
    [...one.container].every((name) => other.container.has(name));
  return same && (yield* sameJson(one.context, other.context, work));
}
