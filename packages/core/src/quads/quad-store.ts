import { runAtOnce, Slicer } from '../contracts/slicer.ts';
import type { TermBytesSource } from '../contracts/term-bytes.ts';
import { COLLECTION_THRESHOLD, ContextMap } from './context-map.ts';
import { DatasetView } from './dataset-view.ts';
import { Dictionary } from './dictionary.ts';
import { type Delta, deltaSize, mergeDeltas } from './merge-runs.ts';
import { NamedGraphs } from './named-graphs.ts';
import { EMPTY_SNAPSHOT, Snapshot } from './snapshot.ts';
import type { HashKey } from './term-hash.ts';
import { type Union, Unions } from './unions.ts';
import type { WorldGraphs } from './world-graphs.ts';

/**
 * Minimum size ratio of a delta to the next one. Deltas in proportion are not merged, so there are
 * about log4(n) of them.
 */
const GROWTH = 4;
/** Smaller deltas wait until together they have this many rows, and are then merged. */
const FEW_ROWS = 4;
/** Merges of up to this many rows run in the commit itself; larger ones run in the background. */
const MERGE_AT_ONCE_ROWS = 4096;
/** Beyond this many deltas, commits wait for the background merge (backpressure). */
const MAX_DELTAS = 24;
/** Rows of deleted worlds are purged when they exceed 1/4 of all rows. */
const PURGE_FRACTION = 4;

/**
 * The quads of one namespace: a dictionary and the current snapshot. A commit publishes a new
 * snapshot; readers keep the one they started with. Deltas are merged by size, small ones
 * immediately and large ones in slices in the background, so that publishing has an amortised cost
 * of `O(log n)` per quad.
 *
 * There are two snapshots: `snapshot` for readers, and `latest` for writers, which includes commits
 * that are not durable yet. Without storage they are the same.
 */
export class QuadStore {
  private terms: Dictionary;
  private current: Snapshot = EMPTY_SNAPSHOT;
  private visible: Snapshot = EMPTY_SNAPSHOT;
  /** The next free context number; 0 is not a context. */
  private contexts = 1;
  private claims = 0;
  /** Contexts of deleted worlds. They are unreachable, and merges drop their rows. */
  private readonly dead = new Set<number>();
  private background: Promise<void> | undefined;
  /** Resolvers of callers that wait for a merge of all deltas. */
  private readonly waitForAll: (() => void)[] = [];
  /** The deltas that the background merge is working on; commits must not merge them. */
  private readonly busy = new Set<Delta>();
  /**
   * Completed merges by their first input delta, kept as long as a snapshot references that delta.
   */
  private readonly merges = new WeakMap<Delta, { readonly due: readonly Delta[]; readonly merged: Delta }>();
  private readonly closing = new AbortController();
  private readonly contextMaps = new WeakMap<WorldGraphs | readonly WorldGraphs[], ContextMap>();
  private readonly unions = new Unions();

  private readonly reportFailure: (cause: unknown) => void;
  private readonly reportSuccess: () => void;

  /**
   * @param reportFailure called when a background merge fails; the unmerged deltas stay in use
   * @param reportSuccess called when the background has completed all due merges
   */
  constructor(key: HashKey, reportFailure: (cause: unknown) => void, reportSuccess: () => void = () => undefined) {
    this.terms = new Dictionary(key);
    this.reportFailure = reportFailure;
    this.reportSuccess = reportSuccess;
  }

  /** The dictionary that resolves the ids of both snapshots. */
  get dictionary(): Dictionary {
    return this.terms;
  }

  /**
   * Replaces the dictionary by one that contains every term the snapshots mention. Requires the
   * namespace lock.
   *
   * @param upTo ids above it may denote other terms from now on
   */
  renewDictionary(next: Dictionary, upTo: number = Number.POSITIVE_INFINITY): void {
    this.terms.succession.replacedBy(next.succession, upTo);
    this.terms = next;
  }

  /** The snapshot that readers see. */
  get snapshot(): Snapshot {
    return this.visible;
  }

  /** The snapshot that the next writer starts from. */
  get latest(): Snapshot {
    return this.current;
  }

  /** Returns a new context number. A number that is never used costs nothing. */
  readonly allocateContext = (): number => this.contexts++;

  /** The number that the next new context gets. Setting it never lowers it. */
  get nextContext(): number {
    return this.contexts;
  }

  set nextContext(next: number) {
    this.contexts = Math.max(this.contexts, next);
    this.claims++;
  }

  /**
   * Counts how often {@link nextContext} was set. If it changes, contexts that were allocated
   * before and are in no commit yet may belong to commits of others.
   */
  get contextClaims(): number {
    return this.claims;
  }

  /** Restores the state of another store. Requires this store to be empty. */
  restore(deltas: readonly Delta[], nextContext: number): void {
    this.current = this.visible = new Snapshot(deltas);
    this.contexts = nextContext;
  }

  /**
   * Makes a delta visible immediately. Its rows must be exact for the latest snapshot: see
   * {@link Delta}.
   */
  publish(delta: Delta): void {
    this.advance(delta);
    this.reveal(this.current);
  }

  /**
   * Appends a delta to the latest snapshot, visible to writers only. It must be exact, as in
   * {@link publish}.
   */
  advance(delta: Delta): void {
    if (deltaSize(delta) === 0) return;
    const deltas = [...this.current.deltas, delta];
    // The deltas after the last one that the background is merging: only neighbours may be merged.
    const from = deltas.findLastIndex((one) => this.busy.has(one)) + 1;
    let due: readonly Delta[];
    for (;;) {
      due = mergeDue(deltas, from);
      if (due.length === 0 || rowsOf(due) > MERGE_AT_ONCE_ROWS) break;
      // Commits do not drop rows of dead contexts; that is left to the background merge.
      const merged = runAtOnce(mergeDeltas(due, () => false));
      deltas.splice(deltas.indexOf(due[0]), due.length, ...(deltaSize(merged) > 0 ? [merged] : []));
    }
    this.current = new Snapshot(deltas);
    if (due.length > 0) this.startBackground();
  }

  /** Makes a snapshot that was the latest one visible to readers. */
  reveal(snapshot: Snapshot): void {
    this.visible = snapshot === this.current ? snapshot : this.afterMerges(snapshot);
  }

  /**
   * Applies to a snapshot the merges completed since it was made. Without them, rows of dead
   * contexts that a merge has dropped would reappear, and a compaction may have freed their terms.
   */
  private afterMerges(snapshot: Snapshot): Snapshot {
    for (const delta of snapshot.deltas) {
      const merge = this.merges.get(delta);
      const after = merge ? substitute(snapshot, merge.due, merge.merged) : snapshot;
      if (after !== snapshot) return this.afterMerges(after);
    }
    return snapshot;
  }

  /** Discards the commits that are not visible to readers yet. */
  retreat(): void {
    this.current = this.visible;
  }

  /**
   * Marks unreachable contexts as dead and returns their number of quads. A later merge frees the
   * memory.
   */
  bury(contexts: Iterable<number>): number {
    let quads = 0;
    for (const context of contexts) {
      const count = this.current.countContext(context);
      if (count > 0) this.dead.add(context);
      quads += count;
    }
    if (this.dead.size > 0) this.startBackground();
    return quads;
  }

  /** Whether commits arrive faster than merges complete; writers then call {@link keepUp}. */
  get isBehind(): boolean {
    return this.current.deltas.length > MAX_DELTAS;
  }

  /** Applies backpressure: waits for the background merge if {@link isBehind}. */
  async keepUp(): Promise<void> {
    if (this.isBehind) await this.background;
  }

  /** Waits until no merge is due. */
  async settle(): Promise<void> {
    while (this.background) await this.background;
  }

  /** Merges everything into one delta without deletions and without rows of deleted worlds. */
  async mergeAll(): Promise<void> {
    const { deltas } = this.current;
    if (deltas.length <= 1 && this.dead.size === 0 && !deltas.some(({ deleted }) => deleted.length > 0)) return;
    await new Promise<void>((resolve) => {
      this.waitForAll.push(resolve);
      this.startBackground();
      if (!this.background) this.allMerged();
    });
  }

  private allMerged(): void {
    for (const resolve of this.waitForAll.splice(0)) resolve();
  }

  /** Stops the background merge. Published data stays readable. */
  async close(): Promise<void> {
    this.closing.abort();
    await this.background;
  }

  /**
   * Returns the merge of some worlds as a dataset. Transactions pass their own `snapshot`; the
   * default is the visible one.
   */
  view(terms: TermBytesSource, worlds: readonly WorldGraphs[], snapshot: Snapshot = this.visible): DatasetView {
    return new DatasetView(terms, snapshot, this.contextMapOf(worlds), this.contexts);
  }

  /**
   * Like {@link view}, but first builds the permutations that a dataset of many graphs needs.
   *
   * @param readsNamedGraphs whether patterns over all named graphs are to be expected
   */
  prepareView(
    terms: TermBytesSource,
    worlds: readonly WorldGraphs[],
    slicer: Slicer,
    snapshot: Snapshot = this.visible,
    readsNamedGraphs = true,
  ): DatasetView | Promise<DatasetView> {
    const contexts = this.contexts;
    const map = this.contextMapOf(worlds);
    const view = () => new DatasetView(terms, snapshot, map, contexts);
    if (isReady(snapshot, map, readsNamedGraphs)) return view();
    return slicer.run(snapshot.buildCollection()).then(view);
  }

  /**
   * Like {@link prepareView}, for data that more than one query reads: many worlds are read as if
   * they were one, if that pays.
   */
  prepareShared(
    terms: TermBytesSource,
    worlds: readonly WorldGraphs[],
    slicer: Slicer,
    snapshot: Snapshot = this.visible,
    readsNamedGraphs = true,
  ): DatasetView | Promise<DatasetView> {
    if (worlds.length <= COLLECTION_THRESHOLD)
      return this.prepareView(terms, worlds, slicer, snapshot, readsNamedGraphs);
    const view = (union: Union) => new DatasetView(terms, union.snapshot, union.map, this.contexts);
    const known = this.unions.find(worlds, snapshot);
    if (known && isReady(known.snapshot, known.map, readsNamedGraphs)) return view(known);
    const map = this.contextMapOf(worlds);
    if (!known && !this.unions.ask(worlds, snapshot, map, isReady(snapshot, map, readsNamedGraphs)))
      return this.prepareView(terms, worlds, slicer, snapshot, readsNamedGraphs);
    const union = slicer.runOrWait(this.unite(worlds, snapshot, map, readsNamedGraphs));
    return union instanceof Promise ? union.then(view) : view(union);
  }

  private *unite(
    worlds: readonly WorldGraphs[],
    snapshot: Snapshot,
    map: ContextMap,
    readsNamedGraphs: boolean,
  ): Generator<void, Union, void> {
    const union = yield* this.unions.unite(worlds, snapshot, map);
    if (!isReady(union.snapshot, union.map, readsNamedGraphs)) yield* union.snapshot.buildCollection();
    return union;
  }

  get byteLength(): number {
    return this.dictionary.byteLength + this.current.byteLength + this.unions.bytesOf(this.current.deltas);
  }

  /**
   * Returns a test for the dead contexts whose rows all lie in the given deltas. Rows of other dead
   * contexts must be kept: a deletion without its insertion would cancel the same triple of another
   * context.
   */
  private deadWithin(due: readonly Delta[]): (context: number) => boolean {
    const others = this.current.deltas.filter((delta) => !due.includes(delta));
    const within = new Set<number>();
    for (const context of this.dead) if (!others.some((delta) => holdsContext(delta, context))) within.add(context);
    return (context) => within.has(context);
  }

  private startBackground(): void {
    if (this.background || this.closing.signal.aborted) return;
    this.background = this.mergeInBackground()
      .then(this.reportSuccess, this.reportFailure)
      .finally(() => {
        this.busy.clear();
        this.background = undefined;
        this.allMerged();
      });
  }

  private async mergeInBackground(): Promise<void> {
    const slicer = new Slicer();
    for (;;) {
      await slicer.pause();
      if (this.closing.signal.aborted) return;
      const isAll = this.waitForAll.length > 0;
      const due = isAll ? this.current.deltas : (this.purgeDue() ?? mergeDue(this.current.deltas, 0));
      if (due.length === 0) return;
      for (const delta of due) this.busy.add(delta);
      const merged = await this.mergeSliced(due, slicer);
      this.busy.clear();
      if (!merged) continue;
      this.merges.set(due[0], { due, merged });
      const wasVisible = this.visible === this.current;
      this.current = substitute(this.current, due, merged);
      this.visible = wasVisible ? this.current : substitute(this.visible, due, merged);
      if (isAll) this.allMerged();
    }
  }

  /**
   * Returns the deltas with dead rows and all deltas between them, once dead rows exceed the purge
   * threshold.
   */
  private purgeDue(): readonly Delta[] | undefined {
    let deadRows = 0;
    for (const context of this.dead) {
      if (!this.current.deltas.some((delta) => holdsContext(delta, context))) this.dead.delete(context);
      deadRows += this.current.countContext(context);
    }
    if (deadRows * PURGE_FRACTION <= rowsOf(this.current.deltas)) return undefined;
    const { deltas } = this.current;
    const holdsDead = ({ inserted, deleted }: Delta) =>
      [inserted, deleted].some(({ contexts }) => contexts.some((context) => this.dead.has(context)));
    return deltas.slice(deltas.findIndex(holdsDead), deltas.findLastIndex(holdsDead) + 1);
  }

  /** Merges in slices. Returns undefined if the store closes meanwhile. */
  private async mergeSliced(due: readonly Delta[], slicer: Slicer): Promise<Delta | undefined> {
    const isDead = this.deadWithin(due);
    const hadCollection = due.some(({ inserted }) => inserted.collection !== undefined);
    const kernel = function* () {
      const merged = yield* mergeDeltas(due, isDead);
      // Otherwise the next query across worlds would have to build them.
      if (hadCollection) yield* new Snapshot([merged]).buildCollection();
      return merged;
    };
    const steps = kernel();
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
      if (slicer.due) await slicer.pause();
      if (this.closing.signal.aborted) return undefined;
    }
  }

  private contextMapOf(worlds: readonly WorldGraphs[]): ContextMap {
    // Lists of one world are allocated per call, so the world itself is the cache key.
    const key = worlds.length === 1 ? worlds[0] : worlds;
    let map = this.contextMaps.get(key);
    if (!map) {
      map = contextMapOf(worlds);
      this.contextMaps.set(key, map);
    }
    return map;
  }
}

/** Returns whether a snapshot has the permutations that a dataset needs. */
function isReady(snapshot: Snapshot, map: ContextMap, readsNamedGraphs: boolean): boolean {
  return snapshot.hasCollection || !map.wantsCollection(snapshot, readsNamedGraphs);
}

/** Maps the worlds' default graphs to one default graph and merges their named graphs by name. */
function contextMapOf(worlds: readonly WorldGraphs[]): ContextMap {
  const defaults = Uint32Array.from(worlds, ({ defaultContext }) => defaultContext).sort();
  return new ContextMap(defaults, NamedGraphs.ofWorlds(worlds));
}

/**
 * Replaces adjacent deltas by their merge. Returns the snapshot unchanged if it does not contain
 * all of them.
 */
function substitute(snapshot: Snapshot, due: readonly Delta[], merged: Delta): Snapshot {
  const { deltas } = snapshot;
  const at = deltas.indexOf(due[0]);
  if (at < 0 || !due.every((delta, i) => deltas[at + i] === delta)) return snapshot;
  return withoutEmpty([...deltas.slice(0, at), merged, ...deltas.slice(at + due.length)]);
}

function withoutEmpty(deltas: readonly Delta[]): Snapshot {
  return new Snapshot(deltas.filter((delta) => deltaSize(delta) > 0));
}

/**
 * Returns the newest neighbours, from an index on, whose sizes are out of proportion; empty if no
 * merge is due.
 */
function mergeDue(deltas: readonly Delta[], from: number): readonly Delta[] {
  let end = deltas.length;
  let few = 0;
  while (end > from && deltaSize(deltas[end - 1]) < FEW_ROWS) few += deltaSize(deltas[--end]);
  if (few >= FEW_ROWS) end = deltas.length;
  while (end - from > 1) {
    let start = end - 1;
    let rows = deltaSize(deltas[start]);
    while (start > from && deltaSize(deltas[start - 1]) < GROWTH * rows) rows += deltaSize(deltas[--start]);
    if (end - start > 1) return deltas.slice(start, end);
    end = start;
  }
  return [];
}

function holdsContext({ inserted, deleted }: Delta, context: number): boolean {
  return inserted.indexOfContext(context) >= 0 || deleted.indexOfContext(context) >= 0;
}

function rowsOf(deltas: readonly Delta[]): number {
  return deltas.reduce((rows, delta) => rows + deltaSize(delta), 0);
}
