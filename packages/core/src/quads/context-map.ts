import { ANY_NAMED_GRAPH, DEFAULT_GRAPH, NO_TERM, type TermId } from '../contracts/term-source.ts';
import { type GraphContexts, NamedGraphs } from './named-graphs.ts';
import type { Snapshot } from './snapshot.ts';
import { UNION_CONTEXT } from './union-runs.ts';

/**
 * Up to this many contexts, a pattern merges one range per context; above it, the permutations over
 * all contexts may be used.
 */
export const COLLECTION_THRESHOLD = 8;
/**
 * Above this many contexts, the permutations over all contexts are always used: a search per
 * context would cost more than skipping the rows of other datasets. Up to this many, work that
 * reads much of a predicate reads it by context.
 */
export const MAX_SECTIONED = 63;
/** Between the two thresholds they are used if the dataset has at least 1/4 of their rows. */
const WORTHWHILE_PART = 4;

/** Maps contexts of the namespace to the graphs of a dataset. */
export class ContextMap {
  /** The contexts that merge into the default graph, ascending. */
  readonly defaultContexts: Uint32Array;
  private readonly namedGraphs: NamedGraphs;
  private graphOfContext: Uint32Array | undefined;
  private isDefault: Uint8Array | undefined;
  private overlaps: boolean | undefined;
  private arePlain: boolean | undefined;
  private unionMap: ContextMap | undefined;

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

  /** Returns a map with the same named graphs and another default graph. */
  withDefault(defaultContexts: Uint32Array): ContextMap {
    return new ContextMap(defaultContexts, this.namedGraphs);
  }

  /** Whether some context belongs to both the default graph and a named graph. */
  get overlap(): boolean {
    this.overlaps ??= this.named.some(({ contexts }) =>
      contexts.some((context) => this.defaultContexts.includes(context)),
    );
    return this.overlaps;
  }

  /** The same named graphs, with the rows of a union as the default graph: see `unionOf`. */
  get ofUnion(): ContextMap {
    this.unionMap ??= this.graphs.length === 0 ? UNION : this.withDefault(UNION.defaultContexts);
    return this.unionMap;
  }

  contextsOf(graph: TermId): Uint32Array | undefined {
    return graph === DEFAULT_GRAPH ? this.defaultContexts : this.namedGraphs.contextsOf(graph);
  }

  /** Whether no named graph has more than one context, as in a single world. */
  get hasPlainGraphs(): boolean {
    this.arePlain ??= this.named.every(({ contexts }) => contexts.length <= 1);
    return this.arePlain;
  }

  /** Returns the number of contexts that a pattern's graph position covers. */
  countContexts(graph: TermId): number {
    if (graph === NO_TERM) return this.defaultContexts.length + this.namedContexts;
    if (graph === ANY_NAMED_GRAPH) return this.namedContexts;
    return this.contextsOf(graph)?.length ?? 0;
  }

  /**
   * Returns whether patterns over this dataset, or over its default graph only, are best answered
   * from the permutations over all contexts of the namespace.
   */
  wantsCollection(snapshot: Snapshot, readsNamedGraphs = true): boolean {
    const contexts = this.defaultContexts.length + (readsNamedGraphs ? this.namedContexts : 0);
    if (contexts <= COLLECTION_THRESHOLD) return false;
    if (contexts > MAX_SECTIONED) return true;
    let own = 0;
    for (const context of this.defaultContexts) own += snapshot.countContext(context);
    for (const named of this.named) for (const context of named.contexts) own += snapshot.countContext(context);
    return own * WORTHWHILE_PART >= snapshot.rows;
  }

  /** Returns, indexed by context, the named graph it belongs to, or 0. */
  namedGraphByContext(contextCount: number): Uint32Array {
    if (this.graphOfContext && this.graphOfContext.length >= contextCount) return this.graphOfContext;
    const table = new Uint32Array(contextCount);
    for (const { graph, contexts } of this.named) for (const context of contexts) table[context] = graph;
    this.graphOfContext = table;
    return table;
  }

  /** Returns, indexed by context, 1 if it belongs to the default graph. */
  defaultByContext(contextCount: number): Uint8Array {
    if (this.isDefault && this.isDefault.length >= contextCount) return this.isDefault;
    const table = new Uint8Array(contextCount);
    for (const context of this.defaultContexts) table[context] = 1;
    this.isDefault = table;
    return table;
  }
}

/** Shared, because a snapshot keeps its measurements by map. */
const UNION = new ContextMap(Uint32Array.of(UNION_CONTEXT), []);
