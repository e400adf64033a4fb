import type { Changes } from '../contracts/changes.ts';
import type { QuadSource } from '../contracts/quad-source.ts';
import type { Slicer } from '../contracts/slicer.ts';
import type { PreparedUpdate, UpdateView } from '../contracts/sparql-engine.ts';
import type { RequestMemory } from '../model/memory-budget.ts';
import { throwIfAborted } from '../model/worlds-error.ts';
import type { Overlay } from '../quads/overlay.ts';
import { Transaction } from '../quads/transaction.ts';
import type { WorldGraphs } from '../quads/world-graphs.ts';
import type { Catalog } from './catalog.ts';
import type { DataChange } from './commit.ts';
import { commitData } from './commit-changes.ts';
import { ForeignWorlds } from './foreign-worlds.ts';
import type { Namespace } from './namespace.ts';
import type { OpenSource } from './open-source.ts';
import type { QueryResult } from './query-results.ts';
import { evaluateOptions, type QueryWork, requestMemory, requestOverlay } from './query-work.ts';
import { RequestedWorlds } from './requested-worlds.ts';
import { QuerySearch } from './search-source.ts';
import { isWorthMeasuring, measureDelta } from './world-size.ts';
import type { WorldState } from './world-state.ts';
import { type OftenMade, updateTarget, withWorldLocked, worldGone } from './write-world.ts';

type Updated = QueryResult & { readonly type: 'update' };

/** Runs an update as one commit of its target world. */
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
 * An update that runs with the lock held. Returns promises only if it must wait, because most
 * updates are short and promises are measurable there.
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
    // Reopens the sources, because they may have changed while the request waited for the lock.
    const sources: OpenSource[] = [];
    for (const source of this.work.worlds.sources) sources.push(reopened(source, home));
    const view = new TransactionView(catalog, prepared, sources, { home, state, target, memory }, slicer);
    const { canonicalOrder } = this.work;
    const { terms } = view;
    const search = prepared.insertsDataOnly
      ? undefined
      : new QuerySearch({
          requested: new RequestedWorlds(undefined, sources),
          isCollection: false,
          home,
          terms,
          canonicalOrder,
          memory,
        });
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
 * Returns a source with its current state; in the target namespace, with the latest state, which
 * the commit will find. Throws NOT_FOUND if the world was deleted or its name now denotes another
 * world.
 */
function reopened(source: OpenSource, written: Namespace): OpenSource {
  const { home, slug } = source;
  const state = home === written ? home.latest(slug) : home.worlds.get(slug);
  if (!state || state.graphs.world !== source.state.graphs.world) throw worldGone(source);
  const { namespace, write, schema } = source;
  const { snapshot, dictionary } = home.store;
  return { namespace, slug, write, schema, home, state, snapshot, dictionary };
}

/** The target world at the time of locking. */
interface LockedWorld {
  readonly home: Namespace;
  readonly state: WorldState;
  readonly target: OpenSource;
  readonly memory: RequestMemory;
}

/** The private view of an update on its transaction. */
class TransactionView implements UpdateView {
  readonly terms: Overlay;
  private readonly transaction: Transaction;
  private readonly home: Namespace;
  private readonly state: WorldState;
  private readonly slicer: Slicer;
  /** Source worlds of other namespaces. */
  private readonly foreign: readonly OpenSource[];
  private readonly guests: ForeignWorlds;
  /** Graphs of the sources other than the target. */
  private others: readonly WorldGraphs[];
  private dataset: QuadSource | undefined;
  /** The graphs over which reads of {@link dataset} are fast. */
  private preparedFor: 'default' | 'all' | undefined;

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
    // Terms of other namespaces must not be added to the shared dictionary.
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

  /** Copies the worlds of other namespaces, so that the operations can read them. */
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
    this.preparedFor = undefined;
    return this.slicer.runOrWait(this.transaction.apply(changes));
  }

  prepareSource(readsNamedGraphs = true): void | Promise<void> {
    if (this.preparedFor === 'all' || (this.preparedFor === 'default' && !readsNamedGraphs)) return;
    this.preparedFor = readsNamedGraphs ? 'all' : 'default';
    const { graphs, snapshot } = this.transaction;
    const worlds = [graphs, ...this.others];
    const view = this.home.store.prepareView(
      this.terms,
      worlds,
      this.slicer,
      this.guests.over(snapshot),
      readsNamedGraphs,
    );
    if (!(view instanceof Promise)) {
      this.dataset = view;
      return;
    }
    return view.then((ready) => {
      this.dataset = ready;
    });
  }

  /** Commits the changes of the operations. The view must not be used afterwards. */
  commit(timeMs: number): Updated | Promise<Updated> {
    // During the commit, the terms exist twice: here and in the dictionary.
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
