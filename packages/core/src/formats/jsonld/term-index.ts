import type { TermDefinition, TermLayer } from './context.ts';
import type { JsonLdWork, Kernel } from './work.ts';

export interface NamedTerm {
  readonly term: string;
  readonly definition: TermDefinition;
}

/** Number of terms kept per slot: more than one, since a higher layer may hide the best. */
const TERMS_A_SLOT = 4;
/** Stands for the default language, which differs between contexts that share a layer. */
const DEFAULT_LANGUAGE = '@default';

/**
 * The inverse context (JSON-LD 1.1 API section 4.3) of one layer of terms: maps an IRI, a container
 * and a type or language to terms. Contexts that share a layer share its index, so that a small
 * scoped context on top of a large one costs only its own size.
 */
export class TermIndex {
  /**
   * Maps an IRI to containers (such as `@index@set`) to kind and value (such as `language en`) to
   * terms, best first.
   */
  private readonly slots = new Map<string, Map<string, Map<string, NamedTerm[]>>>();
  private readonly prefixes = new Map<string, NamedTerm[]>();
  /** The distinct lengths of the prefix IRIs. */
  readonly prefixLengths = new Set<number>();

  static *of(layer: TermLayer, work: JsonLdWork): Kernel<TermIndex> {
    const index = new TermIndex();
    for (const [term, definition] of layer.own) {
      if (definition !== null && definition.iri !== null) index.add(definition.iri, { term, definition });
      if (work.step()) yield;
    }
    return index;
  }

  containers(iri: string): ReadonlyMap<string, ReadonlyMap<string, readonly NamedTerm[]>> | undefined {
    return this.slots.get(iri);
  }

  prefixesOf(iri: string): readonly NamedTerm[] | undefined {
    return this.prefixes.get(iri);
  }

  private add(iri: string, named: NamedTerm): void {
    const { definition } = named;
    const container = definition.container.size === 0 ? '@none' : [...definition.container].sort().join('');
    let containers = this.slots.get(iri);
    if (!containers) this.slots.set(iri, (containers = new Map()));
    let slots = containers.get(container);
    if (!slots) containers.set(container, (slots = new Map()));
    for (const slot of slotsOf(definition)) keep(slots, slot, named);
    if (!definition.prefix) return;
    this.prefixLengths.add(iri.length);
    keep(this.prefixes, iri, named);
  }
}

/** Returns the key of a slot, for {@link TermIndex.containers}. */
export function slotName(kind: 'any' | 'language' | 'type', value: string): string {
  return `${kind} ${value}`;
}

/** The slot of terms without type, language or direction, to which the default language applies. */
export const DEFAULT_LANGUAGE_SLOT = slotName('language', DEFAULT_LANGUAGE);

/** Returns language and direction as one lower-case text: step 3.14. */
export function languageDirection(language: string | null | undefined, direction: string | null | undefined): string {
  const tag = (language ?? '').toLowerCase();
  return direction ? `${tag}_${direction}` : tag;
}

/** Steps 3.10 to 3.18. */
function slotsOf({ reverse, type, language, direction }: TermDefinition): readonly string[] {
  const all = slotName('any', '@none');
  if (reverse) return [all, slotName('type', '@reverse')];
  if (type === '@none') return [all, slotName('language', '@any'), slotName('type', '@any'), slotName('any', '@any')];
  if (type !== undefined) return [all, slotName('type', type)];
  if (language === undefined && direction === undefined)
    return [all, DEFAULT_LANGUAGE_SLOT, slotName('language', '@none'), slotName('type', '@none')];
  if (language && direction) return [all, slotName('language', languageDirection(language, direction))];
  if (language) return [all, slotName('language', language.toLowerCase())];
  if (direction) return [all, slotName('language', `_${direction}`)];
  return [all, slotName('language', language === undefined ? '@none' : '@null')];
}

/**
 * Step 3: "ordered by shortest term first, breaking ties by choosing the lexicographically least
 * term".
 */
export function isBetter(one: string, other: string): boolean {
  return one.length !== other.length ? one.length < other.length : one < other;
}

function keep(slots: Map<string, NamedTerm[]>, slot: string, named: NamedTerm): void {
  const kept = slots.get(slot);
  if (!kept) {
    slots.set(slot, [named]);
    return;
  }
  let at = kept.length;
  while (at > 0 && isBetter(named.term, kept[at - 1].term)) at--;
  if (at === TERMS_A_SLOT) return;
  kept.splice(at, 0, named);
  if (kept.length > TERMS_A_SLOT) kept.pop();
}
