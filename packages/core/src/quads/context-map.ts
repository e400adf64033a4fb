import { ANY_NAMED_GRAPH, DEFAULT_GRAPH, NO_TERM, type TermId } from '../contracts/term-source.ts';
import { type GraphContexts, NamedGraphs } from './named-graphs.ts';
import type { Snapshot } from './snapshot.ts';

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
/** The context of all quads of the default graph in a union: no graph of a store has the number. */
export const UNION_CONTEXT = 0;
/** The context in a union of what a dataset does not have. */
export const LEFT_OUT = 0xffff_ffff;

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
  private unionByContext: Uint32Array | undefined;

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

  /** Returns a map without named graphs, whose default graph has all contexts. */
  merged(): ContextMap {
    const { contexts } = this.namedGraphs;
    const all = new Uint32Array(this.defaultContexts.length + contexts.length);
    all.set(this.defaultContexts);
    all.set(contexts, this.defaultContexts.length);
    all.sort();
    return new ContextMap(
      all.filter((context, i) => i === 0 || context !== all[i - 1]),
      [],
    );
  }

  /** Whether some context belongs to both the default graph and a named graph. */
  get overlap(): boolean {
    this.overlaps ??= this.named.some(({ contexts }) =>
      contexts.some((context) => this.defaultContexts.includes(context)),
    );
    return this.overlaps;
  }

  /** The same graphs in a union, where each has one context. */
  get ofUnion(): ContextMap {
    this.unionMap ??=
      this.graphs.length === 0
        ? UNION
        : new ContextMap(
            UNION.defaultContexts,
            this.named.map(({ graph, contexts }) => ({ graph, contexts: contexts.subarray(0, 1) })),
          );
    return this.unionMap;
  }

  /**
   * Returns for each of some contexts its context in the union: {@link UNION_CONTEXT} for those of
   * the default graph, the lowest of its graph for others, or {@link LEFT_OUT}.
   */
  inUnion(contexts: Uint32Array): Uint32Array {
    this.unionByContext ??= unionByContext(this);
    const table = this.unionByContext;
    return contexts.map((context) => (context < table.length ? table[context] : LEFT_OUT));
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

function unionByContext({ defaultContexts, named }: ContextMap): Uint32Array {
  let highest = 0;
  for (const context of defaultContexts) highest = Math.max(highest, context);
  for (const { contexts } of named) highest = Math.max(highest, contexts[contexts.length - 1]);
  const table = new Uint32Array(highest + 1).fill(LEFT_OUT);
  for (const { contexts } of named) for (const context of contexts) table[context] = contexts[0];
  for (const context of defaultContexts) table[context] = UNION_CONTEXT;
  return table;
}

/** Shared, because a snapshot keeps its measurements by map. */
const UNION = new ContextMap(Uint32Array.of(UNION_CONTEXT), []);
