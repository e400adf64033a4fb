import type { IriBase } from '../../model/iri.ts';
import { type Context, isObject, type JsonObject, type TermDefinition } from './context.ts';
import { ContextProcessor } from './context-processor.ts';
import { AS_REFERENCE, AS_TYPE, AS_VOCAB, expandIri, type IriExpansion } from './expand-iri.ts';
import { expandMapContainer } from './expand-map.ts';
import { type Expanded, type ExpandedObject, finishObject, PARTS, push } from './expanded-objects.ts';
import { expandFrameKeyword, type FrameExpander, finishFrame, framingKeyword, isWildcard } from './frame-keywords.ts';
import { hasScheme, isFramingKeyword, isKeyword, looksLikeIri } from './keywords.ts';
import { NodeParts } from './node-parts.ts';
import { invalidJsonLd, type JsonLdWork, type Kernel, shown } from './work.ts';

/** A node under expansion. */
interface Node {
  readonly result: ExpandedObject;
  readonly parts: NodeParts;
  readonly active: Context;
  readonly property: string | null;
  /** The context in which the node's types are expanded. */
  readonly typeContext: Context;
  /** The expanded last value of its first `@type`. */
  readonly inputType: string | null;
}

/**
 * Expansion (JSON-LD 1.1 API section 5.1.2) of one document, as kernels: they yield periodically,
 * for the slicer, and for each remote context. Throws INVALID_RDF and LIMIT_EXCEEDED.
 */
export class Expander implements FrameExpander {
  readonly contexts: ContextProcessor;
  readonly work: JsonLdWork;
  private readonly baseUrl: IriBase | undefined;
  /** The frameExpansion flag: the document is a frame, and its values are patterns. */
  private isFrame: boolean;
  /** Whether large nodes are split; frames are compiled as one. */
  private readonly isSplit: boolean;

  constructor(base: IriBase | undefined, work: JsonLdWork, { frame = false } = {}) {
    this.baseUrl = base;
    this.work = work;
    this.isFrame = frame;
    this.isSplit = !frame;
    this.contexts = new ContextProcessor(base, work, { frame });
  }

  /** Returns the nodes of a document. `given` is a context applied before its own. */
  *document(document: unknown, given: unknown): Kernel<readonly ExpandedObject[]> {
    const active = yield* this.contexts.embedded(this.contexts.initial, given, this.baseUrl);
    let expanded = yield* this.expand(active, null, document, false);
    if (expanded && !Array.isArray(expanded) && '@graph' in expanded && Object.keys(expanded).length === 1)
      expanded = expanded['@graph'] as ExpandedObject[];
    return asArray(expanded);
  }

  iri(active: Context, value: string, how: IriExpansion): string | null {
    return expandIri(active, value, how, this.work.meter);
  }

  /** Expands one value of a property. Returns null for values without meaning. */
  *expand(active: Context, property: string | null, element: unknown, fromMap: boolean): Kernel<Expanded> {
    if (this.work.step()) yield;
    if (element === null) return null;
    if (Array.isArray(element)) return yield* this.array(active, property, element, fromMap);
    const definition = property === null ? undefined : active.term(property);
    if (isObject(element)) return yield* this.object(active, property, definition, element, fromMap);
    if (property === null || property === '@graph') return null;
    if (definition?.context !== undefined) active = yield* this.contexts.scopedToProperty(active, definition);
    return this.value(active, property, element);
  }

  /** Step 5. */
  private *array(active: Context, property: string | null, items: unknown[], fromMap: boolean): Kernel<Expanded> {
    const definition = property === null ? undefined : active.term(property);
    const isList = definition?.container.has('@list') ?? false;
    const isPlain = property !== null && property !== '@graph' && definition?.context === undefined;
    const result: ExpandedObject[] = [];
    for (const item of items) {
      if (isPlain && typeof item !== 'object') {
        result.push(this.value(active, property, item));
        if (this.work.step()) yield;
        continue;
      }
      const expanded = yield* this.expand(active, property, item, fromMap);
      if (expanded === null) continue;
      if (!Array.isArray(expanded)) result.push(expanded);
      else if (isList) result.push({ '@list': expanded });
      else yield* this.append(result, expanded);
    }
    return result;
  }

  /** "If active property is @default, initialize the frameExpansion flag to false" (step 2). */
  *data(active: Context, property: string, value: unknown): Kernel<Expanded> {
    this.isFrame = false;
    const expanded = yield* this.expand(active, property, value, false);
    this.isFrame = true;
    return expanded;
  }

  /** Appends values to a result. A kernel, since there may be too many for one slice. */
  *append(result: ExpandedObject[], values: readonly ExpandedObject[]): Kernel<void> {
    for (const value of values) {
      result.push(value);
      if (this.work.step()) yield;
    }
  }

  /** Value Expansion (section 5.3.2). */
  value(active: Context, property: string, value: unknown): ExpandedObject {
    const definition = active.term(property);
    const type = definition?.type;
    if (typeof value === 'string') {
      if (type === '@id') return { '@id': this.iri(active, value, AS_REFERENCE) };
      if (type === '@vocab') return { '@id': this.iri(active, value, AS_TYPE) };
    }
    if (type !== undefined && type !== '@id' && type !== '@vocab' && type !== '@none')
      return { '@value': value, '@type': type };
    if (typeof value !== 'string') return { '@value': value };
    const result: ExpandedObject = { '@value': value };
    const language = definition?.language === undefined ? active.language : definition.language;
    const direction = definition?.direction === undefined ? active.direction : definition.direction;
    if (language !== null) result['@language'] = language;
    if (direction !== null) result['@direction'] = direction;
    return result;
  }

  /** Steps 7 to 20. */
  private *object(
    active: Context,
    property: string | null,
    definition: TermDefinition | undefined,
    element: JsonObject,
    fromMap: boolean,
  ): Kernel<Expanded> {
    // Step 7: a context that does not propagate does not apply to other nodes.
    if (active.previous && !fromMap && !(yield* this.isValueOrReference(active, element))) active = active.previous;
    if (definition?.context !== undefined) active = yield* this.contexts.scopedToProperty(active, definition);
    if (element.has('@context')) active = yield* this.contexts.embedded(active, element.get('@context'), this.baseUrl);

    // Step 11
    const typeContext = active;
    const typeKeys: string[] = [];
    for (const key of element.keys()) {
      if (this.work.step()) yield;
      if (key === '@type' || active.term(key)?.iri === '@type') typeKeys.push(key);
    }
    let inputType: string | null = null;
    if (typeKeys.length > 0) {
      typeKeys.sort();
      const last = asArray<unknown>(element.get(typeKeys[0])).at(-1);
      for (const key of typeKeys) active = yield* this.scopedToTypes(active, typeContext, element.get(key));
      if (typeof last === 'string') inputType = this.iri(active, last, AS_VOCAB);
    }
    const result: ExpandedObject = {};
    const parts = new NodeParts(result, { isSplit: this.isSplit });
    const node: Node = { result, parts, active, property, typeContext, inputType };
    yield* this.members(node, element);
    return this.isFrame ? finishFrame(result) : finishObject(result, property);
  }

  /** Step 7: "an entry expanding to `@value`, or a single entry expanding to `@id`". */
  private *isValueOrReference(active: Context, element: JsonObject): Kernel<boolean> {
    for (const key of element.keys()) {
      const keyword = key.startsWith('@') ? key : active.term(key)?.iri;
      if (keyword === '@value' || (keyword === '@id' && element.size === 1)) return true;
      if (this.work.step()) yield;
    }
    return false;
  }

  /** Step 11.2. */
  private *scopedToTypes(active: Context, typeContext: Context, types: unknown): Kernel<Context> {
    const scoped: string[] = [];
    for (const type of asArray<unknown>(types)) {
      if (typeof type === 'string' && typeContext.term(type)?.context !== undefined) scoped.push(type);
      if (this.work.step()) yield;
    }
    for (const type of [...new Set(scoped)].sort())
      active = yield* this.contexts.scopedToType(active, typeContext.term(type)!);
    return active;
  }

  /** Steps 13 and 14: expands the members of a node and those nested in it. */
  private *members(node: Node, element: JsonObject): Kernel<void> {
    const nests: string[] = [];
    for (const [key, value] of element) {
      if (this.work.step()) yield;
      if (key === '@context') continue;
      const framing = this.isFrame ? framingKeyword(node.active, key) : undefined;
      const expanded = framing ?? this.iri(node.active, key, AS_VOCAB);
      if (expanded === null) continue;
      // The data of a @default in a frame has no framing keywords.
      if (!this.isFrame && isFramingKeyword(expanded)) continue;
      if (framing !== undefined || isKeyword(expanded)) {
        if (expanded === '@nest') nests.push(key);
        else yield* this.keyword(node, expanded, value);
      } else if (hasScheme(expanded)) {
        // A name with a colon that is neither a term nor an IRI is not mapped.
        if (expanded !== key || looksLikeIri(key) || key.startsWith('_:') || node.active.term(key))
          yield* this.member(node, key, expanded, value);
      } else this.checkRelative(node.active, key, expanded);
    }
    for (const key of nests.sort()) yield* this.nested(node, key, element.get(key));
  }

  /**
   * Throws for a name mapped through a relative vocabulary, which would be dropped with its data.
   */
  private checkRelative({ vocab }: Context, key: string, expanded: string): void {
    if (vocab !== null && expanded !== key)
      invalidJsonLd(`the @vocab ${shown(vocab)} is relative, so its terms would be dropped: pass a base IRI`);
  }

  /**
   * Step 14: "recursively repeat steps 3, 8, 13, and 14 using nesting-key for active property, and
   * nested value for element".
   */
  private *nested(node: Node, key: string, value: unknown): Kernel<void> {
    const definition = node.active.term(key);
    let { active } = node;
    if (definition?.context !== undefined) active = yield* this.contexts.scopedToProperty(active, definition);
    for (const nested of asArray<unknown>(value)) {
      if (!isObject(nested))
        return invalidJsonLd(`invalid @nest value: ${shown(nested)} is not an object of properties`);
      for (const name of nested.keys()) {
        if (this.work.step()) yield;
        if (this.iri(active, name, AS_VOCAB) === '@value')
          invalidJsonLd('invalid @nest value: expected an object of properties, found a value');
      }
      yield* this.members({ ...node, active }, nested);
    }
  }

  /** Step 13.4. */
  private *keyword(node: Node, keyword: string, value: unknown): Kernel<void> {
    const { result, active, property } = node;
    if (property === '@reverse') invalidJsonLd(`invalid reverse property map: ${keyword} cannot be a reverse property`);
    // The algorithm allows two keywords to recur; `@reverse` may recur too, since a term for a
    // reverse property may precede it.
    if (keyword in result && keyword !== '@included' && keyword !== '@type' && keyword !== '@reverse')
      invalidJsonLd(`colliding keywords: an object has two members that mean ${keyword}`);
    const framed = this.isFrame ? yield* expandFrameKeyword(this, node, keyword, value) : undefined;
    if (framed !== undefined) {
      result[keyword] = framed;
      return;
    }
    switch (keyword) {
      case '@id':
        if (typeof value !== 'string') return invalidJsonLd(`invalid @id value: ${shown(value)} is not a string`);
        result['@id'] = this.iri(active, value, AS_REFERENCE);
        return;
      case '@type': {
        const before = result['@type'];
        const types = before === undefined ? [] : asArray<string | null>(before);
        for (const type of asArray<unknown>(value)) {
          if (typeof type !== 'string') return invalidJsonLd(`invalid type value: ${shown(type)} is not a string`);
          types.push(this.iri(node.typeContext, type, AS_TYPE));
          if (this.work.step()) yield;
        }
        result['@type'] = before !== undefined || Array.isArray(value) ? types : types[0];
        return;
      }
      case '@graph':
        result['@graph'] = asArray(yield* this.expand(active, '@graph', value, false));
        return;
      case '@included': {
        // Expanded under a property name, so that values are rejected rather than dropped.
        const included = asArray<ExpandedObject>(yield* this.expand(active, '@included', value, false));
        for (const item of included) {
          if ('@value' in item || '@list' in item) invalidJsonLd('invalid @included value: only nodes can be included');
          push(result, '@included', item);
          if (this.work.step()) yield;
        }
        return;
      }
      case '@value':
        if (node.inputType !== '@json' && typeof value === 'object' && value !== null)
          invalidJsonLd(`invalid value object value: the @value is ${shown(value)}`);
        result['@value'] = value;
        return;
      case '@language':
        if (typeof value !== 'string')
          invalidJsonLd(`invalid language-tagged string: ${shown(value)} is not a language`);
        result['@language'] = value;
        return;
      case '@direction':
        if (value !== 'ltr' && value !== 'rtl')
          invalidJsonLd(`invalid base direction: ${shown(value)}; it must be "ltr" or "rtl"`);
        result['@direction'] = value;
        return;
      case '@index':
        if (typeof value !== 'string') invalidJsonLd(`invalid @index value: ${shown(value)} is not a string`);
        result['@index'] = value;
        return;
      case '@list':
        // Step 13.4.11.1: a list that is not a property value is dropped.
        if (property === null || property === '@graph') return;
        result['@list'] = asArray(yield* this.expand(active, property, value, false));
        return;
      case '@set':
        result['@set'] = yield* this.expand(active, property, value, false);
        return;
      case '@reverse':
        yield* this.reverse(node, value);
    }
  }

  /** Step 13.4.13. */
  private *reverse({ parts, active }: Node, value: unknown): Kernel<void> {
    if (!isObject(value)) return invalidJsonLd(`invalid @reverse value: ${shown(value)} is not an object`);
    const expanded = ((yield* this.expand(active, '@reverse', value, false)) ?? {}) as ExpandedObject;
    for (const part of [expanded, ...asArray<ExpandedObject>(expanded[PARTS])]) {
      for (const [property, items] of Object.entries(part)) {
        if (property === PARTS) continue;
        if (property === '@reverse') {
          for (const [name, reversed] of Object.entries(items as ExpandedObject))
            for (const item of asArray<ExpandedObject>(reversed)) {
              push(parts.of(name), name, item);
              if (this.work.step()) yield;
            }
        } else yield* this.addReverse(parts, property, asArray<ExpandedObject>(items));
      }
    }
  }

  private *addReverse(parts: NodeParts, property: string, items: readonly ExpandedObject[]): Kernel<void> {
    const reversed = parts.reversedOf(property);
    for (const item of items) {
      if ('@value' in item || '@list' in item)
        invalidJsonLd(`invalid reverse property value: <${property}> has a value or list as its subject`);
      push(reversed, property, item);
      if (this.work.step()) yield;
    }
  }

  /** Steps 13.5 to 13.14. */
  private *member(node: Node, key: string, expandedKey: string, value: unknown): Kernel<void> {
    const { parts, active } = node;
    const definition = active.term(key);
    let expanded: Expanded;
    if (!definition) {
      expanded =
        typeof value === 'object' ? yield* this.expand(active, key, value, false) : this.value(active, key, value);
    } else {
      const { container, type } = definition;
      if (type === '@json') expanded = { '@value': value, '@type': '@json' };
      else if (
        isObject(value) &&
        !(this.isFrame && isWildcard(active, value)) &&
        (container.has('@language') || container.has('@index') || container.has('@type') || container.has('@id'))
      )
        expanded = yield* expandMapContainer(this, active, key, definition, value);
      else expanded = yield* this.expand(active, key, value, false);
      if (expanded === null) return;
      if (container.has('@list') && (Array.isArray(expanded) || !('@list' in expanded)))
        expanded = { '@list': asArray<ExpandedObject>(expanded) };
      if (container.has('@graph') && !container.has('@id') && !container.has('@index')) {
        const graphs: ExpandedObject[] = [];
        for (const item of asArray<ExpandedObject>(expanded)) {
          graphs.push({ '@graph': [item] });
          if (this.work.step()) yield;
        }
        expanded = graphs;
      }
      if (definition.reverse) {
        yield* this.addReverse(parts, expandedKey, asArray<ExpandedObject>(expanded));
        return;
      }
    }
    if (expanded === null) return;
    const result = parts.of(expandedKey);
    if (!Array.isArray(expanded)) push(result, expandedKey, expanded);
    else if (result[expandedKey] === undefined) result[expandedKey] = expanded;
    else yield* this.append(result[expandedKey] as ExpandedObject[], expanded);
  }
}

function asArray<Value>(value: unknown): Value[] {
  if (Array.isArray(value)) return value;
  return value === null || value === undefined ? [] : [value as Value];
}
