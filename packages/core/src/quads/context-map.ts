import { ANY_NAMED_GRAPH, DEFAULT_GRAPH, NO_TERM, type TermId } from '../storage/term-source.ts';
import { type GraphContexts, NamedGraphs } from './named-graphs.ts';
import type { Snapshot } from './snapshot.ts';

/**
 * Up to so many contexts in one pattern, a range of each is merged; above, the permutations over
 * all contexts may be used.
 */
export const COLLECTION_THRESHOLD = 8;
/**
 * From so many contexts on they are used in any case: a search in each would cost more than passing
 * over foreign rows.
 */
const ALWAYS_FROM = 64;
/** Between the two they are used when the dataset is a good part (1 of 4) of what they hold. */
const WORTHWHILE_PART = 4;

/** Which contexts of the namespace make up a dataset, and as which graphs. */
export class ContextMap {
  /** The contexts that merge into the default graph, ascending. */
  readonly defaultContexts: Uint32Array;
  private readonly namedGraphs: NamedGraphs;
  private graphOfContext: Uint32Array | undefined;
  private isDefault: Uint8Array | undefined;
  private overlaps: boolean | undefined;

  /** @param named graphs ascending by id */
  constructor(defaultContexts: Uint32Array, named: readonly GraphContexts[] | NamedGraphs) {
    this.defaultContexts = defaultContexts;
    this.namedGraphs = named instanceof NamedGraphs ? named : NamedGraphs.of(named);
  }

  /** The named graphs, ascending by id, each with its contexts. */
  get named(): readonly GraphContexts[] {
    return this.namedGraphs.list;
  }

  get graphs(): Uint32Array {
    return this.namedGraphs.graphs;
  }

  private get namedContexts(): number {
    return this.namedGraphs.contextCount;
  }

  /** The same named graphs beside another default graph. */
  withDefault(defaultContexts: Uint32Array): ContextMap {
    return new ContextMap(defaultContexts, this.namedGraphs);
  }

  /** Whether a context is part of the default graph and of a named one. */
  get overlap(): boolean {
    this.overlaps ??= this.named.some(({ contexts }) =>
      contexts.some((context) => this.defaultContexts.includes(context)),
    );
    return this.overlaps;
  }

  contextsOf(graph: TermId): Uint32Array | undefined {
    return graph === DEFAULT_GRAPH ? this.defaultContexts : this.namedGraphs.contextsOf(graph);
  }

  /** How many contexts a pattern's graph position covers. */
  countContexts(graph: TermId): number {
    if (graph === NO_TERM) return this.defaultContexts.length + this.namedContexts;
    if (graph === ANY_NAMED_GRAPH) return this.namedContexts;
    return this.contextsOf(graph)?.length ?? 0;
  }

  /**
   * Whether patterns over many of these contexts are answered best from the permutations over all
   * contexts of the namespace.
   */
  wantsCollection(snapshot: Snapshot): boolean {
    const contexts = this.defaultContexts.length + this.namedContexts;
    if (contexts <= COLLECTION_THRESHOLD) return false;
    if (contexts >= ALWAYS_FROM) return true;
    let own = 0;
    for (const context of this.defaultContexts) own += snapshot.countContext(context);
    for (const named of this.named) for (const context of named.contexts) own += snapshot.countContext(context);
    return own * WORTHWHILE_PART >= snapshot.rows;
  }

  /** By context: the named graph that it is part of, or 0. */
  namedGraphByContext(contextCount: number): Uint32Array {
    if (this.graphOfContext && this.graphOfContext.length >= contextCount) return this.graphOfContext;
    const table = new Uint32Array(contextCount);
    for (const { graph, contexts } of this.named) for (const context of contexts) table[context] = graph;
    this.graphOfContext = table;
    return table;
  }

  /** By context: 1 if it is part of the default graph. */
  defaultByContext(contextCount: number): Uint8Array {
    if (this.isDefault && this.isDefault.length >= contextCount) return this.isDefault;
    const table = new Uint8Array(contextCount);
    for (const context of this.defaultContexts) table[context] = 1;
    this.isDefault = table;
    return table;
  }
}
