import { WorldsError } from '../model/worlds-error.ts';
import { NEST } from './jsonld-disguise.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** One entry of a context: the term, what it stands for as written, and what its definition has besides. */
interface TermDefinition {
  readonly term: string;
  readonly target: unknown;
  readonly scoped: boolean;
  readonly containers: readonly unknown[];
}

const NEST_DEFINITION = new Set(['@id', '@context', '@protected']);

/**
 * The contexts that one read scopes to terms, and what `jsonld` does wrongly about them.
 *
 * - It ignores a context that is scoped to an alias of `@nest`, as the Recommendation does; the editor's draft and the test suite apply it
 *   (section 5.1.2, step 14.2.2 repeats step 8 too). So such an alias becomes the property {@link NEST} before expansion, whose scoped context is
 *   applied, and `mergeNests` puts what is nested back after it. That comes to the same unless a context is in force that does not
 *   propagate, or what is nested has entries that make a node what it is. Where the names in a document let that happen, {@link check} refuses.
 * - It applies a context that is scoped to a property twice. What the second time would change is refused.
 * - It takes the `@context` in a context for that context; section 4.2.2 step 5 has it an error, keyword redefinition.
 *
 * Takes disguised values. The last is INVALID_RDF; what else is refused is UNSUPPORTED, for those documents are valid.
 */
export class ScopedContexts {
  private readonly values: unknown[] = [];
  /** The properties whose context would not be the same when it is applied to its own result, and what there is about it. */
  private readonly reapplied = new Map<string, string>();
  /** Whether a name may stand for `@nest` with a scoped context. */
  private mayNest = false;

  /** Takes in a document or context before its expansion; rewrites it in place. */
  add(value: unknown): void {
    this.values.push(value);
    for (const context of contextsIn(value)) {
      if (Object.hasOwn(context, '@context'))
        throw new WorldsError(
          'INVALID_RDF',
          'Invalid JSON-LD: keyword redefinition: a context may not define @context.',
        );
      for (const [term, definition] of Object.entries(context)) {
        if (!isObject(definition) || !Object.hasOwn(definition, '@context')) continue;
        const change = changeByReapplication(term, asArray(definition['@context']));
        if (change) this.reapplied.set(term, change);
        if (definition['@id'] === '@nest') {
          const unexpected = Object.keys(definition).find((key) => !NEST_DEFINITION.has(key));
          if (unexpected) unsupported(`an alias of @nest that has a context and ${unexpected}`);
          (definition as Record<string, unknown>)['@id'] = NEST;
          this.mayNest = true;
        } else if (typeof definition['@id'] === 'string' && !definition['@id'].includes(':')) this.mayNest = true;
      }
    }
  }

  /** To be called after expansion, when every context that it needed was added. */
  check(): void {
    if (this.reapplied.size > 0) this.checkProperties();
    if (this.mayNest) this.checkNests();
  }

  private checkProperties(): void {
    for (const node of this.dataObjects())
      for (const [key, value] of Object.entries(node)) {
        const change = this.reapplied.get(key);
        if (change && typeof value === 'object' && value !== null)
          unsupported(`${change} in the context that is scoped to "${key}"`);
      }
  }

  private checkNests(): void {
    const definitions = this.values.flatMap((value) => [...contextsIn(value)].flatMap(termDefinitions));
    const namesOf = aliases(definitions);
    const nests = namesOf(NEST);
    const allNests = namesOf('@nest', NEST);
    const types = namesOf('@type');
    const sets = namesOf('@set');

    const scoped = new Set<unknown>();
    let hazard: string | undefined;
    for (const definition of definitions) {
      if (!definition.scoped) continue;
      scoped.add(definition.term);
      if (definition.target !== NEST && allNests.has(definition.target))
        unsupported('a context that is scoped to another name of an alias of @nest');
    }
    if (nests.size === 1) return;
    if (definitions.some(({ term, target }) => term === '@propagate' && target === false)) hazard = '@propagate: false';
    // A type map may apply the contexts of types; a graph container drops what is empty before the nests are merged.
    for (const container of ['@type', '@graph'])
      if (definitions.some(({ containers }) => containers.includes(container))) hazard ??= `a ${container} container`;

    let used = false;
    for (const node of this.dataObjects()) {
      for (const [key, value] of Object.entries(node)) {
        if (nests.has(key)) {
          used = true;
          for (const nested of asArray(value)) {
            if (nested === null || Array.isArray(nested)) unsupported(`null, or an array in an array, in "${key}"`);
            const unfit = isObject(nested) && Object.keys(nested).find((name) => name === '@context' || sets.has(name));
            if (unfit) unsupported(`"${unfit}" in "${key}"`);
          }
        } else if (types.has(key) && asArray(value).some((type) => scoped.has(type)))
          hazard ??= 'a type that has a context';
      }
    }
    if (used && hazard) unsupported(`a context that is scoped to an alias of @nest, together with ${hazard}`);
  }

  /** Every object that is no part of a context. */
  private *dataObjects(): Generator<JsonObject> {
    const pending = [...this.values];
    while (pending.length > 0) {
      const next = pending.pop();
      if (typeof next !== 'object' || next === null) continue;
      if (isObject(next)) yield next;
      for (const [key, inner] of Object.entries(next)) if (key !== '@context') pending.push(inner);
    }
  }
}

/** Every context object in a JSON value: those of nodes, and those scoped to terms. */
function* contextsIn(value: unknown): Generator<JsonObject> {
  const pending = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next !== 'object' || next === null) continue;
    if (isObject(next) && Object.hasOwn(next, '@context')) yield* asArray(next['@context']).filter(isObject);
    for (const inner of Object.values(next)) if (typeof inner === 'object' && inner !== null) pending.push(inner);
  }
}

function termDefinitions(context: JsonObject): TermDefinition[] {
  return Object.entries(context).map(([term, definition]) =>
    isObject(definition)
      ? {
          term,
          target: definition['@id'],
          scoped: Object.hasOwn(definition, '@context'),
          containers: asArray(definition['@container']),
        }
      : { term, target: definition, scoped: false, containers: [] },
  );
}

/** Gives the names that may stand for a keyword in one context or another: itself, its aliases, theirs, and so on. */
function aliases(definitions: readonly TermDefinition[]): (...keywords: string[]) => Set<unknown> {
  const termsByTarget = new Map<unknown, string[]>();
  for (const { term, target } of definitions) {
    const terms = termsByTarget.get(target);
    if (terms) terms.push(term);
    else termsByTarget.set(target, [term]);
  }
  return (...keywords) => {
    const names = new Set<unknown>(keywords);
    // A set that grows while it is walked is walked to its end.
    for (const name of names) for (const term of termsByTarget.get(name) ?? []) names.add(term);
    return names;
  };
}

/** What would be another in scoped contexts when they are applied to their own result; what a URL stands for is not looked at. */
function changeByReapplication(term: string, contexts: readonly unknown[]): string | undefined {
  /** What the later contexts of the array define. */
  const later = new Set<unknown>();
  for (const context of contexts.toReversed()) {
    if (!isObject(context)) continue;
    for (const keyword of ['@base', '@vocab']) {
      const iri = Object.hasOwn(context, keyword) ? context[keyword] : '';
      if (typeof iri === 'string' && iri !== '' && !/^(?:[A-Za-z][A-Za-z0-9+.-]*|_):/.test(iri))
        return `the relative ${keyword} "${iri}"`;
    }
    const own = Object.hasOwn(context, term) ? context[term] : undefined;
    if (isObject(own) && (Object.hasOwn(own, '@context') || Object.hasOwn(own, '@container')))
      return 'a context or container of the same term';
    // The second time, what an earlier context took from outside would come from a later one.
    if (later.size > 0)
      for (const [name, definition] of Object.entries(context))
        if (references(name, definition).some((reference) => later.has(reference)))
          return `the term "${name}", whose meaning a later context would change,`;
    for (const name of Object.keys(context)) later.add(name);
  }
}

/** What a definition is made of in its context: prefixes and terms, and `@vocab`. */
function references(term: string, definition: unknown): string[] {
  if (term.startsWith('@')) return [];
  const iris = isObject(definition)
    ? [definition['@id'] ?? definition['@reverse'] ?? term, definition['@type'], definition['@index']]
    : [definition];
  return iris.flatMap((iri) => {
    if (typeof iri !== 'string' || iri.startsWith('@')) return [];
    const colon = iri.indexOf(':');
    return colon < 0 ? [iri, '@vocab'] : [iri, iri.slice(0, colon)];
  });
}

function unsupported(what: string): never {
  throw new WorldsError('UNSUPPORTED', `Not supported in JSON-LD: ${what}. Write it without the scoped context.`);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}
