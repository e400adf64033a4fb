import { NO_TERM, type TermId } from '../../contracts/term-source.ts';
import { RDF_JSON } from '../../model/vocabulary.ts';
import type { ExpandedObject } from './expanded-objects.ts';
import type { Frame, Strings, ValuePattern } from './frame.ts';
import type { FramedGraph } from './framed-graph.ts';
import { RawJson } from './json-output.ts';
import type { JsonLdWork } from './work.ts';

type Matching<Result = boolean> = Generator<undefined, Result>;

/** Number of matches of nodes and patterns that are remembered; a full cache is cleared. */
const CACHE_SIZE = 1 << 16;

/**
 * Frame Matching (JSON-LD 1.1 Framing section 3.2) for the nodes of one graph. Works on ids:
 * decodes only the values that a value pattern looks at.
 */
export class FrameMatcher {
  private readonly graph: FramedGraph;
  private readonly work: JsonLdWork;
  /** Results for node patterns: without and with `requireAll`. */
  private readonly known = [new Map<Frame, Map<TermId, boolean>>(), new Map<Frame, Map<TermId, boolean>>()];
  /** Number of entries in {@link known}, where a pattern counts as one more. */
  private remembered = 0;

  constructor(graph: FramedGraph, work: JsonLdWork) {
    this.graph = graph;
    this.work = work;
  }

  /** Returns nodes, ascending, among which are all that match. */
  *candidates({ ids, types }: Frame): Matching<Uint32Array> {
    const { graph } = this;
    if (typeof ids === 'object') {
      const found: TermId[] = [];
      for (const iri of ids) {
        if (this.work.step()) yield;
        const id = graph.find(iri);
        if (yield* graph.isNode(id)) found.push(id);
      }
      return Uint32Array.from(found).sort();
    }
    if (ids === undefined && typeof types === 'object') return yield* graph.withTypes(types);
    return yield* graph.allNodes();
  }

  /** Returns whether a node matches a frame. */
  *matches(frame: Frame, requireAll: boolean, node: TermId): Matching {
    const { ids, types, properties } = frame;
    let isMatched = properties.size === 0;
    // Step 2.3: "If property is @id or @type and does not match, node does not match, and
    // processing is terminated." Without requireAll one match is enough, so the first of them
    // decides.
    if (ids !== undefined) {
      // Step 2.1.2: also "if the @id property in frame is wildcard or match none".
      const matched = typeof ids === 'string' || ids.has(this.graph.nodes.id(node));
      if (!requireAll || !matched) return matched;
      isMatched = true;
    }
    if (types !== undefined) {
      const matched = yield* this.hasType(types, node);
      if (!requireAll || !matched) return matched;
      isMatched = true;
    }
    for (const [iri, patterns] of properties) {
      if (this.work.step()) yield;
      const predicate = this.graph.find(iri);
      const hasValues = yield* this.hasValues(node, predicate);
      // Step 2.6: "node does not match if values is not empty and the value of property in frame is
      // match none, and further matching is aborted".
      if (patterns.length === 0 && hasValues) return false;
      // Step 2.5: a default stands for the missing value if "any other property in node has a
      // non-default match".
      if (!hasValues && patterns[0]?.default !== undefined && patterns[0].isWildcard) continue;
      const matched = hasValues ? yield* this.anyMatches(patterns, requireAll, node, predicate) : patterns.length === 0;
      if (matched) isMatched = true;
      else if (requireAll) return false;
    }
    return isMatched;
  }

  /** Steps 2.7 to 2.10: whether one of the values of a property matches one of the patterns. */
  private *anyMatches(patterns: readonly Frame[], requireAll: boolean, node: TermId, predicate: TermId): Matching {
    if (patterns.some(({ isWildcard }) => isWildcard)) return true;
    for (const { object, length } of this.graph.triples(node, predicate)) {
      for (let row = 0; row < length; row++) {
        if (this.work.step()) yield;
        if (this.graph.nodes.isType(predicate, object[row])) continue;
        for (const pattern of patterns) {
          if (this.work.step()) yield;
          if (yield* this.valueMatches(pattern, requireAll, object[row])) return true;
        }
      }
    }
    return false;
  }

  private *valueMatches(pattern: Frame, requireAll: boolean, value: TermId): Matching {
    const { graph } = this;
    if (pattern.value) return yield* this.matchesValue(pattern.value, value);
    const kind = graph.kind(value);
    if (kind === 'literal') return false;
    const items = value === graph.lists.nil ? [] : kind === 'blank' ? yield* graph.lists.at(value) : undefined;
    if (!pattern.list) return items === undefined && (yield* this.isMatchingNode(pattern, requireAll, value));
    if (!items) return false;
    if (pattern.list.isWildcard) return true;
    // Lists match if one of their items does.
    for (const item of items) {
      if (this.work.step()) yield;
      if (yield* this.valueMatches(pattern.list, requireAll, item)) return true;
    }
    return false;
  }

  /**
   * Step 2.9: matches a node pattern recursively. Every pattern is inside of another, so it ends.
   */
  private *isMatchingNode(pattern: Frame, requireAll: boolean, node: TermId): Matching {
    const known = this.known[requireAll ? 1 : 0].get(pattern)?.get(node);
    if (known !== undefined) return known;
    const matched = yield* this.matches(pattern, requireAll, node);
    this.remember(pattern, requireAll, node, matched);
    return matched;
  }

  private remember(pattern: Frame, requireAll: boolean, node: TermId, matched: boolean): void {
    if (this.remembered >= CACHE_SIZE) {
      for (const patterns of this.known) patterns.clear();
      this.remembered = 0;
    }
    const patterns = this.known[requireAll ? 1 : 0];
    let nodes = patterns.get(pattern);
    if (!nodes) {
      patterns.set(pattern, (nodes = new Map()));
      this.remembered++;
    }
    nodes.set(node, matched);
    this.remembered++;
  }

  /** Value Pattern Matching (section 3.3). Returns false for a node. */
  *matchesValue(pattern: ValuePattern, value: TermId): Matching {
    const { nodes, lists, graph } = this.graph;
    const before = nodes.claimedBytes;
    const object = yield* nodes.value(value, graph, lists);
    nodes.release(before);
    return '@value' in object && matchesValueObject(pattern, object);
  }

  private *hasType(types: Strings | 'default', node: TermId): Matching {
    const { graph } = this;
    const { type } = graph.nodes;
    if (types === 'default') return true;
    if (typeof types === 'object') {
      for (const iri of types) {
        if (this.work.step()) yield;
        const id = graph.find(iri);
        if (id !== NO_TERM && type !== NO_TERM && graph.count(node, type, id) > 0) return true;
      }
      return false;
    }
    return (yield* this.hasValues(node, type, true)) === (types === 'any');
  }

  /** Whether a node has values of a property, or, for rdf:type, literals or types. */
  private *hasValues(node: TermId, predicate: TermId, areTypes = false): Matching {
    if (predicate === NO_TERM) return false;
    if (predicate !== this.graph.nodes.type) return this.graph.count(node, predicate, NO_TERM) > 0;
    for (const { object, length } of this.graph.triples(node, predicate)) {
      if (this.work.step()) yield;
      for (let row = 0; row < length; row++)
        if (this.graph.nodes.isType(predicate, object[row]) === areTypes) return true;
    }
    return false;
  }
}

/**
 * Section 3.3, step 3. A `@type` or `@language` that the pattern lacks must be absent from the
 * value, as in the tests of the specification.
 */
function matchesValueObject({ values, types, languages }: ValuePattern, object: ExpandedObject): boolean {
  const value = object['@value'];
  const text = value instanceof RawJson ? value.text : (value as string);
  const type = object['@type'] === '@json' ? RDF_JSON : (object['@type'] as string | undefined);
  const isJson = type === RDF_JSON && typeof types === 'object' && types.has('@json');
  return (
    includes(values, text) &&
    (isJson || includes(types, type)) &&
    includes(languages, (object['@language'] as string | undefined)?.toLowerCase())
  );
}

function includes(strings: Strings, value: string | undefined): boolean {
  if (typeof strings === 'string') return (value === undefined) === (strings === 'none');
  return value !== undefined && strings.has(value);
}
