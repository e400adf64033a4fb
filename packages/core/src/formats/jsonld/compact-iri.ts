import { WorldsError } from '../../model/worlds-error.ts';
import { IriMeter } from '../iri-meter.ts';
import type { Context, TermDefinition, TermLayer } from './context.ts';
import { AS_REFERENCE, AS_TYPE, AS_VOCAB, expandIri, type IriExpansion } from './expand-iri.ts';
import { type ExpandedObject, isGraphObject } from './expanded-objects.ts';
import { relativeIri } from './relative-iri.ts';
import {
  DEFAULT_LANGUAGE_SLOT,
  isBetter,
  languageDirection,
  type NamedTerm,
  slotName,
  TermIndex,
} from './term-index.ts';
import { type JsonLdWork, type Kernel, shown } from './work.ts';

/** Number of IRIs cached per context and use; a full cache is cleared. */
const CACHE_SIZE = 1 << 14;

const NODE_CONTAINERS = ['@id', '@id@set', '@type', '@set@type', '@set', '@none', '@index', '@index@set'];
const TEXT_CONTAINERS = ['@language', '@language@set', '@set', '@none', '@index', '@index@set'];
const PLAIN_CONTAINERS = ['@set', '@none', '@index', '@index@set', '@language', '@language@set'];
const TYPED_CONTAINERS = ['@set', '@none', '@index', '@index@set'];
const LIST_CONTAINERS = ['@list', '@none', '@index', '@index@set'];
const GRAPH_MAPS = ['@graph', '@graph@set', '@set', '@graph@index', '@graph@index@set'];
const GRAPH_BY_ID = ['@graph@id', '@graph@id@set'];
const INDEX_CONTAINERS = ['@index', '@index@set', '@none'];
const GRAPH_CONTAINERS = [...GRAPH_MAPS, ...GRAPH_BY_ID, ...INDEX_CONTAINERS];
const NAMED_GRAPH_CONTAINERS = [...GRAPH_BY_ID, ...GRAPH_MAPS, ...INDEX_CONTAINERS];
const REVERSE_CONTAINERS = ['@set', '@none', '@index', '@index@set'];

/** Criteria for selecting a term: section 6.2.2, step 4. */
interface Wanted {
  readonly containers: readonly string[];
  readonly kind: 'any' | 'language' | 'type';
  readonly preferred: readonly string[];
}

const AS_NAME: Wanted = { containers: NODE_CONTAINERS, kind: 'type', preferred: ['@id', '@none', '@any'] };
/** The result of {@link IriCompaction.property}. */
export interface PropertyName {
  readonly key: string;
  readonly definition: TermDefinition | undefined;
}

/** Returns whether a term can hold a value, i.e. whether reading it gives the value again. */
export type Accepts = (definition: TermDefinition, key: string) => boolean;

/**
 * IRI Compaction (JSON-LD 1.1 API section 6.2) with Term Selection. Output must read back as the
 * same IRI, which the algorithms do not guarantee: a name that would not is skipped in favour of
 * the next, and ultimately of the IRI itself.
 */
export class IriCompaction {
  private readonly work: JsonLdWork;
  private readonly indexes = new WeakMap<TermLayer, TermIndex>();
  private readonly contexts = new WeakMap<Context, ContextNames>();
  /**
   * Uses the default limits: stored IRIs were limited when they were read and are not made longer
   * here.
   */
  private readonly meter = new IriMeter();

  constructor(work: JsonLdWork) {
    this.work = work;
  }

  /** Prepares a context. Required before IRIs are compacted with it. */
  *prepare(active: Context): Kernel<void> {
    for (let context: Context | undefined = active; context; context = context.previous) {
      if (this.contexts.has(context)) continue;
      const indexes: TermIndex[] = [];
      for (const layer of context.layers()) {
        let index = this.indexes.get(layer);
        if (!index) this.indexes.set(layer, (index = yield* TermIndex.of(layer, this.work)));
        indexes.push(index);
      }
      this.contexts.set(context, new ContextNames(context, indexes));
    }
  }

  /** Returns the name of a keyword: its alias, if the context has one. */
  keyword(active: Context, keyword: string): string {
    return this.names(active).keyword(keyword);
  }

  /**
   * Returns the name of an IRI or blank node used as a reference: a compact IRI, or relative to the
   * base IRI.
   */
  reference(active: Context, iri: string): string {
    const { references } = this.names(active);
    let compact = references.get(iri);
    if (compact === undefined) {
      compact = this.makeReference(active, iri);
      remember(references, iri, compact);
    }
    return compact;
  }

  /**
   * Returns the name of an IRI where terms are allowed as values: a type, or a reference with
   * `@type: @vocab`.
   */
  type(active: Context, iri: string): string {
    const names = this.names(active);
    let compact = names.types.get(iri);
    if (compact === undefined) {
      compact = names.select(iri, AS_NAME)?.term;
      if (compact === undefined || !this.reads(active, compact, iri, AS_TYPE))
        compact = this.plain(active, iri, AS_TYPE);
      remember(names.types, iri, compact);
    }
    return compact;
  }

  /**
   * Returns the name of a datatype. It is not a term with a scoped context, which would apply to
   * the value object as it is read (section 5.1.2, step 11.2).
   */
  datatype(active: Context, iri: string): string {
    const name = this.type(active, iri);
    return active.term(name)?.context === undefined ? name : this.plain(active, iri, AS_TYPE);
  }

  /**
   * Returns the name of a property for one of its values. Throws UNSUPPORTED if no name in the
   * context can hold it.
   */
  property(active: Context, iri: string, value: ExpandedObject, reverse: boolean, accepts: Accepts): PropertyName {
    const names = this.names(active);
    if (names.has(iri)) {
      const wanted = this.wanted(active, value, reverse);
      const selected = names.select(iri, wanted, accepts);
      if (selected) return { key: selected.term, definition: selected.definition };
    }
    let key = names.properties.get(iri);
    if (key === undefined) {
      key = this.plain(active, iri, AS_VOCAB);
      remember(names.properties, iri, key);
    }
    const definition = active.term(key);
    if (definition && !accepts(definition, key))
      throw new WorldsError(
        'UNSUPPORTED',
        `The JSON-LD context defines ${shown(key)} in a way that excludes a value of <${iri}> in the data: define another term for the property, or remove this one.`,
      );
    return { key, definition };
  }

  /** Section 6.2.2, steps 4.4 to 4.18. */
  private wanted(active: Context, value: ExpandedObject, reverse: boolean): Wanted {
    if (reverse)
      return {
        containers: REVERSE_CONTAINERS,
        kind: 'type',
        preferred: ['@reverse', ...this.idTypes(active, value, '@reverse')],
      };
    if ('@list' in value) return listWanted(active, value['@list'] as ExpandedObject[]);
    if ('@value' in value) {
      const { '@language': language, '@direction': direction, '@type': type } = value as Record<string, string>;
      if (type !== undefined) return { containers: TYPED_CONTAINERS, kind: 'type', preferred: [type, '@none', '@any'] };
      if (direction !== undefined) {
        const preferred = [languageDirection(language, direction), '@none', '@any', `_${direction}`];
        return { containers: TEXT_CONTAINERS, kind: 'language', preferred };
      }
      if (language !== undefined)
        return { containers: TEXT_CONTAINERS, kind: 'language', preferred: [language.toLowerCase(), '@none', '@any'] };
      return { containers: PLAIN_CONTAINERS, kind: 'language', preferred: ['@null', '@none', '@any'] };
    }
    const preferred = this.idTypes(active, value, '@id');
    // Step 4.8
    const graphs = '@id' in value ? NAMED_GRAPH_CONTAINERS : GRAPH_CONTAINERS;
    return { containers: isGraphObject(value) ? graphs : NODE_CONTAINERS, kind: 'type', preferred };
  }

  /** Steps 4.16 to 4.18, for nodes. */
  private idTypes(active: Context, { '@id': id }: ExpandedObject, type: '@id' | '@reverse'): readonly string[] {
    if (typeof id !== 'string') return [type, '@none', '@any'];
    // A reference that has a term is preferably written as that term.
    const isTerm = active.term(this.type(active, id))?.iri === id;
    return isTerm ? ['@vocab', '@id', '@none', '@any'] : ['@id', '@vocab', '@none', '@any'];
  }

  /** Steps 5 to 9: names an IRI without a term of its own. Throws UNSUPPORTED. */
  private plain(active: Context, iri: string, how: IriExpansion): string {
    const { vocab } = active;
    if (vocab !== null && iri.length > vocab.length && iri.startsWith(vocab)) {
      const suffix = iri.slice(vocab.length);
      if (!active.term(suffix) && this.reads(active, suffix, iri, how)) return suffix;
    }
    const compact = this.names(active).compact(iri);
    return compact !== undefined && this.reads(active, compact, iri, how) ? compact : this.whole(active, iri, how);
  }

  private makeReference(active: Context, iri: string): string {
    const compact = this.names(active).compact(iri);
    if (compact !== undefined && this.reads(active, compact, iri, AS_REFERENCE)) return compact;
    if (active.base && !iri.startsWith('_:')) {
      const relative = relativeIri(iri, active.base.iri);
      if (relative !== iri && this.reads(active, relative, iri, AS_REFERENCE)) return relative;
    }
    return this.whole(active, iri, AS_REFERENCE);
  }

  private whole(active: Context, iri: string, how: IriExpansion): string {
    if (this.reads(active, iri, iri, how)) return iri;
    // Step 9: an IRI confused with prefix error.
    throw new WorldsError(
      'UNSUPPORTED',
      `The JSON-LD context changes the meaning of <${iri}>: its scheme, or the whole IRI, is a term of the context. Rename that term.`,
    );
  }

  private reads(active: Context, written: string, iri: string, how: IriExpansion): boolean {
    return expandIri(active, written, how, this.meter) === iri;
  }

  private names(active: Context): ContextNames {
    const names = this.contexts.get(active);
    if (!names) throw new TypeError('The context was not prepared.');
    return names;
  }
}

/** The names that one context has for IRIs. */
class ContextNames {
  readonly references = new Map<string, string>();
  readonly types = new Map<string, string>();
  readonly properties = new Map<string, string>();
  private readonly keywords = new Map<string, string>();
  private readonly active: Context;
  /** The indexes of its layers, topmost first. */
  private readonly indexes: readonly TermIndex[];
  private readonly defaultLanguage: string;
  private readonly prefixLengths: readonly number[];

  constructor(active: Context, indexes: readonly TermIndex[]) {
    this.active = active;
    this.indexes = indexes;
    this.defaultLanguage = languageDirection(active.language, active.direction) || '@none';
    this.prefixLengths = [...new Set(indexes.flatMap((index) => [...index.prefixLengths]))];
  }

  keyword(keyword: string): string {
    let name = this.keywords.get(keyword);
    if (name === undefined) this.keywords.set(keyword, (name = this.select(keyword, AS_NAME)?.term ?? keyword));
    return name;
  }

  /** Returns whether any term, including hidden ones, stands for the IRI. */
  has(iri: string): boolean {
    for (const index of this.indexes) if (index.containers(iri)) return true;
    return false;
  }

  /** Term Selection, over all layers. */
  select(iri: string, { containers, kind, preferred }: Wanted, accepts?: Accepts): NamedTerm | undefined {
    for (const container of containers) {
      for (const value of preferred) {
        let best = this.best(iri, container, slotName(kind, value), accepts, undefined);
        if (kind === 'language' && value === this.defaultLanguage)
          best = this.best(iri, container, DEFAULT_LANGUAGE_SLOT, accepts, best);
        if (best) return best;
      }
    }
    return undefined;
  }

  private best(
    iri: string,
    container: string,
    slot: string,
    accepts: Accepts | undefined,
    than: NamedTerm | undefined,
  ): NamedTerm | undefined {
    let best = than;
    for (const index of this.indexes) {
      for (const named of index.containers(iri)?.get(container)?.get(slot) ?? []) {
        const { term, definition } = named;
        if (best && !isBetter(term, best.term)) break;
        if (this.active.term(term) !== definition || (accepts && !accepts(definition, term))) continue;
        best = named;
        break;
      }
    }
    return best;
  }

  /** Section 6.2.2, steps 6 to 8: returns the shortest compact IRI that is not a term itself. */
  compact(iri: string): string | undefined {
    let best: string | undefined;
    for (const length of this.prefixLengths) {
      if (length >= iri.length) continue;
      const start = iri.slice(0, length);
      for (const index of this.indexes) {
        for (const { term, definition } of index.prefixesOf(start) ?? []) {
          if (this.active.term(term) !== definition) continue;
          const candidate = `${term}:${iri.slice(length)}`;
          if (best !== undefined && !isBetter(candidate, best)) break;
          // After the colon, `//` marks an authority: the name would be read as an IRI.
          if (candidate.startsWith('//', term.length + 1) || this.active.term(candidate)) continue;
          best = candidate;
          break;
        }
      }
    }
    return best;
  }
}

/** Steps 4.7 and 4.17: the type or language shared by all items of a list. */
function listWanted(active: Context, items: readonly ExpandedObject[]): Wanted {
  if (items.length === 0) {
    const language = languageDirection(active.language, active.direction) || '@none';
    return { containers: LIST_CONTAINERS, kind: 'any', preferred: [language, '@none', '@any'] };
  }
  let language: string | undefined;
  let type: string | undefined;
  for (const item of items) {
    let itemLanguage = '@none';
    let itemType = '@none';
    if (!('@value' in item)) itemType = '@id';
    else if ('@direction' in item)
      itemLanguage = languageDirection(item['@language'] as string | undefined, item['@direction'] as string);
    else if ('@language' in item) itemLanguage = (item['@language'] as string).toLowerCase();
    else if ('@type' in item) itemType = item['@type'] as string;
    else itemLanguage = '@null';
    // Step 4.7.4.5: "if item language differs from common language and item contains an @value
    // entry".
    if (language === undefined) language = itemLanguage;
    else if (language !== itemLanguage && '@value' in item) language = '@none';
    type = type === undefined || type === itemType ? itemType : '@none';
    if (language === '@none' && type === '@none') break;
  }
  const isTyped = type !== '@none';
  const value = (isTyped ? type : language) as string;
  const preferred = [value, '@none', '@any'];
  const underscore = value.indexOf('_');
  if (!isTyped && underscore >= 0) preferred.push(value.slice(underscore));
  return { containers: LIST_CONTAINERS, kind: isTyped ? 'type' : 'language', preferred };
}

function remember(cache: Map<string, string>, iri: string, compact: string): void {
  if (cache.size === CACHE_SIZE) cache.clear();
  cache.set(iri, compact);
}
