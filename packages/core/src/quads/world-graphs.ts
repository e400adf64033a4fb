import { DEFAULT_GRAPH, type TermId } from '../contracts/term-source.ts';
import { lowerBound } from './bounds.ts';

/** The graphs of one world, each with its context. Immutable. */
export class WorldGraphs {
  /** The world's number in its namespace; never reused. */
  readonly world: number;
  readonly defaultContext: number;
  /** The named graphs, including empty ones, ascending by id. */
  readonly graphs: Uint32Array;
  /** Parallel to `graphs`. */
  readonly contexts: Uint32Array;

  constructor(world: number, defaultContext: number, graphs: Uint32Array, contexts: Uint32Array) {
    this.world = world;
    this.defaultContext = defaultContext;
    this.graphs = graphs;
    this.contexts = contexts;
  }

  /** Returns the context of a graph, or -1 if the world has no such graph. */
  contextOf(graph: TermId): number {
    if (graph === DEFAULT_GRAPH) return this.defaultContext;
    const at = lowerBound(this.graphs, 0, this.graphs.length, graph);
    return at < this.graphs.length && this.graphs[at] === graph ? this.contexts[at] : -1;
  }

  /**
   * Returns a copy with additional graphs; existing ones keep their contexts. Copies the columns
   * instead of sorting, since an update may add thousands of graphs one by one.
   */
  with(added: ReadonlyMap<TermId, number>): WorldGraphs {
    if (added.size === 0) return this;
    const { length } = this.graphs;
    const columns = new GraphColumns(this, length + added.size);
    let from = 0;
    for (const graph of Uint32Array.from(added.keys()).sort()) {
      const to = lowerBound(this.graphs, from, length, graph);
      columns.copy(from, to);
      if (to === length || this.graphs[to] !== graph) columns.push(graph, added.get(graph)!);
      from = to;
    }
    columns.copy(from, length);
    return columns.finish();
  }

  without(dropped: ReadonlySet<TermId>): WorldGraphs {
    const { length } = this.graphs;
    const columns = new GraphColumns(this, length);
    let from = 0;
    for (const graph of Uint32Array.from(dropped).sort()) {
      const to = lowerBound(this.graphs, from, length, graph);
      columns.copy(from, to);
      from = to < length && this.graphs[to] === graph ? to + 1 : to;
    }
    columns.copy(from, length);
    return columns.length === length ? this : columns.finish();
  }

  /**
   * Returns the named graphs, with their contexts, that another state of the world does not have,
   * or has in other contexts. One pass: a commit to a world of 100,000 graphs asks for them.
   */
  notIn(other: WorldGraphs): { readonly graphs: TermId[]; readonly contexts: number[] } {
    const { length } = other.graphs;
    const graphs: TermId[] = [];
    const contexts: number[] = [];
    let at = 0;
    for (let i = 0; i < this.graphs.length; i++) {
      const graph = this.graphs[i];
      while (at < length && other.graphs[at] < graph) at++;
      if (at < length && other.graphs[at] === graph && other.contexts[at] === this.contexts[i]) continue;
      graphs.push(graph);
      contexts.push(this.contexts[i]);
    }
    return { graphs, contexts };
  }

  /** Returns whether both have the same graphs in the same contexts. */
  equals({ graphs, contexts }: WorldGraphs): boolean {
    return (
      this.graphs.length === graphs.length &&
      graphs.every((graph, i) => this.graphs[i] === graph && this.contexts[i] === contexts[i])
    );
  }

  /** The ids of the named graphs from an id on. */
  from(id: TermId): Uint32Array {
    return this.graphs.subarray(lowerBound(this.graphs, 0, this.graphs.length, id));
  }

  /** Returns the same graphs, those from an id on under other ids. */
  renamed(from: TermId, rename: (graph: TermId) => TermId): WorldGraphs {
    const { world, defaultContext, graphs, contexts } = this;
    const start = graphs.length - this.from(from).length;
    if (start === graphs.length) return this;
    const rest = new WorldGraphs(world, defaultContext, graphs.subarray(0, start), contexts.subarray(0, start));
    const added = new Map<TermId, number>();
    for (let i = start; i < graphs.length; i++) added.set(rename(graphs[i]), contexts[i]);
    return rest.with(added);
  }
}

/** Graph columns assembled from blocks of existing ones. */
/** Graphs that are copied one by one. */
const SHORT_RANGE = 16;

class GraphColumns {
  length = 0;
  private readonly of: WorldGraphs;
  private readonly graphs: Uint32Array;
  private readonly contexts: Uint32Array;

  constructor(of: WorldGraphs, capacity: number) {
    this.of = of;
    this.graphs = new Uint32Array(capacity);
    this.contexts = new Uint32Array(capacity);
  }

  copy(from: number, to: number): void {
    // Between new graphs there are mostly few: a view of each such range would take longer.
    if (to - from <= SHORT_RANGE) {
      for (let i = from; i < to; i++) this.push(this.of.graphs[i], this.of.contexts[i]);
      return;
    }
    this.graphs.set(this.of.graphs.subarray(from, to), this.length);
    this.contexts.set(this.of.contexts.subarray(from, to), this.length);
    this.length += to - from;
  }

  push(graph: TermId, context: number): void {
    this.graphs[this.length] = graph;
    this.contexts[this.length++] = context;
  }

  finish(): WorldGraphs {
    const { world, defaultContext } = this.of;
    return new WorldGraphs(
      world,
      defaultContext,
      this.graphs.subarray(0, this.length),
      this.contexts.subarray(0, this.length),
    );
  }
}
