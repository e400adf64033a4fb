import type { QuadSource } from '../../contracts/quad-source.ts';
import type { TermBytesSource } from '../../contracts/term-bytes.ts';
import { DEFAULT_GRAPH, NO_TERM, type TermId } from '../../contracts/term-source.ts';
import { limitExceeded } from '../../model/request-limits.ts';
import { hasId } from './dataset-lists.ts';
import type { DatasetNodesOptions } from './dataset-nodes.ts';
import { type ExpandedObject, push } from './expanded-objects.ts';
import { type Frame, type FrameCompiler, type FrameFlags, NULL_VALUE } from './frame.ts';
import { FrameMatcher } from './frame-matcher.ts';
import { FramedGraph } from './framed-graph.ts';
import type { JsonLdWork } from './work.ts';

type Framing<Result> = Generator<undefined, Result>;

/** Estimated bytes of a counted identifier. */
const COUNT_BYTES = 96;
/** Estimated bytes of the state of one graph, without what is read from it. */
const GRAPH_BYTES = 4096;

/** A graph with what framing needs for it. */
interface GraphState {
  readonly graph: FramedGraph;
  readonly matcher: FrameMatcher;
  /** The nodes embedded in the current result: "existing embedded node". */
  readonly embedded: Set<TermId>;
  /** The nodes that contain the current one. */
  readonly open: Set<TermId>;
}

/** Where a node is added. */
interface Place {
  readonly state: GraphState;
  /** The embedded flag: false at the top, in `@graph` and in `@included`. */
  readonly embedded: boolean;
  /** Whether the list of subjects to frame is the whole graph. */
  readonly hasAll: boolean;
}

export interface FramerOptions extends DatasetNodesOptions {
  /** Frames all graphs as one; otherwise the default graph. */
  readonly merged: boolean;
  /** Leaves out identifiers of blank nodes that {@link Framer.count} found once. */
  readonly prune: boolean;
  readonly compiler: FrameCompiler;
  readonly work: JsonLdWork;
}

/**
 * The Framing Algorithm (JSON-LD 1.1 Framing section 2.3) over a dataset, one result at a time.
 * Only the nodes that match or are embedded are read. Order is that of the source, as with the
 * `ordered` flag if the source orders terms lexicographically.
 *
 * Frames twice: {@link count} finds the blank nodes whose identifiers are not needed, and
 * {@link results} yields the results, so that they need not be in memory together.
 *
 * Throws LIMIT_EXCEEDED for nodes embedded too deeply, UNSUPPORTED for triple terms.
 */
export class Framer {
  /** Number of results, after {@link count}. */
  total = 0;
  private readonly source: QuadSource;
  private readonly terms: TermBytesSource;
  private readonly options: DatasetNodesOptions;
  private readonly compiler: FrameCompiler;
  private readonly work: JsonLdWork;
  private readonly graphs = new Map<TermId, GraphState>();
  /** The graphs that the current result has reached. */
  private readonly reached = new Set<GraphState>();
  private readonly root: GraphState;
  private readonly implicits = new Map<string, Frame>();
  private readonly isMerged: boolean;
  private readonly prune: boolean;
  /** Maps a blank node to whether it occurs more than once. */
  private readonly blanks = new Map<TermId, boolean>();
  private isCounting = false;
  /** Number of graphs whose state is held. */
  private graphCount = 0;
  private depth = 0;

  constructor(
    source: QuadSource,
    terms: TermBytesSource,
    { merged, prune, compiler, work, ...options }: FramerOptions,
  ) {
    this.source = source;
    this.terms = terms;
    this.options = options;
    this.compiler = compiler;
    this.work = work;
    this.prune = prune;
    this.isMerged = merged && source.graphs.length > 0;
    // Framing section 2: "By default, framing uses a merged graph, composed of all the node objects
    // across all graphs within the input."
    const whole = this.isMerged ? source.merged() : source;
    this.root = this.stateOf(new FramedGraph(whole, terms, DEFAULT_GRAPH, source.graphs, options));
    if (!this.isMerged) this.graphs.set(DEFAULT_GRAPH, this.root);
    this.reached.add(this.root);
  }

  /** Counts the results and the occurrences of blank nodes in them. */
  *count(frame: Frame): Framing<void> {
    this.isCounting = true;
    for (const result of this.results(frame)) {
      if (result) this.total++;
      yield;
    }
    this.isCounting = false;
  }

  /** Yields the results, and undefined to allow a pause. A result is released with the next one. */
  *results(frame: Frame): Generator<ExpandedObject | undefined, void> {
    const { graph, matcher } = this.root;
    const place: Place = { state: this.root, embedded: false, hasAll: true };
    for (const id of yield* matcher.candidates(frame)) {
      if (this.work.step()) yield;
      if (!(yield* matcher.matches(frame, frame.flags.requireAll, id))) continue;
      const result = yield* this.node(place, id, frame);
      if (result) yield result;
      this.forgetResult();
    }
    graph.nodes.release();
  }

  private forgetResult(): void {
    for (const { embedded, graph } of this.reached) {
      embedded.clear();
      graph.nodes.release();
    }
    this.reached.clear();
    this.reached.add(this.root);
  }

  /** Releases the memory claimed for the graphs. */
  end(): void {
    for (const { graph } of [this.root, ...this.graphs.values()]) graph.end();
    this.options.memory?.claimMemory(-this.graphCount * GRAPH_BYTES - this.blanks.size * COUNT_BYTES);
    this.graphCount = 0;
    this.blanks.clear();
  }

  /** Step 4: returns the output for a matched node; undefined if it is already embedded. */
  private *node(place: Place, id: TermId, frame: Frame): Framing<ExpandedObject | undefined> {
    const { state, embedded } = place;
    // Step 4.2: "If the embedded flag in state is false and there is an existing embedded node in
    // parent ... do not perform additional processing for this node."
    if (!embedded && state.embedded.has(id)) return undefined;
    const output = this.reference(state, id);
    const { flags } = frame;
    if (embedded) {
      // Steps 4.3 and 4.4
      if (flags.embed === '@never' || state.open.has(id)) return output;
      if (flags.embed === '@once' && state.embedded.has(id)) return output;
    }
    const { limits } = this.work;
    if (++this.depth > limits.maxFrameDepth) throw limitExceeded('maxFrameDepth', limits);
    state.embedded.add(id);
    state.open.add(id);
    if (hasId(this.source.graphs, id)) yield* this.graphOf(state, id, frame, output);
    // Step 4.6. Elsewhere, the only subject is the node itself, which is embedded already.
    if (frame.included && place.hasAll)
      yield* this.all({ ...place, embedded: false }, frame.included, (node) => push(output, '@included', node));
    yield* this.properties(state, id, frame, output);
    yield* this.defaults(state, frame, output);
    if (frame.reverse.size > 0) yield* this.reversed(state, id, frame, output);
    state.open.delete(id);
    this.depth--;
    return output;
  }

  /** Adds the nodes of a graph that match a frame. */
  private *all(place: Place, frame: Frame, add: (node: ExpandedObject) => void): Framing<void> {
    const { matcher } = place.state;
    for (const id of yield* matcher.candidates(frame)) yield* this.one(place, id, frame, add);
  }

  /** Adds a node if it matches a frame. */
  private *one(place: Place, id: TermId, frame: Frame, add: (node: ExpandedObject) => void): Framing<void> {
    if (this.work.step()) yield;
    if (!(yield* place.state.matcher.matches(frame, frame.flags.requireAll, id))) return;
    const node = yield* this.node(place, id, frame);
    if (node) add(node);
  }

  /** Step 4.5: adds the nodes of the graph that a node is the name of. */
  private *graphOf(state: GraphState, id: TermId, frame: Frame, output: ExpandedObject): Framing<void> {
    // "If frame does not have a @graph entry, set recurse to true, unless graph name in state is
    // @merged, and set subframe to a new empty map."
    if (!frame.graph && this.isMerged && state === this.root) return;
    let inner = this.graphs.get(id);
    if (!inner) {
      inner = this.stateOf(new FramedGraph(this.source, this.terms, id, this.source.graphs, this.options));
      this.graphs.set(id, inner);
    }
    this.reached.add(inner);
    const subframe = frame.graph ?? this.implicit(this.compiler.flags);
    yield* this.all({ state: inner, embedded: false, hasAll: true }, subframe, (node) => push(output, '@graph', node));
  }

  /** Step 4.7 */
  private *properties(state: GraphState, id: TermId, frame: Frame, output: ExpandedObject): Framing<void> {
    const { nodes } = state.graph;
    const { flags } = frame;
    let predicate: TermId = NO_TERM;
    let property = '';
    for (const batch of state.graph.triples(id)) {
      for (let row = 0; row < batch.length; row++) {
        if (this.work.step()) yield;
        const object = batch.object[row];
        if (nodes.isType(batch.predicate[row], object)) {
          this.addType(state, object, output);
          continue;
        }
        if (batch.predicate[row] !== predicate) property = nodes.id((predicate = batch.predicate[row]));
        const frames = frame.properties.get(property);
        // Step 4.7.2: "if property is not in frame, and explicit is true, processors MUST NOT add
        // any values for property to output".
        if (flags.explicit && !frames) continue;
        yield* this.value(state, object, frames, flags, (value) => push(output, property, value));
      }
    }
  }

  /** Step 4.7.3: adds a value of a property. */
  private *value(
    state: GraphState,
    object: TermId,
    frames: readonly Frame[] | undefined,
    flags: FrameFlags,
    add: (value: ExpandedObject) => void,
  ): Framing<void> {
    const { graph, matcher } = state;
    const kind = graph.kind(object);
    const items = kind === 'blank' ? yield* graph.lists.at(object) : undefined;
    const place: Place = { state, embedded: true, hasAll: false };
    if (items) {
      const subframe = frames?.[0]?.list ?? this.implicit(flags);
      const list: ExpandedObject[] = [];
      for (const item of items) {
        if (this.work.step()) yield;
        if (this.isReference(state, item) && !(yield* graph.isInline(item)))
          yield* this.one(place, item, subframe, (node) => list.push(node));
        else list.push(yield* this.copy(state, item));
      }
      add({ '@list': list });
    } else if (this.isReference(state, object) && !(yield* graph.isInline(object)))
      yield* this.one(place, object, frames?.[0] ?? this.implicit(flags), add);
    else if (yield* this.includes(matcher, frames, object)) add(yield* this.copy(state, object));
  }

  /**
   * Whether a literal is written. Value patterns select among the values of a property, as in the
   * tests of the specification.
   */
  private *includes(matcher: FrameMatcher, frames: readonly Frame[] | undefined, value: TermId): Framing<boolean> {
    if (this.isCounting || !frames?.some((pattern) => pattern.value)) return true;
    for (const { value: pattern } of frames) {
      if (this.work.step()) yield;
      if (!pattern || (yield* matcher.matchesValue(pattern, value))) return true;
    }
    return false;
  }

  private isReference({ graph }: GraphState, id: TermId): boolean {
    return graph.kind(id) !== 'literal' && id !== graph.lists.nil;
  }

  /** Returns a literal, or a list in a list, as it is. */
  private *copy(state: GraphState, object: TermId): Framing<ExpandedObject> {
    const { graph } = state;
    if (!this.isCounting) return yield* graph.nodes.value(object, graph.graph, graph.lists);
    const items = graph.kind(object) === 'blank' ? yield* graph.lists.at(object) : undefined;
    for (const item of items ?? []) {
      if (this.work.step()) yield;
      if (graph.kind(item) !== 'blank') continue;
      // Its identifier is not in a node that framing makes, so it stays, and so do all others.
      if ((yield* graph.lists.at(item)) !== undefined) yield* this.copy(state, item);
      else this.see(item, 2);
    }
    return {};
  }

  /** Step 4.7.4: adds defaults for properties of the frame that the node lacks. */
  private *defaults({ graph }: GraphState, { properties, defaultType }: Frame, output: ExpandedObject): Framing<void> {
    if (defaultType !== undefined && !('@type' in output)) output['@type'] = [defaultType];
    if (this.isCounting) return;
    for (const [property, [first]] of properties) {
      if (this.work.step()) yield;
      if (property in output || (first ? first.omitDefault : this.compiler.omitDefault)) continue;
      graph.nodes.claim(0);
      output[property] = [first?.default ?? NULL_VALUE];
    }
  }

  /** Step 4.7.5: adds the nodes that refer to a node by a property of `@reverse`. */
  private *reversed(state: GraphState, id: TermId, frame: Frame, output: ExpandedObject): Framing<void> {
    const { graph } = state;
    for (const [property, subframe] of frame.reverse) {
      const predicate = graph.find(property);
      // A type is no reference to a node.
      if (predicate === NO_TERM || graph.nodes.isType(predicate, id)) continue;
      for (const { subject, length } of graph.subjects(predicate, id)) {
        for (let row = 0; row < length; row++) {
          if (yield* graph.isInline(subject[row])) continue;
          output['@reverse'] ??= {};
          const values = ((output['@reverse'] as ExpandedObject)[property] ??= []) as ExpandedObject[];
          const place: Place = { state, embedded: true, hasAll: false };
          yield* this.one(place, subject[row], subframe, (node) => values.push(node));
        }
      }
    }
  }

  private addType({ graph }: GraphState, type: TermId, output: ExpandedObject): void {
    if (this.isCounting && graph.kind(type) === 'blank') this.see(type, 1);
    graph.nodes.claim(0);
    const types = (output['@type'] ??= []) as string[];
    types.push(graph.nodes.id(type));
  }

  /** Returns the output for a node with its identifier, unless that is a blank node's only one. */
  private reference({ graph }: GraphState, id: TermId): ExpandedObject {
    graph.nodes.claim(0);
    if (graph.kind(id) === 'blank') {
      if (this.isCounting) this.see(id, 1);
      else if (this.prune && this.blanks.get(id) === false) return {};
    }
    return { '@id': graph.nodes.id(id) };
  }

  /** Counts occurrences of a blank node. */
  private see(blank: TermId, times: number): void {
    const isKnown = this.blanks.has(blank);
    if (!isKnown) this.options.memory?.claimMemory(COUNT_BYTES);
    this.blanks.set(blank, isKnown || times > 1);
  }

  private implicit(flags: FrameFlags): Frame {
    const key = `${flags.embed} ${flags.explicit} ${flags.requireAll}`;
    let frame = this.implicits.get(key);
    if (!frame) this.implicits.set(key, (frame = this.compiler.implicit(flags)));
    return frame;
  }

  private stateOf(graph: FramedGraph): GraphState {
    this.options.memory?.claimMemory(GRAPH_BYTES);
    this.graphCount++;
    return { graph, matcher: new FrameMatcher(graph, this.work), embedded: new Set(), open: new Set() };
  }
}
