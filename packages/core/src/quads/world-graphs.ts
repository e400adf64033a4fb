import { DEFAULT_GRAPH, type TermId } from '../storage/term-source.ts';
import { lowerBound } from './bounds.ts';

/** The graphs of one world, each with its context. Immutable. */
export class WorldGraphs {
  /** The world's number in its namespace; never used again after the world is gone. */
  readonly world: number;
  readonly defaultContext: number;
  /** The named graphs, empty ones too, ascending by id. */
  readonly graphs: Uint32Array;
  /** Beside `graphs`. */
  readonly contexts: Uint32Array;

  constructor(world: number, defaultContext: number, graphs: Uint32Array, contexts: Uint32Array) {
    this.world = world;
    this.defaultContext = defaultContext;
    this.graphs = graphs;
    this.contexts = contexts;
  }

  /** The context of a graph, or -1 if the world has no such graph. */
  contextOf(graph: TermId): number {
    if (graph === DEFAULT_GRAPH) return this.defaultContext;
    const at = lowerBound(this.graphs, 0, this.graphs.length, graph);
    return at < this.graphs.length && this.graphs[at] === graph ? this.contexts[at] : -1;
  }

  with(added: ReadonlyMap<TermId, number>): WorldGraphs {
    if (added.size === 0) return this;
    const all = new Map(added);
    for (let i = 0; i < this.graphs.length; i++) all.set(this.graphs[i], this.contexts[i]);
    return this.of(all);
  }

  without(dropped: ReadonlySet<TermId>): WorldGraphs {
    const rest = new Map<TermId, number>();
    for (let i = 0; i < this.graphs.length; i++) {
      if (!dropped.has(this.graphs[i])) rest.set(this.graphs[i], this.contexts[i]);
    }
    return rest.size === this.graphs.length ? this : this.of(rest);
  }

  /** Whether both are the same graphs in the same contexts. */
  equals({ graphs, contexts }: WorldGraphs): boolean {
    return (
      this.graphs.length === graphs.length &&
      graphs.every((graph, i) => this.graphs[i] === graph && this.contexts[i] === contexts[i])
    );
  }

  /** The same graphs under other ids. */
  renamed(rename: (graph: TermId) => TermId): WorldGraphs {
    const all = new Map<TermId, number>();
    for (let i = 0; i < this.graphs.length; i++) all.set(rename(this.graphs[i]), this.contexts[i]);
    return this.of(all);
  }

  private of(all: ReadonlyMap<TermId, number>): WorldGraphs {
    const graphs = Uint32Array.from(all.keys()).sort();
    const contexts = Uint32Array.from(graphs, (graph) => all.get(graph)!);
    return new WorldGraphs(this.world, this.defaultContext, graphs, contexts);
  }
}
