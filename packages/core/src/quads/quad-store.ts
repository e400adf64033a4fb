import { runAtOnce, Slicer } from '../storage/slicer.ts';
import type { TermBytesSource } from '../storage/term-bytes.ts';
import { ContextMap } from './context-map.ts';
import { DatasetView } from './dataset-view.ts';
import { Dictionary } from './dictionary.ts';
import { type Delta, deltaSize, mergeDeltas } from './merge-runs.ts';
import { NamedGraphs } from './named-graphs.ts';
import { EMPTY_SNAPSHOT, Snapshot } from './snapshot.ts';
import type { HashKey } from './term-hash.ts';
import type { WorldGraphs } from './world-graphs.ts';

/**
 * A delta at least so many times smaller than the one before it is left alone: so there are at most
 * log4(n) of them, and a few.
 */
const GROWTH = 4;
/**
 * Commits of a row or two wait until there are so many rows of them, and are merged together then.
 */
const FEW_ROWS = 4;
/** Up to so many rows are merged by the commit itself; more wait for the background. */
const MERGE_AT_ONCE_ROWS = 4096;
/** With so many deltas, commits wait for the background to catch up. */
const MAX_DELTAS = 24;
/** Rows of deleted worlds are purged when they are more than this part of all (1 of 4). */
const PURGE_FRACTION = 4;

/**
 * The quads of one namespace: a dictionary and the current snapshot. A commit publishes a new
 * snapshot; whoever reads keeps the one that it began with. Deltas are merged by size, small ones
 * at once and large ones in slices in the background, so that publishing costs O(log n) a quad over
 * time.
 *
 * There are two snapshots: `snapshot` for readers, and `latest` for writers, which also has the
 * commits that are not durable yet. Without storage they are the same.
 */
export class QuadStore {
  private terms: Dictionary;
  private current: Snapshot = EMPTY_SNAPSHOT;
  private visible: Snapshot = EMPTY_SNAPSHOT;
  /** 0 is no context. */
  private contexts = 1;
  /** Contexts of worlds that are gone: nobody can name them, and merges leave their rows out. */
  private readonly dead = new Set<number>();
  private background: Promise<void> | undefined;
  /** Whoever waits for a merge of all deltas. */
  private readonly waitForAll: (() => void)[] = [];
  /** The deltas that the background is merging: commits leave them alone. */
  private readonly busy = new Set<Delta>();
  /** What was merged, by the first of its deltas: for as long as some snapshot has that. */
  private readonly merges = new WeakMap<Delta, { readonly due: readonly Delta[]; readonly merged: Delta }>();
  private readonly closing = new AbortController();
  private readonly contextMaps = new WeakMap<WorldGraphs | readonly WorldGraphs[], ContextMap>();

  private readonly reportFailure: (cause: unknown) => void;
  private readonly reportSuccess: () => void;

  /**
   * @param reportFailure called when a background merge fails; the unmerged deltas stay in use
   * @param reportSuccess called when background merges have done all that was due
   */
  constructor(key: HashKey, reportFailure: (cause: unknown) => void, reportSuccess: () => void = () => undefined) {
    this.terms = new Dictionary(key);
    this.reportFailure = reportFailure;
    this.reportSuccess = reportSuccess;
  }

  /** What the ids of both snapshots mean. */
  get dictionary(): Dictionary {
    return this.terms;
  }

  /**
   * Puts a dictionary in the place of the one before it, that has everything that the snapshots
   * mention. Needs the lock of the namespace.
   */
  renewDictionary(next: Dictionary): void {
    this.terms = next;
  }

  /** What readers see. */
  get snapshot(): Snapshot {
    return this.visible;
  }

  /** What the next writer sees. */
  get latest(): Snapshot {
    return this.current;
  }

  /** The number of a new context. An abandoned one costs nothing. */
  readonly allocateContext = (): number => this.contexts++;

  /** The number that the next new context gets. */
  get nextContext(): number {
    return this.contexts;
  }

  set nextContext(next: number) {
    this.contexts = Math.max(this.contexts, next);
  }

  /** Takes up where another store left off; this one is empty. */
  restore(deltas: readonly Delta[], nextContext: number): void {
    this.current = this.visible = new Snapshot(deltas);
    this.contexts = nextContext;
  }

  /**
   * Makes a delta visible at once. Its rows must be exact for the latest snapshot: see
   * {@link Delta}.
   */
  publish(delta: Delta): void {
    this.advance(delta);
    this.reveal(this.current);
  }

  /** Puts a delta behind the latest snapshot, for writers alone; exact as in {@link publish}. */
  advance(delta: Delta): void {
    if (deltaSize(delta) === 0) return;
    const deltas = [...this.current.deltas, delta];
    // What is newer than all that the background works on: only neighbours may be merged.
    const from = deltas.findLastIndex((one) => this.busy.has(one)) + 1;
    let due: readonly Delta[];
    for (;;) {
      due = mergeDue(deltas, from);
      if (due.length === 0 || rowsOf(due) > MERGE_AT_ONCE_ROWS) break;
      // Rows of dead contexts stay for the background: a commit does not look for them.
      const merged = runAtOnce(mergeDeltas(due, () => false));
      deltas.splice(deltas.indexOf(due[0]), due.length, ...(deltaSize(merged) > 0 ? [merged] : []));
    }
    this.current = new Snapshot(deltas);
    if (due.length > 0) this.startBackground();
  }

  /** Lets readers see a snapshot that was the latest one. */
  reveal(snapshot: Snapshot): void {
    this.visible = snapshot === this.current ? snapshot : this.afterMerges(snapshot);
  }

  /**
   * A snapshot with what was merged since it was made. Otherwise rows of dead contexts would come
   * back that a merge has left out, and whose terms a compaction may have freed.
   */
  private afterMerges(snapshot: Snapshot): Snapshot {
    for (const delta of snapshot.deltas) {
      const merge = this.merges.get(delta);
      const after = merge ? substitute(snapshot, merge.due, merge.merged) : snapshot;
      if (after !== snapshot) return this.afterMerges(after);
    }
    return snapshot;
  }

  /** Takes back what readers do not see yet. */
  retreat(): void {
    this.current = this.visible;
  }

  /**
   * Forgets the quads of contexts that nobody can name any more, and gives their number; their
   * memory is freed by a merge.
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

  /** Whether commits come faster than merges: then {@link keepUp}. */
  get isBehind(): boolean {
    return this.current.deltas.length > MAX_DELTAS;
  }

  /** Waits, when commits come faster than merges, until the merges have caught up. */
  async keepUp(): Promise<void> {
    if (this.isBehind) await this.background;
  }

  /** Waits until nothing is left to merge. */
  async settle(): Promise<void> {
    while (this.background) await this.background;
  }

  /**
   * Merges everything into one delta, without deletions and without what belonged to worlds that
   * are gone.
   */
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

  /** Stops the background work. What is published stays readable. */
  async close(): Promise<void> {
    this.closing.abort();
    await this.background;
  }

  /**
   * The merge of some worlds as a dataset. `snapshot` is the current one unless a transaction
   * brings its own.
   */
  view(terms: TermBytesSource, worlds: readonly WorldGraphs[], snapshot: Snapshot = this.visible): DatasetView {
    return new DatasetView(terms, snapshot, this.contextMapOf(worlds), this.contexts);
  }

  /** As {@link view}, after making the permutations that a dataset of many graphs wants. */
  prepareView(
    terms: TermBytesSource,
    worlds: readonly WorldGraphs[],
    slicer: Slicer,
    snapshot: Snapshot = this.visible,
  ): DatasetView | Promise<DatasetView> {
    const contexts = this.contexts;
    const map = this.contextMapOf(worlds);
    const view = () => new DatasetView(terms, snapshot, map, contexts);
    if (!map.wantsCollection(snapshot) || snapshot.hasCollection) return view();
    return slicer.run(snapshot.buildCollection()).then(view);
  }

  get byteLength(): number {
    return this.dictionary.table.byteLength + this.current.byteLength;
  }

  /**
   * The dead contexts that all of lies in the given deltas. Of others nothing may be left out: a
   * deletion without its insertion would count against the same triple of another context.
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
   * The deltas with dead rows, and what stands between them, once these rows are a good part of
   * all.
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

  /** Merges in slices; undefined when the store closes meanwhile. */
  private async mergeSliced(due: readonly Delta[], slicer: Slicer): Promise<Delta | undefined> {
    const isDead = this.deadWithin(due);
    const hadCollection = due.some(({ inserted }) => inserted.collection !== undefined);
    const kernel = function* () {
      const merged = yield* mergeDeltas(due, isDead);
      // Whoever queries across worlds would otherwise pay for it.
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
    // Lists of one world are made anew by everyone who needs one.
    const key = worlds.length === 1 ? worlds[0] : worlds;
    let map = this.contextMaps.get(key);
    if (!map) {
      map = contextMapOf(worlds);
      this.contextMaps.set(key, map);
    }
    return map;
  }
}

/**
 * The default graph is the merge of the worlds' default graphs; the named graphs are their union by
 * name.
 */
function contextMapOf(worlds: readonly WorldGraphs[]): ContextMap {
  const defaults = Uint32Array.from(worlds, ({ defaultContext }) => defaultContext).sort();
  return new ContextMap(defaults, NamedGraphs.ofWorlds(worlds));
}

/**
 * Puts a merged delta in the place of its neighbours; a snapshot that does not have all of them
 * stays as it is.
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
 * The newest neighbours, from an index on, that are too near in size, or larger than the older
 * ones; none when all is in proportion.
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
