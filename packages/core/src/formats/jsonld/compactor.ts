import { WorldsError } from '../../model/worlds-error.ts';
import { IriCompaction, type PropertyName } from './compact-iri.ts';
import type { Context, TermDefinition } from './context.ts';
import type { ContextProcessor } from './context-processor.ts';
import { type ExpandedObject, isGraphObject } from './expanded-objects.ts';
import { type Kernel, shown } from './work.ts';

/** A JSON object of a compacted document. A Map, so that no member name is special. */
export type Compacted = Map<string, unknown>;

/**
 * Compaction (JSON-LD 1.1 API section 6.1.2, with compactArrays) of one node at a time, as kernels.
 * Deviates from the algorithm where its output would not read back as the same data: such a value
 * gets another name, is written in full, or is UNSUPPORTED.
 */
export class Compactor {
  readonly iris: IriCompaction;
  private readonly contexts: ContextProcessor;

  constructor(contexts: ContextProcessor) {
    this.contexts = contexts;
    this.iris = new IriCompaction(contexts.work);
  }

  /** Returns a compacted node object. `isValue`: it is the value of a property. */
  *node(
    active: Context,
    element: ExpandedObject,
    definition?: TermDefinition,
    { isValue = false, fromMap = false } = {},
  ): Kernel<Compacted> {
    const { iris, contexts } = this;
    // Step 5: a context that does not propagate does not apply to nested nodes. In a map it does,
    // as step 7 of expansion says.
    let inner = yield* this.scoped(fromMap ? active : (active.previous ?? active), definition);
    const typeContext = inner;
    const types: string[] = [];
    for (const type of (element['@type'] ?? []) as readonly string[]) {
      if (contexts.work.step()) yield;
      types.push(iris.type(typeContext, type));
    }
    const scopedTypes = types.filter((type) => typeContext.term(type)?.context !== undefined);
    // Step 11
    for (const type of [...new Set(scopedTypes)].sort()) {
      inner = yield* contexts.scopedToType(inner, typeContext.term(type)!);
      yield* iris.prepare(inner);
    }
    const result: Compacted = new Map();
    for (const property in element) {
      const value = element[property];
      if (property === '@id') result.set(iris.keyword(inner, '@id'), iris.reference(inner, value as string));
      else if (property === '@type') this.addTypes(result, inner, typeContext, types);
      else if (property === '@reverse') yield* this.reverse(result, inner, value as ExpandedObject);
      else if (property === '@graph' || property === '@included') {
        const nodes: Compacted[] = [];
        for (const node of value as readonly ExpandedObject[])
          nodes.push(yield* this.node(inner, node, undefined, { isValue: true }));
        // Step 12.8.6: "if item active property is @graph", it is an array in any case. In a graph
        // object, which step 12.8.9.4 makes, it is not.
        const mayBeSingle = property === '@included' || (isValue && isGraphObject(element));
        result.set(iris.keyword(inner, property), mayBeSingle && nodes.length === 1 ? nodes[0] : nodes);
      } else yield* this.property(result, inner, property, value as readonly ExpandedObject[]);
    }
    return result;
  }

  /** Returns the context that applies to the values of a term. */
  private *scoped(active: Context, definition: TermDefinition | undefined): Kernel<Context> {
    if (definition?.context === undefined) return active;
    const scoped = yield* this.contexts.scopedToProperty(active, definition);
    yield* this.iris.prepare(scoped);
    return scoped;
  }

  /** Step 12.2. */
  private addTypes(result: Compacted, active: Context, typeContext: Context, types: readonly string[]): void {
    let key = this.iris.keyword(typeContext, '@type');
    // A reader looks for an alias both before and after type-scoped contexts apply.
    if (key !== '@type' && active.term(key)?.iri !== '@type') key = '@type';
    const isArray = types.length !== 1 || active.term(key)?.container.has('@set');
    result.set(key, isArray ? types : types[0]);
  }

  /** Step 12.8: adds the values of one property, each under the name that suits it best. */
  private *property(
    result: Compacted,
    active: Context,
    property: string,
    values: readonly ExpandedObject[],
  ): Kernel<void> {
    const { iris } = this;
    const { work } = this.contexts;
    for (const value of values) {
      if (work.step()) yield;
      if (isNull(value)) {
        this.addNull(result, active, property);
        continue;
      }
      const accepts = (definition: TermDefinition, key: string) =>
        holds(active, definition, value) && !(holdsOne(definition) && this.isTaken(result, active, definition, key));
      const name = iris.property(active, property, value, false, accepts);
      work.meter.claimText(name.key.length);
      yield* this.add(this.place(result, active, name.definition), active, name, value);
    }
  }

  /**
   * Adds the null that stands for a missing value of a framed node. In an array, that is not a
   * value (JSON-LD 1.1 Framing section 4.1, frame(), step 20).
   */
  private addNull(result: Compacted, active: Context, property: string): void {
    // API section 6.2.2, step 4.9.2: a value that is not a map is named like a reference.
    const { key, definition } = this.iris.property(active, property, {}, false, ({ reverse }) => !reverse);
    const isArray = definition?.container.has('@set') || definition?.container.has('@list');
    this.place(result, active, definition).set(key, isArray ? [] : null);
  }

  /** Adds one value to a node or to a nested object of it. */
  private *add(target: Compacted, active: Context, name: PropertyName, value: ExpandedObject): Kernel<void> {
    const { key, definition } = name;
    const container = definition?.container;
    const isArray = container?.has('@set') ?? false;
    if (container?.has('@list')) {
      target.set(key, yield* this.items(active, name, value['@list'] as ExpandedObject[]));
      return;
    }
    if (!container || !isMap(container)) {
      let item: unknown;
      if (container?.has('@graph')) item = yield* this.graph(active, value, definition);
      // Expansion, step 13.6: a JSON term takes any JSON, and no context applies to it.
      else if (definition?.type === '@json') item = value['@value'];
      else item = yield* this.value(active, name, value);
      push(target, key, item, isArray);
      return;
    }
    const [mapKey, item] = yield* this.entry(active, name, container, value);
    let map = target.get(key) as Compacted | undefined;
    if (!map) target.set(key, (map = new Map()));
    push(map, mapKey ?? this.iris.keyword(active, '@none'), item, isArray);
  }

  /**
   * Step 12.8.9: returns the key of a value in a map, or undefined for none, and the entry's value.
   */
  private *entry(
    active: Context,
    name: PropertyName,
    container: ReadonlySet<string>,
    value: ExpandedObject,
  ): Kernel<[string | undefined, unknown]> {
    if (container.has('@language')) return [value['@language'] as string | undefined, value['@value']];
    if (container.has('@graph') && !container.has('@id'))
      return [undefined, yield* this.graph(active, value, name.definition)];
    // Nodes of a dataset have no @index, and a type is kept in its node.
    if (!container.has('@id') && !container.has('@type'))
      return [undefined, yield* this.value(active, name, value, { fromMap: true })];
    // Expansion, step 13.8.3.1: a context that does not propagate does not apply in such a map.
    const inner = active.previous ?? active;
    const definition = inner.term(name.key);
    const isNode = '@id' in value || !('@value' in value || '@list' in value);
    // Step 7: a reference that the type of its term makes a string has no entry for its key.
    const type = name.definition?.type;
    const isString = isReference(value) && (type === '@id' || type === '@vocab');
    if (!container.has('@id') || !isNode || isString)
      return [undefined, yield* this.value(inner, { key: name.key, definition }, value)];
    const { '@id': id, ...node } = value;
    const item = container.has('@graph')
      ? yield* this.graph(inner, node, definition)
      : yield* this.node(inner, node, definition);
    return [id === undefined ? undefined : this.iris.reference(active, id as string), item];
  }

  /** Step 12.8.9: returns the nodes of a graph object, as the value of a graph container. */
  private *graph(active: Context, value: ExpandedObject, definition: TermDefinition | undefined): Kernel<unknown> {
    const nodes = value['@graph'] as readonly ExpandedObject[];
    if (nodes.length === 1) return yield* this.node(active, nodes[0], definition);
    const compacted: Compacted[] = [];
    for (const node of nodes) compacted.push(yield* this.node(active, node, definition));
    // "If compacted item is an array with more than one value, create a new map with a single entry
    // with key @included"
    const inner = yield* this.scoped(active.previous ?? active, definition);
    return new Map([[this.iris.keyword(inner, '@included'), compacted]]);
  }

  /**
   * Returns a value object, node, reference or list as a value of a property, an item or an entry.
   */
  private *value(
    active: Context,
    name: PropertyName,
    value: ExpandedObject,
    { isItem = false, fromMap = false } = {},
  ): Kernel<unknown> {
    const { key, definition } = name;
    // Mirrors what reading does with an object of a property: steps 7 and 8 of expansion.
    const outer = fromMap ? active : (active.previous ?? active);
    if ('@list' in value) {
      const inner = yield* this.scoped(outer, definition);
      const items = yield* this.items(inner, { key, definition: inner.term(key) }, value['@list'] as ExpandedObject[]);
      // Step 12.8 names it in the active context, but it is read in that of the property.
      const listKey = this.iris.keyword(active, '@list');
      return new Map([[inner.term(listKey)?.iri === '@list' ? listKey : '@list', items]]);
    }
    if (!('@value' in value) && !isReference(value))
      return yield* this.node(active, value, definition, { isValue: !isItem, fromMap });
    const inner = definition?.context === undefined ? active : yield* this.scoped(active, definition);
    const marker = '@value' in value ? '@value' : '@id';
    let markerKey = this.iris.keyword(inner, marker);
    // Step 7 looks for the entry before the context of the property applies.
    if (outer !== active && active.term(markerKey)?.iri !== marker) markerKey = marker;
    return marker === '@value'
      ? this.literal(inner, key, value, markerKey)
      : this.reference(inner, key, value['@id'] as string, markerKey);
  }

  private *items(active: Context, name: PropertyName, list: readonly ExpandedObject[]): Kernel<unknown[]> {
    const items: unknown[] = [];
    const isNested = name.definition?.container.has('@list');
    for (const item of list) {
      if (this.contexts.work.step()) yield;
      // A list in a list needs no @list if the term is declared as a list.
      if (isNested && '@list' in item)
        items.push(yield* this.items(active, name, item['@list'] as readonly ExpandedObject[]));
      else items.push(yield* this.value(active, name, item, { isItem: true }));
    }
    return items;
  }

  /** Section 6.3.2, step 6: returns a reference. */
  private reference(active: Context, key: string, iri: string, idKey: string): unknown {
    const { iris } = this;
    const type = active.term(key)?.type;
    if (type === '@id') return iris.reference(active, iri);
    if (type === '@vocab') return iris.type(active, iri);
    return new Map([[idKey, iris.reference(active, iri)]]);
  }

  /** Section 6.3.2, steps 7 to 11: returns a value object or its short form. */
  private literal(active: Context, key: string, value: ExpandedObject, valueKey: string): unknown {
    const { iris } = this;
    const definition = active.term(key);
    const { '@value': text, '@type': type, '@language': language, '@direction': direction } = value;
    const coercion = definition?.type;
    if (type !== undefined) {
      // JSON in a list would be read as a node or a list.
      if (type === coercion && type !== '@json') return text;
    } else if (coercion === undefined) {
      const itsLanguage = definition?.language === undefined ? active.language : definition.language;
      const itsDirection = definition?.direction === undefined ? active.direction : definition.direction;
      const isSame = ((language as string) ?? '').toLowerCase() === (itsLanguage ?? '').toLowerCase();
      if (isSame && (direction ?? null) === (itsDirection ?? null)) return text;
    }
    const result: Compacted = new Map();
    if (type !== undefined) result.set(iris.keyword(active, '@type'), iris.datatype(active, type as string));
    if (language !== undefined) result.set(iris.keyword(active, '@language'), language);
    if (direction !== undefined) result.set(iris.keyword(active, '@direction'), direction);
    return result.set(valueKey, text);
  }

  /** Step 12.3. */
  private *reverse(result: Compacted, active: Context, reversed: ExpandedObject): Kernel<void> {
    const { iris } = this;
    const rest: Compacted = new Map();
    const inner = active.previous ?? active;
    for (const property in reversed) {
      // Framing leaves an empty array where no node matched.
      if ((reversed[property] as readonly unknown[]).length === 0) {
        const name = iris.property(active, property, {}, true, holdsNode);
        if (name.definition?.reverse) result.set(name.key, []);
        else rest.set(iris.property(inner, property, {}, true, holdsForward).key, []);
      }
      for (const node of reversed[property] as readonly ExpandedObject[]) {
        if (this.contexts.work.step()) yield;
        const name = iris.property(active, property, node, true, holdsNode);
        if (name.definition?.reverse) yield* this.add(result, active, name, node);
        else yield* this.add(rest, inner, iris.property(inner, property, node, true, holdsForward), node);
      }
    }
    if (rest.size > 0) result.set(iris.keyword(active, '@reverse'), rest);
  }

  /**
   * Returns the object that holds the values of a term: the node, or its nested object. Throws
   * INVALID_ARGUMENT.
   */
  private place(result: Compacted, active: Context, definition: TermDefinition | undefined): Compacted {
    const nest = definition?.nest;
    if (nest === undefined) return result;
    const term = active.term(nest);
    if (nest !== '@nest' && term?.iri !== '@nest')
      throw new WorldsError(
        'INVALID_ARGUMENT',
        `The JSON-LD context has an invalid @nest value: ${shown(nest)} is neither @nest nor a term for it.`,
      );
    // Reading applies that context to nested members, but compaction does not. Writing the values
    // unnested has the same meaning.
    if (term?.context !== undefined) return result;
    let nested = result.get(nest) as Compacted | undefined;
    if (!nested) result.set(nest, (nested = new Map()));
    return nested;
  }

  /** Returns whether a term already holds its single value. */
  private isTaken(result: Compacted, active: Context, { nest }: TermDefinition, key: string): boolean {
    if (nest === undefined || active.term(nest)?.context !== undefined) return result.has(key);
    return (result.get(nest) as Compacted | undefined)?.has(key) ?? false;
  }
}

function isMap(container: ReadonlySet<string>): boolean {
  return container.has('@language') || container.has('@index') || container.has('@id') || container.has('@type');
}

/** Returns whether a value stands for a missing one. */
function isNull(value: ExpandedObject): boolean {
  return value['@value'] === null;
}

/** Returns whether an expanded object is a bare reference to a node. */
export function isReference(value: ExpandedObject): boolean {
  for (const name in value) if (name !== '@id') return false;
  return '@id' in value;
}

/** Returns whether a value written under a term reads back as the same value. */
function holds(
  active: Context,
  { container, reverse, type, direction }: TermDefinition,
  value: ExpandedObject,
): boolean {
  if (reverse) return false;
  // A graph with an identifier needs a map of them; only one without is the value of a container.
  if (container.has('@graph')) return holdsGraph(container, value);
  if (type === '@json') return value['@type'] === '@json' && container.size === 0;
  if (container.has('@list')) return '@list' in value;
  if (!container.has('@language')) return true;
  const itsDirection = direction === undefined ? active.direction : direction;
  return (
    typeof value['@value'] === 'string' &&
    !('@type' in value) &&
    (value['@direction'] ?? null) === (itsDirection ?? null) &&
    // A language that is an alias of @none would be none.
    active.term(value['@language'] as string)?.iri !== '@none'
  );
}

/** Returns whether a term holds a single list or JSON literal: an array of two would be one. */
function holdsOne({ container, type }: TermDefinition): boolean {
  return container.has('@list') || type === '@json';
}

function holdsGraph(container: ReadonlySet<string>, value: ExpandedObject): boolean {
  if (!isGraphObject(value) || !(container.has('@id') || !('@id' in value))) return false;
  // A node that is a graph object itself would be read as that graph.
  return (value['@graph'] as readonly ExpandedObject[]).every((node) => !isGraphObject(node));
}

/** Returns whether a term of a reverse property, or in a reverse property map, can hold nodes. */
function holdsNode({ container, type }: TermDefinition): boolean {
  return type !== '@json' && !container.has('@graph') && !container.has('@list') && !container.has('@language');
}

function holdsForward(definition: TermDefinition): boolean {
  return !definition.reverse && holdsNode(definition);
}

function push(target: Compacted, key: string, value: unknown, isArray: boolean): void {
  const present = target.get(key);
  if (present === undefined) target.set(key, isArray ? [value] : value);
  else if (Array.isArray(present)) present.push(value);
  else target.set(key, [present, value]);
}
