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
import type { MemoryLimit } from './memory-limit.ts';
import { Mutex } from './mutex.ts';
import type { NamespaceCounts } from './namespace-counts.ts';
import type { NamespaceQuota } from './namespace-quota.ts';
import { contextsOf, recordBytesOf, type WorldState } from './world-state.ts';

export interface NamespaceStateOptions {
  readonly name: string;
  /** The key of the hash table of terms. */
  readonly key: HashKey;
  readonly failures: BackgroundFailures;
  /** Refuses what does not fit into memory; undefined without a limit. */
  readonly memory?: MemoryLimit | undefined;
  /** Refuses what exceeds a quota; undefined if the engine has none. */
  readonly quota?: NamespaceQuota | undefined;
}

/** What a namespace takes in JavaScript objects, here and in the storage. Measured. */
const NAMESPACE_BYTES = 24 << 10;

/**
 * The data of one namespace in memory: its worlds, their quads, and the lock of its writers.
 *
 * Only commits change it, in three steps. {@link advance} shows a commit to the next writer, {@link publish} shows it to
 * readers, and {@link retreat} takes back what could not be made durable in between. So writers may be ahead of readers:
 * with a storage, a commit becomes visible only when it is durable, and the next writer does not wait for that. Members
 * whose names begin with `latest` show what writers see, and require the lock. All others show what readers see.
 *
 * Readers need no lock: they keep the states and snapshots that they have taken, which never change.
 */
export class NamespaceState {
  readonly name: string;
  readonly store: QuadStore;
  readonly memory: MemoryLimit | undefined;
  readonly quota: NamespaceQuota | undefined;
  /** The visible worlds, by slug. */
  readonly worlds = new Map<string, WorldState>();
  /** Each commit adds one. */
  revision = 0;
  latestRevision = 0;
  /** What counts against quotas, over all worlds. */
  dataSize: DataSize = NO_DATA;
  latestDataSize: DataSize = NO_DATA;
  /** The number of the next world. No number is used twice. */
  nextWorld = 1;
  /** True once the engine has let go of it: its last world is gone, or it is to be read again from the storage. */
  dropped = false;
  /** What callers get, once the engine has closed it. */
  closedBy: WorldsError | undefined;
  /** As `stats` counted it last, perhaps at an earlier revision. */
  counts: NamespaceCounts | undefined;
  /** Orders namespaces by when a request named them last; the larger the later. */
  lastNamed = 0;
  private openedLog: CommitLog | undefined;
  private readonly observers: CommitObserver[] = [];
  private readonly lock = new Mutex();
  /** Callers that need this object to stay in memory. */
  private users = 0;
  /** By slug, the newest commit that is not visible yet. */
  private readonly ahead = new Map<string, Commit>();
  private recordBytes = 0;
  private readonly slugByNumber = new Map<number, string>();
  private slugList: readonly string[] | undefined;
  private graphsList: readonly WorldGraphs[] | undefined;

  constructor({ name, key, failures, memory, quota }: NamespaceStateOptions) {
    this.name = name;
    this.memory = memory;
    this.quota = quota;
    this.store = new QuadStore(
      key,
      (cause) => failures.failed(name, 'merge', cause),
      () => failures.succeeded(name, 'merge'),
    );
  }

  // Reading

  /** The slugs, in code-unit order. */
  get slugs(): readonly string[] {
    this.slugList ??= [...this.worlds.keys()].sort();
    return this.slugList;
  }

  /** The graphs of all worlds: the dataset of a query over the collection. The same array until a world or graph comes or goes. */
  get allGraphs(): readonly WorldGraphs[] {
    this.graphsList ??= Array.from(this.worlds.values(), ({ graphs }) => graphs);
    return this.graphsList;
  }

  /** A world by its number; undefined when it is gone. */
  worldOf(number: number): WorldState | undefined {
    const slug = this.slugByNumber.get(number);
    return slug === undefined ? undefined : this.worlds.get(slug);
  }

  /** A world as the next commit finds it. */
  latest(slug: string): WorldState | undefined {
    const commit = this.ahead.get(slug);
    return commit ? commit.after : this.worlds.get(slug);
  }

  /** How many worlds the next commit finds. */
  get latestSize(): number {
    let size = this.worlds.size;
    for (const [slug, { after }] of this.ahead) size += Number(after !== undefined) - Number(this.worlds.has(slug));
    return size;
  }

  // Commits

  /** Opens it for writers, once; the log takes their commits. */
  openLog(log: CommitLog): void {
    this.openedLog = log;
  }

  get log(): CommitLog {
    if (!this.openedLog) throw new Error(`The namespace ${this.name} is not open for writers yet.`);
    return this.openedLog;
  }

  /** Tells an observer of each commit from now on, until the function that it gives is called. */
  observe(observer: CommitObserver): () => void {
    this.observers.push(observer);
    return () => {
      this.observers.splice(this.observers.indexOf(observer), 1);
    };
  }

  /** Shows a commit to the next writer. */
  advance(commit: Commit): void {
    this.store.advance(commit.delta);
    this.latestRevision = commit.revision;
    this.ahead.set(slugOf(commit), commit);
    if (this.quota) this.latestDataSize = sizeAfterCommit(this.latestDataSize, commit);
    for (const observer of this.observers) observer.latest?.(commit);
  }

  /**
   * Shows a commit to readers, in one synchronous step. Commits come in their order.
   *
   * @param snapshot the latest snapshot when the commit was made, or a later one with no commit in it that is not durable
   */
  publish(commit: Commit, snapshot: Snapshot): void {
    const { before, after, delta } = commit;
    this.store.reveal(snapshot);
    this.revision = commit.revision;
    if (this.quota) this.dataSize = sizeAfterCommit(this.dataSize, commit);
    const slug = slugOf(commit);
    if (this.ahead.get(slug) === commit) this.ahead.delete(slug);
    if (after) this.put(after);
    else if (before) this.remove(before);
    const deletedQuads = delta.deleted.length + (before ? this.buryContexts(before, after) : 0);
    for (const observer of this.observers) observer.visible?.(commit, deletedQuads);
  }

  /** Shows a commit to writers and readers in one step: for what is durable already, or never will be. */
  show(commit: Commit): void {
    this.advance(commit);
    this.publish(commit, this.store.latest);
  }

  /** Takes back, for writers, every commit that is not visible. */
  retreat(): void {
    this.store.retreat();
    this.latestRevision = this.revision;
    this.latestDataSize = this.dataSize;
    this.ahead.clear();
  }

  /** Puts another dictionary in place of the one that there is, in which every id that is in use means the same. */
  renewDictionary(dictionary: Dictionary): void {
    this.store.renewDictionary(dictionary);
    for (const observer of this.observers) observer.dictionaryRenewed?.(dictionary);
  }

  /** Takes up worlds from a storage, whose quads the store has already; there are none yet. */
  restore(worlds: Iterable<WorldState>, revision: number, nextWorld: number): void {
    let { quads, bytes } = this.dataSize;
    for (const state of worlds) {
      this.put(state);
      quads += state.size.quads;
      bytes += state.size.bytes;
    }
    this.dataSize = this.latestDataSize = { quads, bytes };
    this.revision = this.latestRevision = revision;
    this.nextWorld = nextWorld;
  }

  // Writers

  /**
   * Runs `work` alone, after all writers before it. Its result or error is given out once every commit that it rests on is
   * durable. If that fails, the failure is given out instead. Throws ABORTED by the signal while it waits.
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
   * {@link exclusively} in two halves, for the most frequent calls: V8 drops the machine code of functions that are made for
   * one call at each full collection, and compiles them again. Takes the lock, at once when it is free, otherwise with the
   * promise; then {@link leave} must be called. Throws ABORTED by the signal, or gives a promise that does.
   */
  enter(signal?: AbortSignal): Promise<void> | undefined {
    const turn = this.lock.enter(signal);
    this.users++;
    return turn || this.log.isInDoubt ? this.entered(turn) : undefined;
  }

  private async entered(turn: Promise<void> | undefined): Promise<void> {
    try {
      await turn;
      try {
        this.requireOpen();
        if (this.log.isInDoubt) await this.log.clearDoubt();
      } catch (cause) {
        this.lock.leave();
        throw cause;
      }
    } catch (cause) {
      this.release();
      throw cause;
    }
  }

  /** Lets the next writer in. The outcome must not be told before the promise resolves; if it rejects, that is the outcome. */
  leave(): Promise<void> | undefined {
    const { tail } = this.log;
    this.lock.leave();
    if (tail) return this.durable(tail);
    this.users--;
    return undefined;
  }

  private async durable(tail: Promise<void>): Promise<void> {
    try {
      await tail;
    } finally {
      this.release();
    }
  }

  /** Runs `work` with the lock, without waiting for anything to be durable: for the log itself, and for maintenance. */
  withLock<Result>(work: () => Promise<Result> | Result): Promise<Result> {
    return this.use(() => this.lock.run(work));
  }

  // Memory

  /** Runs `work`, which needs this object rather than another one of the same name, and keeps it in memory meanwhile. */
  async use<Result>(work: () => Promise<Result> | Result): Promise<Result> {
    const release = this.hold();
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** As {@link use}, until the function that it gives is called. */
  hold(): () => void {
    this.users++;
    return () => this.release();
  }

  private release(): void {
    this.users--;
    this.memory?.touch(this);
  }

  /** Whether it may leave memory: nobody needs this object rather than what it holds. */
  get isIdle(): boolean {
    return this.users === 0;
  }

  /** Throws INVALID_ARGUMENT if the engine has closed it. */
  requireOpen(): void {
    if (this.closedBy) throw this.closedBy;
  }

  /** Throws LIMIT_EXCEEDED when there is no room for this many more bytes. */
  requireRoom(bytes: number): void {
    this.memory?.requireRoom(this, bytes);
  }

  /** The part of {@link byteLength} that is its own and its worlds' objects. */
  get recordByteLength(): number {
    return NAMESPACE_BYTES + this.recordBytes;
  }

  /** Everything that it holds in memory, in bytes. */
  get byteLength(): number {
    return this.recordByteLength + this.store.byteLength;
  }

  /** The part of {@link byteLength} that is JavaScript objects rather than columns. */
  get heapByteLength(): number {
    return this.recordByteLength;
  }

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

  /** Deletes the quads of graphs that a world no longer has; gives their number. */
  private buryContexts(before: WorldState, after: WorldState | undefined): number {
    if (before.graphs === after?.graphs) return 0;
    const kept = new Set(after && contextsOf(after));
    return this.store.bury(contextsOf(before).filter((context) => !kept.has(context)));
  }
}
