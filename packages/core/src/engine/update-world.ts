import type { RequestMemory } from '../model/memory-budget.ts';
import { throwIfAborted } from '../model/worlds-error.ts';
import type { Overlay } from '../quads/overlay.ts';
import { Transaction } from '../quads/transaction.ts';
import type { WorldGraphs } from '../quads/world-graphs.ts';
import type { Changes } from '../storage/changes.ts';
import type { QuadSource } from '../storage/quad-source.ts';
import type { Slicer } from '../storage/slicer.ts';
import type { PreparedUpdate, UpdateView } from '../storage/sparql-engine.ts';
import type { Catalog } from './catalog.ts';
import type { DataChange } from './commit.ts';
import { commitData } from './commit-changes.ts';
import { ForeignWorlds } from './foreign-worlds.ts';
import type { Namespace } from './namespace.ts';
import { type OpenSource, worldNotFound } from './open-source.ts';
import type { QueryResult } from './query-results.ts';
import { evaluateOptions, type QueryWork, requestMemory, requestOverlay } from './query-work.ts';
import { QuerySearch } from './search-source.ts';
import { isWorthMeasuring, measureDelta } from './world-size.ts';
import type { WorldState } from './world-state.ts';
import { type OftenMade, updateTarget, withWorldLocked } from './write-world.ts';

type Updated = QueryResult & { readonly type: 'update' };

/** Runs an update as one commit of the world that it writes. */
export function updateWorld(
  catalog: Catalog,
  prepared: PreparedUpdate,
  work: QueryWork,
  signal: AbortSignal | undefined,
): Promise<Updated> {
  const target = updateTarget(work.worlds.sources);
  const memory = requestMemory(catalog, work);
  const change = new LockedUpdate(catalog, prepared, work, target, memory, signal);
  return withWorldLocked(target, { ifRevision: work.ifRevision, signal }, change);
}

/**
 * An update that has its lock. It waits for nothing that is there already: most updates are short,
 * and notice each promise.
 */
class LockedUpdate implements OftenMade<Updated> {
  private readonly catalog: Catalog;
  private readonly prepared: PreparedUpdate;
  private readonly work: QueryWork;
  private readonly target: OpenSource;
  private readonly memory: RequestMemory;
  private readonly signal: AbortSignal | undefined;

  constructor(
    catalog: Catalog,
    prepared: PreparedUpdate,
    work: QueryWork,
    target: OpenSource,
    memory: RequestMemory,
    signal: AbortSignal | undefined,
  ) {
    this.catalog = catalog;
    this.prepared = prepared;
    this.work = work;
    this.target = target;
    this.memory = memory;
    this.signal = signal;
  }

  run(state: WorldState, home: Namespace, slicer: Slicer): Updated | Promise<Updated> {
    let updating: Updated | Promise<Updated>;
    try {
      updating = this.update(state, home, slicer);
    } catch (error) {
      this.memory.release();
      throw error;
    }
    if (updating instanceof Promise) return this.released(updating);
    this.memory.release();
    return updating;
  }

  private async released(updating: Promise<Updated>): Promise<Updated> {
    try {
      return await updating;
    } finally {
      this.memory.release();
    }
  }

  private update(state: WorldState, home: Namespace, slicer: Slicer): Updated | Promise<Updated> {
    const { catalog, prepared, target, memory } = this;
    // What the sources hold now, not what they held when the request began to wait for the lock.
    const sources: OpenSource[] = [];
    for (const source of this.work.worlds.sources) sources.push(reopened(source, home));
    const view = new TransactionView(catalog, prepared, sources, { home, state, target, memory }, slicer);
    const { canonicalOrder } = this.work;
    const { terms } = view;
    const search = prepared.insertsDataOnly
      ? undefined
      : new QuerySearch({ requested: { sources }, isCollection: false, home, terms, canonicalOrder, memory });
    return view.hasForeign ? view.addForeign().then(() => this.execute(view, search)) : this.execute(view, search);
  }

  private execute(view: TransactionView, search: QuerySearch | undefined): Updated | Promise<Updated> {
    const options = evaluateOptions(this.catalog, this.work, this.signal, this.memory, search);
    const executing = this.prepared.execute(view, options);
    return executing ? executing.then(() => this.commit(view)) : this.commit(view);
  }

  private commit(view: TransactionView): Updated | Promise<Updated> {
    throwIfAborted(this.signal);
    return view.commit(this.catalog.clock());
  }
}

/**
 * A source with what it holds now: in the namespace that is written, what the commit will find.
 * Throws NOT_FOUND when its world is gone, or another one has its name.
 */
function reopened(source: OpenSource, written: Namespace): OpenSource {
  const { home, slug } = source;
  const state = home === written ? home.latest(slug) : home.worlds.get(slug);
  if (!state || state.graphs.world !== source.state.graphs.world) throw worldNotFound(source);
  const { namespace, write, schema } = source;
  const { snapshot, dictionary } = home.store;
  return { namespace, slug, write, schema, home, state, snapshot, dictionary };
}

/** The world that is written, as it was when it was locked. */
interface LockedWorld {
  readonly home: Namespace;
  readonly state: WorldState;
  readonly target: OpenSource;
  readonly memory: RequestMemory;
}

/** An update's private view over its transaction. */
class TransactionView implements UpdateView {
  readonly terms: Overlay;
  private readonly transaction: Transaction;
  private readonly home: Namespace;
  private readonly state: WorldState;
  private readonly slicer: Slicer;
  /** Worlds of other namespaces that are read. */
  private readonly foreign: readonly OpenSource[];
  private readonly guests: ForeignWorlds;
  /** The graphs of the worlds that are read besides the target. */
  private others: readonly WorldGraphs[];
  private dataset: QuadSource | undefined;

  constructor(
    catalog: Catalog,
    { insertsDataOnly = false }: PreparedUpdate,
    sources: readonly OpenSource[],
    { home, state, target, memory }: LockedWorld,
    slicer: Slicer,
  ) {
    const foreign: OpenSource[] = [];
    const others: WorldGraphs[] = [];
    for (const source of sources) {
      if (source.home !== home) foreign.push(source);
      else if (source.slug !== target.slug) others.push(source.state.graphs);
    }
    this.foreign = foreign;
    this.others = others;
    // Terms of other namespaces are not stored here.
    const newTerms = insertsDataOnly && this.foreign.length === 0 ? 'shared' : 'private';
    this.terms = requestOverlay(catalog, home.store.dictionary, state.graphs.world, newTerms, memory);
    this.transaction = new Transaction(this.terms, home.store.latest, state.graphs, home.store.allocateContext);
    this.guests = new ForeignWorlds(this.terms, home.store);
    this.home = home;
    this.state = state;
    this.slicer = slicer;
  }

  get hasForeign(): boolean {
    return this.foreign.length > 0;
  }

  /** Copies the worlds of other namespaces, for the operations to read. */
  async addForeign(): Promise<void> {
    for (const source of this.foreign) await this.guests.add(source, this.slicer);
    this.others = [...this.others, ...this.guests.graphs];
  }

  get source(): QuadSource {
    if (!this.dataset) {
      const { graphs, snapshot } = this.transaction;
      this.dataset = this.home.store.view(this.terms, [graphs, ...this.others], this.guests.over(snapshot));
    }
    return this.dataset;
  }

  get target(): QuadSource {
    const { graphs, snapshot } = this.transaction;
    return this.home.store.view(this.terms, [graphs], snapshot);
  }

  get targetGraphs(): Uint32Array {
    return this.transaction.graphs.graphs;
  }

  hasTargetGraph(graph: number): boolean {
    return this.transaction.graphs.contextOf(graph) >= 0;
  }

  apply(changes: Changes): void | Promise<void> {
    this.dataset = undefined;
    return this.slicer.runOrWait(this.transaction.apply(changes));
  }

  prepareSource(): void | Promise<void> {
    if (this.dataset) return;
    const { graphs, snapshot } = this.transaction;
    const worlds = [graphs, ...this.others];
    const view = this.home.store.prepareView(this.terms, worlds, this.slicer, this.guests.over(snapshot));
    if (!(view instanceof Promise)) {
      this.dataset = view;
      return;
    }
    return view.then((ready) => {
      this.dataset = ready;
    });
  }

  /** Commits what the operations did; the view is used up then. */
  commit(timeMs: number): Updated | Promise<Updated> {
    // Its terms are there twice for a moment: here, and in the dictionary.
    if (this.terms.hasPrivateTerms) this.terms.memory?.claimMemory(this.terms.byteLength);
    const finishing = this.slicer.runOrWait(this.transaction.finish());
    return finishing instanceof Promise
      ? finishing.then((change) => this.commitChange(change, timeMs))
      : this.commitChange(finishing, timeMs);
  }

  private commitChange(change: DataChange, timeMs: number): Updated | Promise<Updated> {
    if (!isWorthMeasuring(this.home, change.delta)) return this.commitMeasured(change, timeMs);
    const measuring = this.slicer.runOrWait(measureDelta(this.home, change.delta));
    return measuring instanceof Promise
      ? measuring.then(() => this.commitMeasured(change, timeMs))
      : this.commitMeasured(change, timeMs);
  }

  private commitMeasured(change: DataChange, timeMs: number): Updated {
    const { record } = commitData(this.home, this.state, change, timeMs);
    const { inserted, deleted } = change.delta;
    return { type: 'update', inserted: inserted.length, deleted: deleted.length, revision: record.revision };
  }
}
