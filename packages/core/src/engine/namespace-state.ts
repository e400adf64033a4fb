import type { WorldsError } from '../model/worlds-error.ts';
import type { Dictionary } from '../quads/dictionary.ts';
import { type DataSize, NO_DATA } from '../quads/quad-bytes.ts';
import { QuadStore } from '../quads/quad-store.ts';
import type { Snapshot } from '../quads/snapshot.ts';
import type { HashKey } from '../quads/term-hash.ts';
import type { WorldGraphs } from '../quads/world-graphs.ts';
import type { BackgroundFailures } from './background-failures.ts';
import { type Commit, type CommitObserver, sizeAfterCommit, slugOf } from './commit.ts';
import type { CommitLog } from './commit-log.ts';
import type { History, KeptCommit } from './history/history.ts';
import type { HistoryOptions } from './history/history-options.ts';
import type { MemoryLimit } from './memory-limit.ts';
import { Mutex } from './mutex.ts';
import type { NamespaceCounts } from './namespace-counts.ts';
import type { NamespaceQuota } from './namespace-quota.ts';
import type { StorableTexts, StoredTexts } from './storable-texts.ts';
import { contextsOf, recordBytesOf, type WorldState } from './world-state.ts';

export interface NamespaceStateOptions {
  readonly name: string;
  /** Seed of the hash table of terms. */
  readonly key: HashKey;
  readonly failures: BackgroundFailures;
  /** Memory limit of the engine; undefined if there is none. */
  readonly memory?: MemoryLimit | undefined;
  /** Undefined if the engine has no quotas. */
  readonly quota?: NamespaceQuota | undefined;
  /**
   * Returns the history to keep; undefined for none. Called with the options of a stored history if
   * the namespace has one and is not known to keep a history otherwise.
   */
  readonly historyFor?: ((stored?: HistoryOptions) => History | undefined) | undefined;
}

/** Memory of an empty namespace, in JavaScript objects of the engine and its storage. Measured. */
const NAMESPACE_BYTES = 24 << 10;

/**
 * One namespace in memory: its worlds, their quads, and the lock for writers.
 *
 * There are two states. The *latest* state includes every commit; the next commit is evaluated
 * against it. The *visible* state, which readers see, includes only durable commits. Members
 * prefixed `latest` belong to the latest state; callers must hold the lock.
 *
 * Only commits change the two states. {@link advance} adds a commit to the latest state, and
 * {@link publish} to the visible one. {@link retreat} resets the latest state to the visible state
 * if commits could not be made durable. The {@link CommitLog} calls all three: without storage it
 * publishes a commit immediately; with storage, once the commit is on disk, and the next writer
 * does not wait for that.
 *
 * Readers take no lock. They capture the visible world states and the visible snapshot; both are
 * immutable.
 */
export class NamespaceState {
  readonly name: string;
  readonly store: QuadStore;
  readonly memory: MemoryLimit | undefined;
  readonly quota: NamespaceQuota | undefined;
  /** The visible worlds, by slug. */
  readonly worlds = new Map<string, WorldState>();
  /** Number of the last visible commit. */
  revision = 0;
  latestRevision = 0;
  /** Total size of all worlds, for quotas. */
  dataSize: DataSize = NO_DATA;
  latestDataSize: DataSize = NO_DATA;
  /** Number of the next world. Numbers are never reused. */
  nextWorld = 1;
  /**
   * True once the namespace was deleted or evicted, or must be reloaded from storage. The catalog
   * then no longer returns this object.
   */
  dropped = false;
  /** Set when the engine is closed: the error that every later call throws. */
  closedBy: WorldsError | undefined;
  /** Cache of `stats`; holds the revision that it was counted for. */
  counts: NamespaceCounts | undefined;
  /** LRU clock: the larger, the later a request named the namespace. */
  lastNamed = 0;
  private openedLog: CommitLog | undefined;
  private readonly observers: CommitObserver[] = [];
  /** Number of commits of the log when the lock was last taken. */
  private appendedBefore = 0;
  private readonly lock = new Mutex();
  /** Number of callers that depend on this object; it is evicted only at 0. */
  private users = 0;
  /** Difference between latest and visible: by slug, the newest commit that is not yet visible. */
  private readonly ahead = new Map<string, Commit>();
  /** Memory of the records (label, description and so on) of the visible worlds, in bytes. */
  private recordBytes = 0;
  /** Slugs of the visible worlds by their numbers. */
  private readonly slugByNumber = new Map<number, string>();
  private readonly historyFor: NamespaceStateOptions['historyFor'];
  private keptHistory: History | undefined;
  /** Number of quads that only the history kept, not yet reported to the observers. */
  private expiredQuads = 0;
  /** Caches of {@link slugs} and {@link allGraphs}; undefined after a change. */
  private slugList: readonly string[] | undefined;
  private graphsList: readonly WorldGraphs[] | undefined;

  constructor({ name, key, failures, memory, quota, historyFor }: NamespaceStateOptions) {
    this.name = name;
    this.memory = memory;
    this.quota = quota;
    this.historyFor = historyFor;
    this.keptHistory = historyFor?.();
    this.store = new QuadStore(
      key,
      (cause) => failures.failed(name, 'merge', cause),
      () => failures.succeeded(name, 'merge'),
    );
  }

  // Reading

  /** The slugs of the visible worlds, in code-unit order. */
  get slugs(): readonly string[] {
    this.slugList ??= [...this.worlds.keys()].sort();
    return this.slugList;
  }

  /**
   * The graphs of all worlds. The same array is returned until a world or graph is added or
   * removed.
   */
  get allGraphs(): readonly WorldGraphs[] {
    this.graphsList ??= Array.from(this.worlds.values(), ({ graphs }) => graphs);
    return this.graphsList;
  }

  /** A visible world by its number. */
  worldOf(number: number): WorldState | undefined {
    const slug = this.slugByNumber.get(number);
    return slug === undefined ? undefined : this.worlds.get(slug);
  }

  /** A world in the latest state. Requires the lock. */
  latest(slug: string): WorldState | undefined {
    const commit = this.ahead.get(slug);
    return commit ? commit.after : this.worlds.get(slug);
  }

  /** Number of worlds in the latest state. Requires the lock. */
  get latestSize(): number {
    let size = this.worlds.size;
    for (const [slug, { after }] of this.ahead) size += Number(after !== undefined) - Number(this.worlds.has(slug));
    return size;
  }

  // Commits

  /** Opens the namespace for writers, whose commits go to `log`. Called once. */
  openLog(log: CommitLog): void {
    this.openedLog = log;
  }

  /**
   * The log for commits. Throws before {@link openLog}: a namespace being loaded has no writers.
   */
  get log(): CommitLog {
    if (!this.openedLog) throw new Error(`The namespace ${this.name} is not open for writers yet.`);
    return this.openedLog;
  }

  /** Notifies an observer of every commit until the returned function is called. */
  observe(observer: CommitObserver): () => void {
    this.observers.push(observer);
    return () => {
      this.observers.splice(this.observers.indexOf(observer), 1);
    };
  }

  /** Adds a commit to the latest state. Requires the lock. */
  advance(commit: Commit): void {
    this.ahead.set(slugOf(commit), commit);
    this.reach(commit);
  }

  private reach(commit: Commit): void {
    this.store.advance(commit.delta);
    this.latestRevision = commit.revision;
    if (this.quota) this.latestDataSize = sizeAfterCommit(this.latestDataSize, commit);
    for (const observer of this.observers) observer.latest?.(commit);
  }

  /**
   * Adds a commit to the visible state, in one synchronous step. Commits must be published in the
   * order in which they were advanced. Does not require the lock.
   *
   * @param snapshot the latest snapshot when the commit was advanced, or an equivalent that was
   *   merged since
   */
  publish(commit: Commit, snapshot: Snapshot): void {
    const slug = slugOf(commit);
    if (this.ahead.get(slug) === commit) this.ahead.delete(slug);
    this.reveal(commit, snapshot);
  }

  private reveal(commit: Commit, snapshot: Snapshot): void {
    const { before, after } = commit;
    this.store.reveal(snapshot);
    this.revision = commit.revision;
    if (this.quota) this.dataSize = sizeAfterCommit(this.dataSize, commit);
    if (after) this.put(after);
    else if (before) this.remove(before);
    const deletedQuads = this.freedBy(commit);
    for (const observer of this.observers) observer.visible?.(commit, deletedQuads);
  }

  /**
   * Advances and publishes a commit: one that is durable already, or of a namespace without
   * storage.
   */
  show(commit: Commit): void {
    // A Map that loses its only entry gets a new table, which the old one refers to: most commits
    // never enter `ahead`, so that no trail of tables keeps them from the garbage collector.
    if (this.ahead.size > 0) this.ahead.delete(slugOf(commit));
    this.reach(commit);
    this.reveal(commit, this.store.latest);
  }

  /** Resets the latest state to the visible state. Requires the lock. */
  retreat(): void {
    this.store.retreat();
    this.latestRevision = this.revision;
    this.latestDataSize = this.dataSize;
    this.ahead.clear();
  }

  /**
   * Replaces the dictionary. Every id in use must denote the same term in both.
   *
   * @param upTo see `QuadStore.renewDictionary`
   */
  renewDictionary(dictionary: Dictionary, upTo?: number): void {
    this.store.renewDictionary(dictionary, upTo);
    for (const observer of this.observers) observer.dictionaryRenewed?.(dictionary);
  }

  /**
   * Initialises an empty namespace with stored worlds. Their quads must be in the store already.
   *
   * @param sinceMs time since which the namespace has had this state, in milliseconds since the
   *   epoch; -Infinity if it always had
   */
  restore(worlds: Iterable<WorldState>, revision: number, nextWorld: number, sinceMs = Number.NEGATIVE_INFINITY): void {
    let { quads, bytes } = this.dataSize;
    for (const state of worlds) {
      this.put(state);
      quads += state.size.quads;
      bytes += state.size.bytes;
    }
    this.dataSize = this.latestDataSize = { quads, bytes };
    this.revision = this.latestRevision = revision;
    this.nextWorld = nextWorld;
    this.history?.begin(revision, sinceMs);
  }

  // History

  /** The visible commits that can be undone; undefined if none are kept. */
  get history(): History | undefined {
    return this.keptHistory;
  }

  /** Continues a stored history, with its options unless the engine has others. */
  resumeHistory(stored: HistoryOptions): History | undefined {
    this.keptHistory ??= this.historyFor?.(stored);
    return this.keptHistory;
  }

  /** Drops the commits that the history need not keep any longer. */
  expireHistory(): void {
    if (this.history) this.expiredQuads += this.bury(this.history.expire());
  }

  /** Drops all kept commits, so that the present is the oldest state that can be read. */
  forgetHistory(): void {
    if (this.history) this.expiredQuads += this.bury(this.history.forget());
  }

  /** Returns the number of quads that nothing needs any longer once a commit is visible. */
  private freedBy(commit: Commit): number {
    const { before, after, delta } = commit;
    if (!this.history) return delta.deleted.length + (before ? this.buryContexts(before, after) : 0);
    this.history.add(commit);
    this.expireHistory();
    const freed = this.expiredQuads;
    this.expiredQuads = 0;
    return freed;
  }

  /** Frees what only these commits kept. Returns the number of quads. */
  private bury(commits: readonly KeptCommit[]): number {
    let quads = 0;
    for (const { before, after, delta } of commits) {
      quads += delta.deletedLength + (before ? this.buryContexts(before, after) : 0);
    }
    return quads;
  }

  // Stored text index

  /** Notifies the observers of a text index in the checkpoint that was just restored. */
  foundTexts(texts: StoredTexts): void {
    for (const observer of this.observers) observer.textsFound?.(texts);
  }

  /**
   * The text index for the next checkpoint; undefined if there is none. `Namespace`, which has the
   * search, overrides it.
   */
  get texts(): StorableTexts | undefined {
    return undefined;
  }

  // Writers

  /**
   * Runs `work` with the lock held. Releases the lock when `work` settles, but returns only once
   * every commit that its outcome depends on is durable: an answer must not reveal a state that a
   * crash could undo. If such a commit fails, rejects with that failure. Throws ABORTED if the
   * signal fires during the wait for the lock.
   */
  async exclusively<Result>(work: () => Promise<Result> | Result, signal?: AbortSignal): Promise<Result> {
    const turn = this.enter(signal);
    if (turn) await turn;
    try {
      this.requireOpen();
      return await work();
    } finally {
      const durable = this.leave();
      if (durable) await durable;
    }
  }

  /**
   * Takes the lock: synchronously if it is free, otherwise when the returned promise resolves. The
   * caller must then call {@link leave}. Throws or rejects with ABORTED if the signal fires first.
   *
   * The most frequent writes use this pair instead of {@link exclusively}: V8 discards the machine
   * code of closures at each full garbage collection, and would compile it again.
   */
  enter(signal?: AbortSignal): Promise<void> | undefined {
    const turn = this.lock.enter(signal);
    this.users++;
    if (turn || this.log.isInDoubt) return this.entered(turn);
    this.appendedBefore = this.log.appended;
    return undefined;
  }

  /** The slow path of {@link enter}: waits for the lock, and resolves the doubt of the log. */
  private async entered(turn: Promise<void> | undefined): Promise<void> {
    try {
      await turn;
      try {
        this.requireOpen();
        if (this.log.isInDoubt) await this.log.clearDoubt();
        this.appendedBefore = this.log.appended;
      } catch (cause) {
        this.lock.leave();
        throw cause;
      }
    } catch (cause) {
      this.release();
      throw cause;
    }
  }

  /**
   * Releases the lock. Returns a promise that settles once every commit that the caller has seen is
   * durable and, if it has committed nothing itself, once the log shows that there are no others;
   * undefined if both hold already. The caller must await it before it reports its outcome.
   */
  leave(): Promise<void> | undefined {
    const { log } = this;
    const isOwn = log.appended !== this.appendedBefore;
    // A commit of the caller's own proves that the state before it was current.
    const known = isOwn ? log.lastAppended : this.dropped ? log.tail : log.confirm();
    this.lock.leave();
    if (known) return this.durable(known, isOwn);
    this.users--;
    return undefined;
  }

  private async durable(known: Promise<void>, isOwn: boolean): Promise<void> {
    try {
      await known;
    } catch (cause) {
      throw isOwn ? cause : this.log.dependentFailure(cause);
    } finally {
      this.release();
    }
  }

  /**
   * Runs `work` with the lock held, without waiting for durability. For the log itself, which would
   * wait for itself, and for maintenance.
   */
  withLock<Result>(work: () => Promise<Result> | Result): Promise<Result> {
    return this.use(() => this.lock.run(work));
  }

  // Memory

  /** Runs `work` and keeps this object in memory until it settles. */
  async use<Result>(work: () => Promise<Result> | Result): Promise<Result> {
    const release = this.hold();
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Keeps this object in memory until the returned function is called. */
  hold(): () => void {
    this.users++;
    return () => this.release();
  }

  private release(): void {
    this.users--;
    this.memory?.touch(this);
  }

  /** Whether the namespace may be evicted. */
  get isIdle(): boolean {
    return this.users === 0;
  }

  /** Throws INVALID_ARGUMENT if the engine is closed. */
  requireOpen(): void {
    if (this.closedBy) throw this.closedBy;
  }

  /** Throws LIMIT_EXCEEDED if `bytes` more would exceed the memory limit. */
  requireRoom(bytes: number): void {
    this.memory?.requireRoom(this, bytes);
  }

  /** Memory of the namespace and its world records, in bytes. */
  get recordByteLength(): number {
    return NAMESPACE_BYTES + this.recordBytes;
  }

  /** Total memory, in bytes. */
  get byteLength(): number {
    return this.recordByteLength + this.store.byteLength + (this.history?.byteLength ?? 0);
  }

  /** The part of {@link byteLength} on the JavaScript heap. */
  get heapByteLength(): number {
    return this.recordByteLength + (this.history?.heapByteLength ?? 0);
  }

  /** Adds or replaces a visible world. */
  private put(state: WorldState): void {
    const { slug } = state.record;
    const old = this.worlds.get(slug);
    if (!old) this.slugList = undefined;
    if (old?.graphs !== state.graphs) this.graphsList = undefined;
    this.worlds.set(slug, state);
    if (old?.record !== state.record) this.recordBytes += recordBytesOf(state) - (old ? recordBytesOf(old) : 0);
    if (!old) this.slugByNumber.set(state.graphs.world, slug);
  }

  private remove(state: WorldState): void {
    const { record, graphs } = state;
    const known = this.worlds.get(record.slug);
    if (known) this.recordBytes -= recordBytesOf(known);
    this.slugByNumber.delete(graphs.world);
    this.worlds.delete(record.slug);
    this.slugList = undefined;
    this.graphsList = undefined;
  }

  /**
   * Marks the contexts (each is one graph of one world) that a commit removed as dead, so that the
   * next merge drops their quads. Returns the number of these quads.
   */
  private buryContexts(before: WorldState, after: WorldState | undefined): number {
    if (before.graphs === after?.graphs) return 0;
    // A world keeps its default graph.
    return this.store.bury(after ? before.graphs.notIn(after.graphs).contexts : contextsOf(before));
  }
}
