import type { Changes, QuadColumns } from '../contracts/changes.ts';
import { TERM_KIND } from '../contracts/term-bytes.ts';
import { DEFAULT_GRAPH, NO_TERM, type TermId } from '../contracts/term-source.ts';
import { renamed } from './commit-terms.ts';
import { shareUsedTerms } from './import-delta.ts';
import { type Delta, deltaSize, mergeDeltas } from './merge-runs.ts';
import type { Overlay } from './overlay.ts';
import { SPO } from './permutation.ts';
import { filterByPresence } from './presence.ts';
import { buildRun, EMPTY_RUN, type Run } from './run.ts';
import type { Snapshot } from './snapshot.ts';
import { kindOf, LOCAL_BIT } from './term-meta.ts';
import type { WorldGraphs } from './world-graphs.ts';

/**
 * Bytes per row while its run is built and kept: three columns in each of three orders, its
 * context, and a second copy of one order with its context.
 */
const ROW_BYTES = 4 * (3 * 3 + 1 + 4);
/** Number of rows between two yields in loops that take a few nanoseconds per row. */
const STRIDE = 1 << 15;
/** Up to this number of deltas, each is searched as it is; beyond it, neighbours are merged. */
const FEW_DELTAS = 8;
/**
 * Beyond {@link FEW_DELTAS}, each delta is smaller than the one before it by at least this factor.
 */
const GROWTH = 4;

/**
 * The private state of one update: a snapshot plus the effects of the operations so far on one
 * world. Requires the namespace's write lock from its creation on, so that its deltas are exact for
 * the commit.
 */
export class Transaction {
  readonly overlay: Overlay;
  graphs: WorldGraphs;
  /** The base snapshot plus the first `seenDeltas` of the {@link deltas}; extended on demand. */
  private seen: Snapshot;
  private seenDeltas = 0;
  private readonly base: Snapshot;
  private readonly allocateContext: () => number;
  /**
   * The effects of the operations, in order. Neighbours are merged by size, so that n operations
   * cost O(n log n).
   */
  private readonly deltas: Delta[] = [];
  /**
   * This world's copies of other worlds' blank nodes: one per source node for the whole request.
   */
  private copies: Map<TermId, TermId> | undefined;

  constructor(overlay: Overlay, snapshot: Snapshot, graphs: WorldGraphs, allocateContext: () => number) {
    this.overlay = overlay;
    this.base = snapshot;
    this.seen = snapshot;
    this.graphs = graphs;
    this.allocateContext = allocateContext;
  }

  /** The snapshot that the next operation reads. */
  get snapshot(): Snapshot {
    // Built on demand: most updates have one operation, and nothing reads its result.
    while (this.seenDeltas < this.deltas.length) this.seen = this.seen.with(this.deltas[this.seenDeltas++]);
    return this.seen;
  }

  /** Applies one operation. A kernel. */
  *apply(changes: Changes): Generator<void, void, void> {
    // SPARQL 1.1 Update 3.1.3: deletion happens before insertion.
    const { droppedGraphs, createdGraphs } = changes;
    if (droppedGraphs?.length) yield* this.drop(droppedGraphs, createdGraphs ?? []);
    if (changes.deleted?.length) yield* this.delete(changes.deleted);
    if (createdGraphs?.length) this.createGraphs(createdGraphs);
    if (changes.inserted?.length) yield* this.insert(changes.inserted);
  }

  /**
   * Returns the net effect of all operations, in shared ids. A kernel. The transaction must not be
   * used afterwards.
   */
  *finish(): Generator<void, { delta: Delta; graphs: WorldGraphs }, void> {
    const [first] = this.deltas;
    const { inserted, deleted } = this.deltas.length === 1 ? first : yield* mergeDeltas(this.deltas, () => false);
    const local = this.graphs.from(LOCAL_BIT);
    const { run, renaming } = yield* shareUsedTerms(this.overlay, inserted, local);
    const graphs = this.graphs.renamed(LOCAL_BIT, (graph) => renamed(graph, renaming));
    return { delta: { inserted: run, deleted }, graphs };
  }

  private *add(delta: Delta): Generator<void, void, void> {
    if (deltaSize(delta) === 0) return;
    const { deltas } = this;
    deltas.push(delta);
    if (deltas.length <= FEW_DELTAS) return;
    let start = deltas.length - 1;
    let rows = deltaSize(delta);
    while (start > 0 && deltaSize(deltas[start - 1]) < GROWTH * rows) rows += deltaSize(deltas[--start]);
    if (start === deltas.length - 1) return;
    const merged = yield* mergeDeltas(deltas.slice(start), () => false);
    deltas.length = start;
    if (deltaSize(merged) > 0) deltas.push(merged);
    this.seen = this.base;
    this.seenDeltas = 0;
  }

  /** Empties graphs and removes those that are not also in `kept`. */
  private *drop(graphs: readonly TermId[], kept: readonly TermId[]): Generator<void, void, void> {
    const { snapshot } = this;
    const dropped = new Set<TermId>();
    for (const graph of graphs) {
      const context = this.graphs.contextOf(graph);
      if (context < 0 || dropped.has(graph)) continue;
      dropped.add(graph);
      this.claimRows(snapshot.countContext(context));
      yield* this.add({ inserted: EMPTY_RUN, deleted: yield* runOfContext(snapshot, context) });
      yield;
    }
    for (const graph of kept) dropped.delete(graph);
    dropped.delete(DEFAULT_GRAPH);
    if (dropped.size > 0) this.graphs = this.graphs.without(dropped);
  }

  private claimRows(count: number): void {
    this.overlay.memory?.claimMemory(count * ROW_BYTES);
  }

  private *delete(quads: QuadColumns): Generator<void, void, void> {
    this.claimRows(quads.length);
    const { length, subject, predicate, object, graph } = quads;
    const context = new Uint32Array(length);
    for (let from = 0; from < length; from += STRIDE) {
      if (from > 0) yield;
      const to = Math.min(from + STRIDE, length);
      // Number 0 is not a context: a quad in a graph that does not exist is not found.
      for (let row = from; row < to; row++) context[row] = Math.max(0, this.graphs.contextOf(graph[row]));
    }
    const run = yield* buildRun({ length, context, subject, predicate, object });
    yield* this.add({ inserted: EMPTY_RUN, deleted: yield* filterByPresence(run, this.snapshot, 'present') });
  }

  private *insert(quads: QuadColumns): Generator<void, void, void> {
    const { length } = quads;
    this.claimRows(length);
    const context = new Uint32Array(length);
    const created = new Map<TermId, number>();
    let { subject, object } = quads;
    for (let from = 0; from < length; from += STRIDE) {
      if (from > 0) yield;
      const to = Math.min(from + STRIDE, length);
      this.fillContexts(quads, from, to, context, created);
      subject = this.localised(subject, quads.subject, from, to, length);
      object = this.localised(object, quads.object, from, to, length);
    }
    this.graphs = this.graphs.with(created);
    const run = yield* buildRun({ length, context, subject, predicate: quads.predicate, object });
    let isNew = this.deltas.length === 0;
    for (let from = 0; isNew && from < length; from += STRIDE) {
      if (from > 0) yield;
      isNew = this.isOfNewTerms(run, from, Math.min(from + STRIDE, length));
    }
    yield* this.add({
      inserted: isNew ? run : yield* filterByPresence(run, this.snapshot, 'absent'),
      deleted: EMPTY_RUN,
    });
  }

  /**
   * Returns whether every quad of some rows has a term that is new in this transaction. If so, the
   * snapshot contains none of them.
   */
  private isOfNewTerms(run: Run, from: number, to: number): boolean {
    const [subject, predicate, object] = run.columnsOf(SPO);
    const { sharedAtStart } = this.overlay;
    for (let row = from; row < to; row++) {
      // Ids of new terms, private ones included, are higher than all others.
      if (subject[row] <= sharedAtStart && object[row] <= sharedAtStart && predicate[row] <= sharedAtStart)
        return false;
    }
    return true;
  }

  /**
   * Fills in the contexts of quads to insert. Allocates contexts for graphs that the world does not
   * have.
   */
  private fillContexts(
    { graph }: QuadColumns,
    from: number,
    to: number,
    context: Uint32Array,
    created: Map<TermId, number>,
  ): void {
    // Consecutive quads mostly belong to the same graph.
    let lastGraph = NO_TERM;
    let lastContext = 0;
    for (let row = from; row < to; row++) {
      if (graph[row] !== lastGraph) {
        lastGraph = graph[row];
        lastContext = this.contextFor(this.localise(lastGraph), created);
      }
      context[row] = lastContext;
    }
  }

  /**
   * Maps some rows of a term column to terms of this world. Returns `own`, copied first if it is
   * still the source column and a term differs.
   */
  private localised(own: Uint32Array, column: Uint32Array, from: number, to: number, length: number): Uint32Array {
    let local = own;
    for (let row = from; row < to; row++) {
      const id = this.localise(column[row]);
      if (id === column[row]) continue;
      if (local === column) local = column.slice(0, length);
      local[row] = id;
    }
    return local;
  }

  /** Returns the context of a graph; allocates one if the world does not have the graph. */
  private contextFor(graph: TermId, created: Map<TermId, number>): number {
    const known = this.graphs.contextOf(graph);
    if (known >= 0) return known;
    let context = created.get(graph);
    if (context === undefined) {
      context = this.allocateContext();
      created.set(graph, context);
    }
    return context;
  }

  private createGraphs(graphs: readonly TermId[]): void {
    const created = new Map<TermId, number>();
    for (const graph of graphs) {
      if (graph !== DEFAULT_GRAPH && this.graphs.contextOf(graph) < 0) created.set(graph, this.allocateContext());
    }
    this.graphs = this.graphs.with(created);
  }

  /**
   * Returns the term to store in this world: a blank node of another world is replaced by a node of
   * this one.
   */
  private localise(id: TermId): TermId {
    const { overlay } = this;
    const kind = kindOf(overlay.metaOf(id));
    if (kind === TERM_KIND.blankNode) {
      if (overlay.worldOfBlankNode(id) === this.graphs.world) return id;
    } else if (kind !== TERM_KIND.triple) {
      return id;
    }
    this.copies ??= new Map();
    let copy = this.copies.get(id);
    if (copy === undefined) {
      if (kind === TERM_KIND.triple) {
        const [subject, predicate, object] = overlay.tripleOf(id);
        copy = overlay.triple(this.localise(subject), predicate, this.localise(object));
      } else {
        copy = overlay.blankNode();
      }
      this.copies.set(id, copy);
    }
    return copy;
  }
}

/** Returns all quads of one context as a run. A kernel. */
function* runOfContext(snapshot: Snapshot, context: number): Generator<void, Run, void> {
  const parts: Delta[] = [];
  for (const { inserted, deleted } of snapshot.deltas) {
    const part = { inserted: inserted.sliceOf(context), deleted: deleted.sliceOf(context) };
    if (deltaSize(part) > 0) parts.push(part);
  }
  return parts.length === 0 ? EMPTY_RUN : (yield* mergeDeltas(parts, () => false)).inserted;
}
