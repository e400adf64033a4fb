import type { WorldsError } from '../model/worlds-error.ts';
import { deltaSize } from '../quads/merge-runs.ts';
import { type DataSize, NO_DATA } from '../quads/quad-bytes.ts';
import { QuadStore } from '../quads/quad-store.ts';
import type { Snapshot } from '../quads/snapshot.ts';
import type { HashKey } from '../quads/term-hash.ts';
import type { WorldGraphs } from '../quads/world-graphs.ts';
import type { BackgroundFailures } from './background-failures.ts';
import type { Commit } from './commit.ts';
import type { Checkpointer } from './durable/checkpointer.ts';
import { Compactor } from './durable/compactor.ts';
import type { Journal } from './durable/journal.ts';
import type { StoragePlace } from './durable/storage-place.ts';
import type { StoredVectors } from './durable/stored-vectors.ts';
import type { EngineCounters } from './engine-metrics.ts';
import type { NamespaceCounts } from './engine-stats.ts';
import type { MemoryLimit } from './memory-limit.ts';
import { Mutex } from './mutex.ts';
import type { NamespaceQuota } from './namespace-quota.ts';
import { SearchFeed, type SearchPlugins } from './search-feed.ts';
import type { World } from './world.ts';

/** A world as the engine holds it. Immutable: a commit puts another in its place. */
export interface WorldState {
  readonly record: World;
  readonly graphs: WorldGraphs;
  /** What counts against quotas; nothing if the engine has none. */
  readonly size: DataSize;
}

/** What a namespace takes in JavaScript objects, here and in the storage, and what each of its worlds does. Measured. */
const NAMESPACE_BYTES = 24 << 10;
const WORLD_BYTES = 1 << 10;

/**
 * One namespace in memory. Its worlds are changed by commits alone; whoever reads takes what is visible and keeps it, since every part is immutable.
 *
 * Writers see further than readers: with storage a commit is visible only once it is durable, and the next writer need not wait for that. What
 * begins with `latest` is for writers, with the lock held.
 */
export class Namespace {
  readonly name: string;
  readonly store: QuadStore;
  readonly worlds = new Map<string, WorldState>();
  readonly search: SearchFeed;
  /** Makes commits durable; undefined without storage. */
  journal: Journal | undefined;
  /** Beside `journal`. */
  checkpointer: Checkpointer | undefined;
  /** Beside `journal`. */
  vectors: StoredVectors | undefined;
  /** Beside `journal`: where the other engines are that have the storage open. */
  place: StoragePlace | undefined;
  /** Moves by one with every commit. */
  revision = 0;
  latestRevision = 0;
  /** The number of the next world; never used twice. */
  nextWorld = 1;
  /** Frees what nobody mentions any more. */
  readonly compactor: Compactor;
  /** Told of each commit, in one step with what makes it the latest. */
  watcher: ((commit: Commit) => void) | undefined;
  /** True once the engine has let go of it: its last world is gone, or it is to be read again from the storage. */
  dropped = false;
  /** Set when the engine closed it: what its callers get. */
  closedBy: WorldsError | undefined;
  /** As `stats` last counted it, perhaps at an earlier revision. */
  counts: NamespaceCounts | undefined;
  /** Larger for those that were named later. */
  lastNamed = 0;
  /** Refuses what does not fit into memory; undefined without a limit. */
  memory: MemoryLimit | undefined;
  /** Counts its commits; undefined while it is being read. */
  counters: EngineCounters | undefined;
  /** Refuses what exceeds a quota; undefined if the engine has none. */
  quota: NamespaceQuota | undefined;
  /** Of all worlds together: what counts against quotas. */
  dataSize: DataSize = NO_DATA;
  latestDataSize: DataSize = NO_DATA;
  /** Told when somebody has used it, and it may have grown. */
  onUsed: () => void = () => undefined;
  /** Of the records of its worlds. */
  private recordBytes = 0;
  private users = 0;
  private readonly lock = new Mutex();
  /** By slug, the newest commit that is not visible yet. */
  private readonly ahead = new Map<string, Commit>();
  private readonly slugByNumber = new Map<number, string>();
  private slugList: readonly string[] | undefined;
  private graphsList: readonly WorldGraphs[] | undefined;

  constructor(name: string, key: HashKey, plugins: SearchPlugins, failures: BackgroundFailures) {
    this.name = name;
    this.store = new QuadStore(
      key,
      (cause) => failures.failed(name, 'merge', cause),
      () => failures.succeeded(name, 'merge'),
    );
    this.search = new SearchFeed(this, plugins, failures);
    this.compactor = new Compactor(this, failures);
  }

  /** The slugs in code-unit order. */
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

  /** The part of {@link byteLength} that is its own and its worlds' objects. */
  get recordByteLength(): number {
    return NAMESPACE_BYTES + this.recordBytes;
  }

  /** Everything that it holds in memory, in bytes. */
  get byteLength(): number {
    return this.recordByteLength + this.store.byteLength + this.search.byteLength + (this.vectors?.byteLength ?? 0);
  }

  /** The part of {@link byteLength} that is JavaScript objects rather than columns. */
  get heapByteLength(): number {
    return NAMESPACE_BYTES + this.recordBytes + this.search.heapByteLength;
  }

  /** Throws INVALID_ARGUMENT if the engine has closed it. */
  requireOpen(): void {
    if (this.closedBy) throw this.closedBy;
  }

  /** Throws LIMIT_EXCEEDED when there is no room for so many bytes more. */
  requireRoom(bytes: number): void {
    this.memory?.requireRoom(this, bytes);
  }

  /**
   * Runs `work` alone, after all writers before it. Its outcome - a result or an error - is given out when everything that it rests on is durable; if
   * that fails, the failure is the outcome.
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
   * {@link exclusively} in two halves, for what is done very often: V8 forgets the machine code of functions that are made for one call at each full collection, and compiles it again.
   * Takes the lock, at once or with the promise; who has it must {@link leave}. Throws ABORTED by the signal, or gives a promise that does.
   */
  enter(signal?: AbortSignal): Promise<void> | undefined {
    const { journal } = this;
    return journal ? this.enterDurably(journal, signal) : this.lock.enter(signal);
  }

  /** Lets the next writer in. What was done is not to be told before the promise has resolved; when it rejects, that is the outcome. */
  leave(): Promise<void> | undefined {
    const { journal } = this;
    const basis = journal?.tail;
    this.lock.leave();
    return journal && this.durably(basis);
  }

  private async enterDurably(journal: Journal, signal: AbortSignal | undefined): Promise<void> {
    this.users++;
    try {
      await this.lock.enter(signal);
      try {
        this.requireOpen();
        if (journal.isInDoubt) await journal.clearDoubt();
      } catch (cause) {
        this.lock.leave();
        throw cause;
      }
    } catch (cause) {
      this.release();
      throw cause;
    }
  }

  private async durably(basis: Promise<void> | undefined): Promise<void> {
    try {
      await basis;
    } finally {
      this.release();
    }
  }

  /** Runs `work` alone, and nothing else: for the journal, which cannot wait for itself. */
  withLock<Result>(work: () => Promise<Result> | Result): Promise<Result> {
    return this.use(() => this.lock.run(work));
  }

  /** Runs `work`, which needs this object and no other of the same name, and must not lose it while it waits. */
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
    this.onUsed();
  }

  /** Whether nobody needs this object rather than what it holds. */
  get isIdle(): boolean {
    return this.users === 0 && !this.search.isBusy;
  }

  /** Lets the next writer see a commit. */
  advance(commit: Commit): void {
    this.store.advance(commit.delta);
    this.latestRevision = commit.revision;
    this.ahead.set(slugOf(commit), commit);
    if (this.quota) this.latestDataSize = sizeAfter(this.latestDataSize, commit);
    this.watcher?.(commit);
  }

  /**
   * Lets everyone see a commit, in one synchronous step; commits come in their order.
   *
   * @param snapshot the latest one when the commit was made, or a later one that is as visible
   */
  publish(commit: Commit, snapshot: Snapshot): void {
    const { before, after, delta, revision } = commit;
    this.store.reveal(snapshot);
    this.revision = revision;
    if (this.counters) this.counters.commits++;
    if (this.quota) this.dataSize = sizeAfter(this.dataSize, commit);
    if (this.ahead.get(slugOf(commit)) === commit) this.ahead.delete(slugOf(commit));
    if (after) this.put(after);
    else if (before) this.remove(before);
    if (!before) return;
    if (before.graphs !== after?.graphs) {
      const kept = new Set(after && contextsOf(after));
      this.compactor.quadsWent(this.store.bury(contextsOf(before).filter((context) => !kept.has(context))));
    }
    if (delta.deleted.length > 0) this.compactor.quadsWent(delta.deleted.length);
    if (!after) this.search.dropWorld(before.graphs.world);
    else if (deltaSize(delta) > 0) this.search.enqueue(before.graphs.world, delta);
  }

  /** Takes back, for writers, every commit that is not visible. */
  retreat(): void {
    this.store.retreat();
    this.latestRevision = this.revision;
    this.latestDataSize = this.dataSize;
    this.ahead.clear();
  }

  /** Takes up worlds from a storage; this namespace is empty. */
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

  private put(state: WorldState): void {
    const { slug } = state.record;
    const old = this.worlds.get(slug);
    if (!old) this.slugList = undefined;
    if (old?.graphs !== state.graphs) this.graphsList = undefined;
    this.worlds.set(slug, state);
    if (old?.record !== state.record) this.recordBytes += sizeOf(state) - (old ? sizeOf(old) : 0);
    if (!old) this.slugByNumber.set(state.graphs.world, slug);
  }

  private remove(state: WorldState): void {
    const { record, graphs } = state;
    const known = this.worlds.get(record.slug);
    if (known) this.recordBytes -= sizeOf(known);
    this.slugByNumber.delete(graphs.world);
    this.worlds.delete(record.slug);
    this.slugList = undefined;
    this.graphsList = undefined;
  }
}

/** What a world takes in JavaScript objects. */
function sizeOf({ record: { label, description } }: WorldState): number {
  return WORLD_BYTES + 2 * ((label?.length ?? 0) + (description?.length ?? 0));
}

/** The size of a namespace after a commit to one of its worlds. */
function sizeAfter({ quads, bytes }: DataSize, { before, after }: Commit): DataSize {
  return {
    quads: quads + (after?.size.quads ?? 0) - (before?.size.quads ?? 0),
    bytes: bytes + (after?.size.bytes ?? 0) - (before?.size.bytes ?? 0),
  };
}

function slugOf({ before, after }: Commit): string {
  return (after ?? before)!.record.slug;
}

/** All contexts of a world. */
export function contextsOf({ graphs }: WorldState): number[] {
  return [graphs.defaultContext, ...graphs.contexts];
}
