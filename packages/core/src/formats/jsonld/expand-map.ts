import type { Context, JsonObject, TermDefinition } from './context.ts';
import { AS_REFERENCE, AS_VOCAB, type IriExpansion } from './expand-iri.ts';
import { type Expanded, type ExpandedObject, isGraphObject } from './expanded-objects.ts';
import { invalidJsonLd, type JsonLdWork, type Kernel, shown } from './work.ts';

/** The parts of the surrounding expansion that map expansion needs. */
export interface ValueExpander {
  readonly work: JsonLdWork;
  readonly contexts: { scopedToType(active: Context, definition: TermDefinition): Kernel<Context> };
  iri(active: Context, value: string, how: IriExpansion): string | null;
  expand(active: Context, property: string | null, element: unknown, fromMap: boolean): Kernel<Expanded>;
  value(active: Context, property: string, value: unknown): ExpandedObject;
}

/**
 * Expands a map of values by language, index, type or @id (JSON-LD 1.1 API section 5.1.2, steps
 * 13.7 and 13.8) to an array.
 */
export function* expandMapContainer(
  expander: ValueExpander,
  active: Context,
  key: string,
  definition: TermDefinition,
  value: JsonObject,
): Kernel<ExpandedObject[]> {
  if (definition.container.has('@language')) return yield* languageMap(expander, active, definition, value);
  const result: ExpandedObject[] = [];
  const isTypeMap = definition.container.has('@type');
  for (const [index, items] of value) {
    let context = active;
    // Step 13.8.3.1: a context that does not propagate does not apply to the nodes in the map.
    if (isTypeMap || definition.container.has('@id')) context = active.previous ?? active;
    const scoped = isTypeMap ? context.term(index) : undefined;
    if (scoped?.context !== undefined) context = yield* expander.contexts.scopedToType(context, scoped);
    const entry = new MapEntry(expander, active, definition, index);
    const expanded = yield* expander.expand(context, key, Array.isArray(items) ? items : [items], true);
    for (const item of expanded as ExpandedObject[]) {
      result.push(entry.add(item));
      if (expander.work.step()) yield;
    }
  }
  return result;
}

/** Step 13.7. */
function* languageMap(
  expander: ValueExpander,
  active: Context,
  definition: TermDefinition,
  value: JsonObject,
): Kernel<ExpandedObject[]> {
  const direction = definition.direction === undefined ? active.direction : definition.direction;
  const result: ExpandedObject[] = [];
  for (const [language, items] of value) {
    const isNone = language === '@none' || expander.iri(active, language, AS_VOCAB) === '@none';
    for (const item of Array.isArray(items) ? items : [items]) {
      if (expander.work.step()) yield;
      if (item === null) continue;
      if (typeof item !== 'string') invalidJsonLd(`invalid language map value: ${shown(item)} is not a string`);
      const expanded: ExpandedObject = { '@value': item };
      if (!isNone) expanded['@language'] = language;
      if (direction !== null) expanded['@direction'] = direction;
      result.push(expanded);
    }
  }
  return result;
}

/** Applies the key of a map entry to the items in it: step 13.8.3.7. */
class MapEntry {
  private readonly expander: ValueExpander;
  private readonly active: Context;
  private readonly container: ReadonlySet<string>;
  private readonly index: string;
  private readonly expandedIndex: string | null;
  /** The property that receives the index as a value; undefined if it is `@index` itself. */
  private readonly indexTerm: string | undefined;
  private readonly indexProperty: string | null | undefined;

  constructor(
    expander: ValueExpander,
    active: Context,
    { container, index: indexTerm }: TermDefinition,
    index: string,
  ) {
    this.expander = expander;
    this.active = active;
    this.container = container;
    this.index = index;
    this.expandedIndex = expander.iri(active, index, AS_VOCAB);
    this.indexTerm = indexTerm === '@index' ? undefined : indexTerm;
    this.indexProperty = this.indexTerm === undefined ? undefined : expander.iri(active, this.indexTerm, AS_VOCAB);
  }

  add(given: ExpandedObject): ExpandedObject {
    const { container, index, expandedIndex, active, expander } = this;
    const item = container.has('@graph') && !isGraphObject(given) ? { '@graph': [given] } : given;
    if (expandedIndex === '@none') return item;
    if (container.has('@index')) {
      if (this.indexProperty) return this.withProperty(item, this.indexProperty);
      item['@index'] ??= index;
    } else if (container.has('@id')) {
      item['@id'] ??= expander.iri(active, index, AS_REFERENCE);
    } else if (container.has('@type')) {
      const types = item['@type'] as string[] | undefined;
      item['@type'] = types === undefined ? [expandedIndex] : [expandedIndex, ...types];
    }
    return item;
  }

  /** Step 13.8.3.7.2. */
  private withProperty(item: ExpandedObject, property: string): ExpandedObject {
    if ('@value' in item)
      invalidJsonLd(
        `invalid value object: ${shown(this.index)} would be a property of a value, but values have no properties`,
      );
    // A long index is repeated as a value of each item.
    this.expander.work.meter.claimText(this.index.length);
    const value = this.expander.value(this.active, this.indexTerm!, this.index);
    item[property] = [value, ...((item[property] ?? []) as ExpandedObject[])];
    return item;
  }
}
