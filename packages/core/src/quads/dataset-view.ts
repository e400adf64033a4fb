import type { QuadProbe } from '../contracts/quad-probe.ts';
import type { QuadCursor, QuadSource, TermCounts } from '../contracts/quad-source.ts';
import type { TermBytesSource } from '../contracts/term-bytes.ts';
import { ANY_NAMED_GRAPH, DEFAULT_GRAPH, NO_TERM, type TermId } from '../contracts/term-source.ts';
import { lowerBound, upperBound } from './bounds.ts';
import { COLLECTION_THRESHOLD, ContextMap } from './context-map.ts';
import type { GraphContexts } from './named-graphs.ts';
import { boundBits, GRAPH, keysOf, PERMUTATION_OF_PATTERN, PREFIX_OF_PATTERN } from './permutation.ts';
import { RangeCursor } from './range-cursor.ts';
import { RangeProbe } from './range-probe.ts';
import type { Run } from './run.ts';
import type { Snapshot } from './snapshot.ts';
import { GraphCounts, RangeTermCounts } from './term-counts.ts';
import type { ViewedDataset } from './viewed-dataset.ts';

/**
 * A dataset over one snapshot of one namespace: the {@link QuadSource} of the columnar store.
 * Immutable. Creating one takes constant time, whatever the size of the data.
 */
export class DatasetView implements QuadSource, ViewedDataset {
  readonly terms: TermBytesSource;
  readonly snapshot: Snapshot;
  readonly contexts: ContextMap;
  /** Greater than every context number in the snapshot. */
  readonly contextCount: number;
  private readonly hasCollection: boolean;

  constructor(terms: TermBytesSource, snapshot: Snapshot, contexts: ContextMap, contextCount: number) {
    this.terms = terms;
    this.snapshot = snapshot;
    this.contexts = contexts;
    this.contextCount = contextCount;
    this.hasCollection = snapshot.hasCollection && contexts.wantsCollection(snapshot);
  }

  get graphs(): Uint32Array {
    return this.contexts.graphs;
  }

  get measured(): Map<string, number> {
    return this.snapshot.measuredFor(this.contexts);
  }

  termCounts(
    subject: TermId,
    predicate: TermId,
    object: TermId,
    graph: TermId,
    position: number,
  ): TermCounts | undefined {
    if (position === GRAPH) {
      const { named } = this.contexts;
      if (graph !== ANY_NAMED_GRAPH || named.some(({ contexts }) => contexts.length !== 1)) return undefined;
      return new GraphCounts(named, (context) => this.countContext(context, subject, predicate, object));
    }
    if (graph === NO_TERM || graph === ANY_NAMED_GRAPH) return undefined;
    const contexts = this.contexts.contextsOf(graph) ?? NO_CONTEXTS;
    // A triple held by several contexts of a graph must count once, so range lengths are not exact.
    if (contexts.length > 1) return undefined;
    return RangeTermCounts.of(this.snapshot, contexts, [subject, predicate, object], position);
  }

  cursor(): QuadCursor {
    return new RangeCursor(this);
  }

  probe(): QuadProbe {
    return new RangeProbe(this);
  }

  count(subject: TermId, predicate: TermId, object: TermId, graph: TermId): number {
    if (this.isExact(graph)) return this.estimate(subject, predicate, object, graph);
    const cursor = new RangeCursor(this);
    cursor.seek(subject, predicate, object, graph);
    return cursor.countRest();
  }

  estimate(subject: TermId, predicate: TermId, object: TermId, graph: TermId): number {
    const { contexts } = this;
    if (this.usesCollection(graph)) {
      // FROM <g> FROM NAMED <g>: each row matches twice.
      const shown = graph === NO_TERM && contexts.overlap ? 2 : 1;
      return shown * this.estimateCollection(subject, predicate, object);
    }
    if (graph !== NO_TERM && graph !== ANY_NAMED_GRAPH) {
      return this.countContexts(contexts.contextsOf(graph) ?? NO_CONTEXTS, subject, predicate, object);
    }
    let total = graph === NO_TERM ? this.countContexts(contexts.defaultContexts, subject, predicate, object) : 0;
    for (const named of contexts.named) total += this.countContexts(named.contexts, subject, predicate, object);
    return total;
  }

  dataset(defaultGraphs: readonly TermId[], namedGraphs: readonly TermId[] | Uint32Array): QuadSource {
    const defaultContexts = new Set<number>();
    for (const graph of defaultGraphs) {
      for (const context of this.contexts.contextsOf(graph) ?? NO_CONTEXTS) defaultContexts.add(context);
    }
    const defaults = Uint32Array.from(defaultContexts).sort();
    if (namedGraphs === this.contexts.graphs)
      return new DatasetView(this.terms, this.snapshot, this.contexts.withDefault(defaults), this.contextCount);
    const named: GraphContexts[] = [];
    for (const graph of Uint32Array.from(new Set(namedGraphs)).sort()) {
      const contexts = graph === DEFAULT_GRAPH ? undefined : this.contexts.contextsOf(graph);
      if (contexts) named.push({ graph, contexts });
    }
    return new DatasetView(this.terms, this.snapshot, new ContextMap(defaults, named), this.contextCount);
  }

  /**
   * Returns whether a pattern with this graph position is answered from the permutations over all
   * contexts.
   */
  usesCollection(graph: TermId): boolean {
    return this.contexts.countContexts(graph) > COLLECTION_THRESHOLD && this.hasCollection;
  }

  /**
   * Returns whether range lengths alone count a pattern exactly: no two of its contexts map to the
   * same graph.
   */
  private isExact(graph: TermId): boolean {
    if (this.usesCollection(graph)) return false;
    const { contexts } = this;
    if (graph === NO_TERM || graph === DEFAULT_GRAPH) {
      if (contexts.defaultContexts.length > 1) return false;
      if (graph === DEFAULT_GRAPH) return true;
    }
    if (graph === NO_TERM || graph === ANY_NAMED_GRAPH)
      return contexts.named.every((named) => named.contexts.length === 1);
    return (contexts.contextsOf(graph)?.length ?? 0) <= 1;
  }

  private countContexts(contexts: Uint32Array, subject: TermId, predicate: TermId, object: TermId): number {
    let total = 0;
    for (const context of contexts) total += this.countContext(context, subject, predicate, object);
    return total;
  }

  /** Returns the number of quads in one context that match. */
  private countContext(context: number, subject: TermId, predicate: TermId, object: TermId): number {
    const { runs, signs } = this.snapshot;
    let total = 0;
    for (let i = 0; i < runs.length; i++) total += signs[i] * countInRun(runs[i], context, subject, predicate, object);
    return total;
  }

  private estimateCollection(subject: TermId, predicate: TermId, object: TermId): number {
    const { runs, signs } = this.snapshot;
    const bound = boundBits(subject, predicate, object);
    const permutation = PERMUTATION_OF_PATTERN[bound];
    const keys = keysOf(permutation, subject, predicate, object);
    let total = 0;
    for (let i = 0; i < runs.length; i++) {
      const columns = runs[i].collection![permutation];
      total += signs[i] * countPrefix(columns, 0, columns[0].length, keys, PREFIX_OF_PATTERN[bound]);
    }
    return total;
  }
}

const NO_CONTEXTS = new Uint32Array(0);

/** Returns the number of rows of a run that match a pattern in one context. */
export function countInRun(run: Run, context: number, subject: TermId, predicate: TermId, object: TermId): number {
  const entry = run.indexOfContext(context);
  if (entry < 0) return 0;
  const bound = boundBits(subject, predicate, object);
  const permutation = PERMUTATION_OF_PATTERN[bound];
  const keys = keysOf(permutation, subject, predicate, object);
  return countPrefix(
    run.columns[permutation],
    run.starts[entry],
    run.starts[entry + 1],
    keys,
    PREFIX_OF_PATTERN[bound],
  );
}

function countPrefix(
  columns: readonly Uint32Array[],
  start: number,
  end: number,
  keys: readonly number[],
  prefix: number,
): number {
  for (let i = 0; i < prefix && start < end; i++) {
    start = lowerBound(columns[i], start, end, keys[i]);
    end = upperBound(columns[i], start, end, keys[i]);
  }
  return end - start;
}
