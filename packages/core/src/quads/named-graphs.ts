import type { TermId } from '../contracts/term-source.ts';
import type { WorldGraphs } from './world-graphs.ts';

/** The contexts of one graph in the dataset. */
export interface GraphContexts {
  readonly graph: TermId;
  readonly contexts: Uint32Array;
}

/**
 * The named graphs of a dataset, each with its contexts. Immutable. Structures that grow with the
 * number of graphs are built on first use: an update creates a dataset for each operation that
 * reads, and most operations name their graph.
 */
export class NamedGraphs {
  /** Total number of contexts. */
  readonly contextCount: number;
  private readonly worlds: readonly WorldGraphs[] | undefined;
  private all: readonly GraphContexts[] | undefined;
  private names: Uint32Array | undefined;
  /** A cache of the graphs looked up so far; complete if there are no worlds. */
  private byGraph: Map<TermId, Uint32Array | undefined> | undefined;

  private constructor(worlds: readonly WorldGraphs[] | undefined, all: readonly GraphContexts[] | undefined) {
    this.worlds = worlds;
    this.all = all;
    let contextCount = 0;
    if (worlds) for (const { contexts } of worlds) contextCount += contexts.length;
    else for (const { contexts } of all!) contextCount += contexts.length;
    this.contextCount = contextCount;
  }

  /** @param graphs ascending by id */
  static of(graphs: readonly GraphContexts[]): NamedGraphs {
    return new NamedGraphs(undefined, graphs);
  }

  /** Returns the union of the worlds' graphs by name. */
  static ofWorlds(worlds: readonly WorldGraphs[]): NamedGraphs {
    return new NamedGraphs(worlds, undefined);
  }

  /** The graphs, ascending by id. */
  get list(): readonly GraphContexts[] {
    this.all ??= graphsOf(this.worlds!);
    return this.all;
  }

  get graphs(): Uint32Array {
    this.names ??=
      this.worlds?.length === 1 ? this.worlds[0].graphs : Uint32Array.from(this.list, ({ graph }) => graph);
    return this.names;
  }

  /** The contexts of all graphs, in no order. */
  get contexts(): Uint32Array {
    const contexts = new Uint32Array(this.contextCount);
    let length = 0;
    for (const part of this.worlds ?? this.all!) {
      contexts.set(part.contexts, length);
      length += part.contexts.length;
    }
    return contexts;
  }

  contextsOf(graph: TermId): Uint32Array | undefined {
    const { worlds } = this;
    if (!worlds) {
      this.byGraph ??= new Map(this.all!.map((entry) => [entry.graph, entry.contexts]));
      return this.byGraph.get(graph);
    }
    this.byGraph ??= new Map();
    const known = this.byGraph.get(graph);
    if (known || this.byGraph.has(graph)) return known;
    const contexts = contextsIn(worlds, graph);
    this.byGraph.set(graph, contexts);
    return contexts;
  }
}

function contextsIn(worlds: readonly WorldGraphs[], graph: TermId): Uint32Array | undefined {
  const contexts: number[] = [];
  for (const world of worlds) {
    const context = world.contextOf(graph);
    if (context >= 0) contexts.push(context);
  }
  return contexts.length === 0 ? undefined : Uint32Array.from(contexts).sort();
}

function graphsOf(worlds: readonly WorldGraphs[]): readonly GraphContexts[] {
  if (worlds.length === 1) {
    const [{ graphs, contexts }] = worlds;
    return Array.from(graphs, (graph, i) => ({ graph, contexts: contexts.subarray(i, i + 1) }));
  }
  const byGraph = new Map<TermId, number[]>();
  for (const { graphs, contexts } of worlds) {
    for (let i = 0; i < graphs.length; i++) {
      const list = byGraph.get(graphs[i]);
      if (list) list.push(contexts[i]);
      else byGraph.set(graphs[i], [contexts[i]]);
    }
  }
  const named: GraphContexts[] = [];
  for (const graph of Uint32Array.from(byGraph.keys()).sort()) {
    named.push({ graph, contexts: Uint32Array.from(byGraph.get(graph)!).sort() });
  }
  return named;
}
