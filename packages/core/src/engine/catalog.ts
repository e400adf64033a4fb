import { allowManyListeners, Buffer, setImmediate } from '#platform';
import { raceAbort } from '../contracts/abort-race.ts';
import type { Head, NamespaceStorageStats } from '../contracts/storage.ts';
import type { MemoryPool } from '../model/memory-pool.ts';
import { type RequestLimits, requestLimits } from '../model/request-limits.ts';
import { WorldsError } from '../model/worlds-error.ts';
import type { HashKey } from '../quads/term-hash.ts';
import { BackgroundFailures } from './background-failures.ts';
import { removeAllWorlds } from './commit-changes.ts';
import type { WorldChange } from './durable/change-feed.ts';
import type { CommitStatus } from './durable/commit-status.ts';
import type { CommitToken } from './durable/commit-token.ts';
import { continuedFeed } from './durable/continued-feed.ts';
import type { Durability } from './durable/durability.ts';
import { StoredNamespaces } from './durable/stored-namespaces.ts';
import { EngineCounters } from './engine-counters.ts';
import type { WorldsEngineOptions } from './engine-options.ts';
import { History } from './history/history.ts';
import { type HistoryOptions, requireHistoryOptions } from './history/history-options.ts';
import { defaultMemoryLimits, type MemoryLimits, machineMemory, processMemoryPool } from './memory-default.ts';
import { type Eviction, MemoryLimit } from './memory-limit.ts';
import { Namespace } from './namespace.ts';
import type { NamespaceCounts } from './namespace-counts.ts';
import { NamespaceQuota } from './namespace-quota.ts';
import { namespaceNotFound } from './open-source.ts';
import { type QuotaPolicy, quotaPolicy } from './quotas.ts';
import { pooledRandomBytes } from './random-bytes.ts';
import { repeatOvertaken } from './repeat-overtaken.ts';
import type { SearchPlugins } from './search-feed.ts';
import { type SourceCatalog, SourceResolver } from './source-resolver.ts';
import { Upkeep, type UpkeepCatalog } from './upkeep.ts';
import { whenReady } from './when-ready.ts';
import { requireName, resolveNamespace } from './world-name.ts';

const MEBIBYTE = 1 << 20;
/**
 * Maximum number of attempts to read a namespace while another engine truncates its log. An attempt
 * fails only if a checkpoint is completed during it; on a slow disk, that may happen repeatedly.
 */
const MAX_READS = 100;
const DAY_MS = 86_400_000;

/**
 * The namespaces of an engine: which exist, which are in memory, and when they are loaded and
 * evicted.
 *
 * With storage, a namespace is loaded when a request first names it. Methods that may have to wait
 * for that return a promise only then, and their result synchronously otherwise, so that a request
 * reads the state at the time of its call if possible.
 */
export class Catalog implements SourceCatalog, UpkeepCatalog {
  /** Opens the worlds that requests name. */
  readonly sources: SourceResolver = new SourceResolver(this);
  /** Backups, verification and salvage. */
  readonly upkeep: Upkeep = new Upkeep(this);
  readonly defaultNamespace: string;
  /** Limits of a single request. */
  readonly limits: RequestLimits;
  readonly clock: () => number;
  readonly random: (length: number) => Uint8Array;
  readonly failures: BackgroundFailures;
  readonly counters = new EngineCounters();
  /** Memory pool for queries and updates. */
  readonly memoryPool: MemoryPool;
  private readonly namespaces = new Map<string, Namespace>();
  private readonly plugins: SearchPlugins;
  /** Undefined if the engine has no quotas; sizes are then not counted. */
  readonly quotas: QuotaPolicy | undefined;
  /** Undefined to keep a history only where the storage has one; null to keep none. */
  private readonly history: HistoryOptions | null | undefined;
  private readonly retainChangesBytes: number;
  /** Whether namespaces are compacted automatically. */
  private readonly compacts: boolean;
  /** Undefined without storage; set once, by {@link openStorage}. */
  stored: StoredNamespaces | undefined;
  /** Functions that stop following the commits of other processes. */
  private readonly followers = new Map<Namespace, () => void>();
  /** Namespaces that are being loaded, by name. Concurrent requests share one load. */
  private readonly loading = new Map<string, Promise<void>>();
  /** Aborted when the engine starts to close. Ends waits and reads. */
  private readonly closing = new AbortController();
  /** Settles when the engine is closed; undefined while it is open. */
  private closed: Promise<void> | undefined;
  private memory: MemoryLimit | undefined;
  /** Whether namespaces can be evicted. */
  private evicts = false;
  /** Whether the caller set the memory limit. */
  private isLimitExplicit = false;
  /**
   * Cached counts of evicted namespaces, by name, if they were known when the namespace was
   * evicted.
   */
  private readonly evictedCounts = new Map<string, NamespaceCounts>();
  /** LRU clock: incremented each time a namespace is used. */
  private lruClock = 0;
  /**
   * The highest revision of any deleted namespace. A new namespace of the same name continues above
   * it, so that a revision never denotes two worlds.
   */
  private lastRevision = 0;
  /** Made when first needed, see {@link engineId}. */
  private ownId: string | undefined;

  constructor(options: WorldsEngineOptions, plugins: SearchPlugins) {
    this.defaultNamespace = requireName(options.defaultNamespace ?? 'default', 'defaultNamespace');
    this.clock = options.clock ?? Date.now;
    this.random = options.random ?? pooledRandomBytes();
    this.memoryPool = options.memoryPool ?? processMemoryPool();
    const { onBackgroundError, logger } = options;
    this.failures = new BackgroundFailures({ onBackgroundError, logger, clock: this.clock });
    this.plugins = plugins;
    // Every import and every change feed adds a listener.
    allowManyListeners(this.closing.signal);
    this.compacts = options.compaction !== 'manual';
    this.limits = requestLimits(options.limits);
    this.quotas = options.quotas && quotaPolicy(options.quotas);
    if (options.history) requireHistoryOptions(options.history);
    this.history = options.history;
    this.retainChangesBytes = options.retainChangesBytes ?? 16 * MEBIBYTE;
  }

  /** Opens the storage, if any. Must be called once, before any other method. */
  async openStorage({ storage, ...options }: WorldsEngineOptions): Promise<void> {
    const limits = memoryLimits(options.maxMemoryBytes);
    if (!storage) {
      if (limits) this.memory = new MemoryLimit(limits);
      return;
    }
    const stored = await StoredNamespaces.open(storage, {
      checkpointLogBytes: options.checkpointLogBytes ?? 32 * MEBIBYTE,
      retainChangesMs: options.retainChangesMs ?? 7 * DAY_MS,
      retainChangesBytes: this.retainChangesBytes,
      clock: this.clock,
      newId: this.newId,
      failures: this.failures,
      counters: this.counters,
      onStale: (state) => {
        const namespace = this.present(state);
        if (namespace) void this.unload(namespace);
      },
      isInMemory: (name) => this.namespaces.has(name) || this.loading.has(name),
      onBehind: (name, isGone) => this.followIfAwaited(name, isGone),
    });
    this.stored = stored;
    if (!limits) return;
    this.evicts = true;
    this.isLimitExplicit = options.maxMemoryBytes !== undefined;
    const eviction: Eviction = {
      finish: async (user) => {
        const namespace = this.present(user);
        await namespace?.withLock(() => namespace.durability?.finish());
      },
      evict: async (user) => {
        const namespace = this.present(user);
        if (!namespace) return this.memory?.remove(user);
        const { name, counts, revision } = namespace;
        if (counts?.revision === revision && !stored.isShared && !stored.isBehind(name))
          this.evictedCounts.set(name, counts);
        await this.unload(namespace);
      },
    };
    this.memory = new MemoryLimit({ ...limits, eviction });
  }

  /**
   * Whether namespaces may be evicted soon, so that readers must hold them. With the default limit
   * they need not while memory is plentiful, because holding is measurable in short queries.
   */
  get isLimited(): boolean {
    return this.evicts && (this.isLimitExplicit || this.memory!.isTight);
  }

  get isClosed(): boolean {
    return this.closed !== undefined;
  }

  /**
   * Aborts when the engine starts to close. Its reason is the error for calls to a closed engine.
   */
  get closingSignal(): AbortSignal {
    return this.closing.signal;
  }

  /** Throws INVALID_ARGUMENT once the engine has started to close. */
  requireOpen(): void {
    if (this.closed) throw engineClosed();
  }

  /**
   * Awaits work that closing the engine may interrupt. If it fails because the engine was closed,
   * throws the error for a closed engine; errors with a cause of their own are thrown unchanged.
   */
  async untilClosed<Result>(work: Promise<Result>, signal?: AbortSignal): Promise<Result> {
    try {
      return await work;
    } catch (cause) {
      if (!this.closed || signal?.aborted) throw cause;
      const isOwn = cause instanceof WorldsError && cause.code !== 'INVALID_ARGUMENT' && cause.code !== 'ABORTED';
      throw isOwn ? cause : engineClosed(cause);
    }
  }

  get isStored(): boolean {
    return this.stored !== undefined;
  }

  /** Whether other processes may write to the storage. */
  get isShared(): boolean {
    return this.stored?.isShared === true;
  }

  /**
   * Whether writes of others may overtake those of this engine: of other processes, or of other
   * engines of this one.
   */
  get canBeOvertaken(): boolean {
    return this.stored?.canBeOvertaken === true;
  }

  /**
   * Runs a write, and repeats it if other engines have written first; see `repeatOvertaken`. Adds
   * no promise where that is impossible. A write to a given namespace waits for its turn while
   * other processes write there too; one that does more than compute its change from memory should
   * not be given one, because it would make them wait for the rest of its work.
   */
  repeating<Result>(
    attempt: () => Result | Promise<Result>,
    signal?: AbortSignal | undefined,
    namespace?: string,
  ): Result | Promise<Result> {
    if (!this.canBeOvertaken) return attempt();
    const reserve = async (name: string, count: number) =>
      this.namespaces.get(name)?.durability?.reservations.take(count, signal);
    // Without contention nothing is awaited first, so that calls keep their order.
    const home = namespace === undefined ? undefined : this.namespaces.get(namespace);
    const contended = home?.durability?.reservations.isContended ? namespace : undefined;
    return repeatOvertaken(attempt, { random: this.random, signal, reserve, namespace: contended });
  }

  /**
   * Brings namespaces to their heads as of the call, or later. Does nothing unless other processes
   * may write to the storage. Waits for the locks of the namespaces; throws ABORTED as soon as the
   * signal fires.
   */
  async catchUp(names: readonly string[], signal?: AbortSignal): Promise<void> {
    const { stored } = this;
    if (!stored?.isShared) return;
    const following = Promise.all(
      names.map(async (name) => {
        await this.loadEnded(name);
        this.requireOpen();
        await this.load(name, stored);
      }),
    );
    await raceAbort(following, signal);
  }

  /** Throws UNSUPPORTED if the storage is read-only. */
  requireWritable(operation: string): void {
    if (!this.stored?.isReadOnly) return;
    throw new WorldsError(
      'UNSUPPORTED',
      `${operation}: the storage is read-only. Open the engine with a writable storage, such as fileStorage without readOnly.`,
    );
  }

  namespaceName(namespace: string | undefined): string {
    return namespace === undefined
      ? this.defaultNamespace
      : resolveNamespace(namespace, this.defaultNamespace, 'namespace');
  }

  /** Finds a namespace, loading it if necessary. It may have been emptied or deleted meanwhile. */
  find(name: string): Namespace | undefined | Promise<Namespace | undefined> {
    return whenReady(this.ready([name]), () => {
      const home = this.namespaces.get(name);
      if (!home) this.requireOpen();
      return home;
    });
  }

  /** Like {@link find}. If there is none, looks whether another process has created it. */
  async findOnHead(name: string): Promise<Namespace | undefined> {
    const home = await this.find(name);
    if (home || !this.isShared) return home;
    await this.catchUp([name]);
    return this.find(name);
  }

  /**
   * Returns the incarnation of a namespace: a random string which all engines on one storage share,
   * also after a restart. It changes when the namespace is deleted and created again, or restored.
   */
  async incarnationOf(name: string): Promise<string> {
    const home = await this.findOnHead(name);
    return home?.durability?.journal.state.head.incarnation ?? this.engineId;
  }

  /** Returns the namespace and creates it if it does not exist. */
  findOrCreate(name: string): Namespace | Promise<Namespace> {
    return whenReady(this.ready([name]), () => {
      const known = this.namespaces.get(name);
      if (known || !this.stored) return known ?? this.create(name);
      return this.stored.headOfMissing(name).then((head) => {
        const found = this.namespaces.get(name);
        if (found || head) return found ?? this.create(name, head);
        return this.findOrCreate(name);
      });
    });
  }

  /** Deletes a namespace with all its worlds. Requires the namespace lock. */
  async deleteNamespace(namespace: Namespace): Promise<void> {
    const { durability } = namespace;
    if (durability) await this.stored?.drop(namespace, durability);
    this.failures.deleted(namespace.name);
    removeAllWorlds(namespace, this.clock());
    this.lastRevision = Math.max(this.lastRevision, namespace.revision);
    await this.unload(namespace);
  }

  /** Removes a namespace from memory if the creation of its first world failed. */
  async forgetEmpty(namespace: Namespace): Promise<void> {
    if (namespace.worlds.size > 0 || namespace.dropped) return;
    try {
      await namespace.exclusively(() => this.unloadUnborn(namespace));
    } catch {
      // The storage cannot tell whether the world exists, and its creator has received the error.
      // The next write finds out; on shared storage, so does the follower of the head.
    }
  }

  /**
   * Removes a namespace from memory if it was never committed to. Requires the namespace lock, and
   * that no commit is pending.
   */
  private async unloadUnborn(namespace: Namespace): Promise<void> {
    const { durability, worlds, latestSize } = namespace;
    if (namespace.dropped || worlds.size > 0 || latestSize > 0 || durability?.journal.hasCommits) return;
    this.stored?.names.delete(namespace.name);
    await this.unload(namespace);
  }

  /**
   * Returns the commits of a namespace. Throws NOT_FOUND if the namespace does not exist.
   */
  changes(
    name: string,
    options: { after?: number; signal?: AbortSignal },
  ): AsyncGenerator<WorldChange> | Promise<AsyncGenerator<WorldChange>> {
    const { stored } = this;
    return whenReady(this.find(name), (home) => {
      if (!home?.worlds.size) throw namespaceNotFound(name);
      const { after = home.revision, signal } = options;
      if (!stored)
        return home.recentCommits(this.retainChangesBytes).after(after, { signal, closing: this.closingSignal });
      if (!home.durability) throw namespaceNotFound(name);
      const open = (found: Namespace, from?: number) =>
        stored.changes(found, found.durability!, { after: from, signal, closing: this.closing.signal });
      return continuedFeed(home, open(home, options.after), after, { find: async () => this.find(name), open });
    });
  }

  /** Returns the outcome of a commit that was IN_DOUBT. Throws UNSUPPORTED without storage. */
  commitStatus(name: string, token: CommitToken): Promise<CommitStatus> {
    if (!this.stored)
      throw new WorldsError(
        'UNSUPPORTED',
        'Without a storage, no commit is ever in doubt: each call reports its own outcome.',
      );
    return this.stored.commitStatus(name, token);
  }

  /** Returns a namespace if it is loaded. */
  inMemory(name: string): Namespace | undefined {
    return this.namespaces.get(name);
  }

  /** Returns the namespace if this object is still the loaded one of its name. */
  private present(state: { readonly name: string }): Namespace | undefined {
    const namespace = this.namespaces.get(state.name);
    return namespace === state ? namespace : undefined;
  }

  /** All loaded namespaces. */
  inMemoryNow(): Iterable<Namespace> {
    return this.namespaces.values();
  }

  /** Counts of an evicted namespace, if they are known and still valid. */
  countsOf(name: string): NamespaceCounts | undefined {
    this.requireOpen();
    return this.evictedCounts.get(name);
  }

  /** Evicts namespaces until the memory is below the threshold or nothing more can be evicted. */
  async keepMemoryLimit(): Promise<void> {
    await this.memory?.settle();
  }

  /** Size of a namespace in storage; undefined without storage. */
  storageStats(name: string): Promise<NamespaceStorageStats> | undefined {
    return this.stored?.stats(name);
  }

  /**
   * Like {@link names}. Throws CORRUPT or UNSUPPORTED if the storage may contain further namespaces
   * whose names cannot be read.
   */
  async allNames(): Promise<string[]> {
    await this.learnNames();
    this.stored?.requireAllNames();
    // Updates stale namespaces first, because another engine may have deleted them.
    await this.ready(this.stored?.behindNames ?? []);
    return this.names();
  }

  /**
   * Learns which namespaces other processes have created and deleted. Does nothing unless they may
   * write to the storage.
   */
  async learnNames(): Promise<void> {
    const { stored } = this;
    if (!stored?.isShared) return;
    const begun = (name: string) => this.namespaces.get(name)?.durability?.journal.hasCommits === false;
    await stored.listAgain(begun);
    const gone = [...this.namespaces.keys()].filter((name) => !stored.names.has(name));
    await this.catchUp(gone);
  }

  /** Names of the namespaces with at least one world, in code-unit order. */
  names(): string[] {
    const names = new Set(this.stored?.names);
    for (const { name, worlds } of this.namespaces.values()) {
      if (worlds.size > 0) names.add(name);
      else names.delete(name);
    }
    return [...names].sort();
  }

  /** Returns an empty namespace for a request that names no world. */
  emptyNamespace(): Namespace {
    return this.newNamespace(this.defaultNamespace);
  }

  /** Waits until no background work is pending. */
  async settle(): Promise<void> {
    for (const { store, durability, compactor } of this.namespaces.values()) {
      await durability?.journal.settle();
      await compactor.settle();
      await durability?.checkpointer.settle();
      await store.settle();
    }
  }

  /** Closes the engine. Further calls return the same promise. */
  close(): Promise<void> {
    this.closed ??= this.closeAll();
    return this.closed;
  }

  private async closeAll(): Promise<void> {
    this.closing.abort(engineClosed());
    await Promise.allSettled([...this.loading.values(), this.memory?.close()]);
    for (const namespace of this.namespaces.values()) namespace.compactor.stop(engineClosed());
    for (const namespace of [...this.namespaces.values()]) {
      await namespace.compactor.settle();
      // Earlier writers finish. Later ones find the namespace closed instead of a closed storage.
      await namespace.withLock(async () => {
        if (namespace.dropped) return;
        await namespace.durability?.finish();
        namespace.closedBy = engineClosed();
        await this.unload(namespace);
      });
    }
    await this.stored?.close();
  }

  /** 16 random bytes: the scope of the blank nodes of one commit or request. */
  readonly newScope = (): Uint8Array => this.random(16);

  /** Incarnation of all namespaces without storage: random, and of this engine alone. */
  get engineId(): string {
    return (this.ownId ??= this.newId());
  }

  /** 128 random bits as 32 hexadecimal digits: the id of a log record or segment. */
  readonly newId = (): string => Buffer.from(this.random(16)).toString('hex');

  /**
   * Loads the namespaces that are only in storage and updates those that are behind it. Undefined
   * if there are none.
   */
  ready(names: readonly string[]): Promise<void> | undefined {
    this.requireOpen();
    const { stored, memory } = this;
    if (!stored) return undefined;
    for (const name of names) {
      const namespace = this.namespaces.get(name);
      if (namespace) this.touch(namespace);
    }
    const absent = names.filter((name) => (this.namespaces.has(name) ? stored.isBehind(name) : stored.mayHave(name)));
    if (absent.length === 0) return undefined;
    const release = memory?.await(names);
    return Promise.all(absent.map((name) => this.load(name, stored)))
      .finally(() => release && setImmediate(release))
      .then(() => undefined);
  }

  /** Marks a namespace as the most recently used one. */
  private touch(namespace: Namespace): void {
    namespace.lastNamed = ++this.lruClock;
    this.memory?.touch(namespace);
  }

  /** Waits for a load that is running, which may have read an earlier head. */
  private async loadEnded(name: string): Promise<void> {
    await this.loading.get(name)?.catch(() => undefined); // Those who began it receive the error.
  }

  private load(name: string, stored: StoredNamespaces): Promise<void> {
    const known = this.loading.get(name);
    if (!known) return this.beginLoad(name, stored);
    // It may have read the head before the commit that the caller is to see.
    return known.then(() => {
      if (stored.isBehind(name)) return this.loading.get(name) ?? this.beginLoad(name, stored);
    });
  }

  private beginLoad(name: string, stored: StoredNamespaces): Promise<void> {
    const loading = this.refresh(name, stored).finally(() => this.loading.delete(name));
    this.loading.set(name, loading);
    return loading;
  }

  /** Brings a namespace in memory up to date with the storage, by replay if possible. */
  private async refresh(name: string, stored: StoredNamespaces): Promise<void> {
    const namespace = this.namespaces.get(name);
    if (namespace) {
      const isFollowed = await namespace.withLock(async () => {
        const { durability } = namespace;
        if (namespace.dropped) return true;
        const follows = durability !== undefined && (await stored.follow(name, durability));
        // Nobody has committed to it, and its creator has failed. Kept, it would hide the namespace
        // that another process creates later, because there is no head to watch.
        if (follows && stored.isShared) await this.unloadUnborn(namespace);
        return follows;
      });
      this.failures.succeeded(name, 'following');
      if (isFollowed && !namespace.dropped) return;
      if (!namespace.dropped) await this.unload(namespace);
      if (!stored.mayHave(name)) return;
    }
    await this.readAgainIfTruncated(() => this.loadInto(this.newNamespace(name), stored));
  }

  /**
   * Handles the notice that another engine has written to a namespace. Normally the next call on
   * the namespace reads the storage. Namespaces with a waiting change feed are updated immediately,
   * and deleted ones are dropped from memory.
   */
  private followIfAwaited(name: string, isGone: boolean): void {
    this.evictedCounts.delete(name);
    if (this.closed) return;
    const namespace = this.namespaces.get(name);
    if (isGone && namespace) void this.unload(namespace);
    if (isGone || !namespace?.durability?.journal.isAwaited) return;
    Promise.resolve(this.ready([name])).catch((cause) => this.failures.failed(name, 'following', cause));
  }

  /** Reads again if a concurrent checkpoint truncated what was being read. */
  async readAgainIfTruncated<Result>(read: () => Promise<Result>): Promise<Result> {
    for (let triesLeft = MAX_READS; ; triesLeft--) {
      try {
        return await read();
      } catch (cause) {
        if (triesLeft === 1 || !(cause instanceof WorldsError && cause.code === 'TRUNCATED')) throw cause;
      }
    }
  }

  private async loadInto(namespace: Namespace, stored: StoredNamespaces): Promise<void> {
    let release: (() => void) | undefined;
    try {
      const durability = await stored.load(namespace, async (bytes) => {
        release?.();
        release = await this.memory?.expect(bytes);
      });
      if (!durability) return;
      // A request may have created it meanwhile, and have committed to it.
      if (this.namespaces.has(namespace.name)) await namespace.close();
      else this.register(namespace, durability);
    } finally {
      release?.();
    }
  }

  private register(namespace: Namespace, durability: Durability | undefined): void {
    namespace.open(durability);
    this.namespaces.set(namespace.name, namespace);
    // Registered only now, because replayed commits are not counted.
    namespace.observe(this.counters);
    this.failures.succeeded(namespace.name, 'following');
    this.evictedCounts.delete(namespace.name);
    this.touch(namespace);
    if (this.compacts) namespace.compactor.start();
    if (durability && this.isShared) this.followers.set(namespace, this.followHead(namespace, durability));
  }

  /** Adds a namespace that was read from a backup, and writes it to the storage. */
  async adopt(namespace: Namespace): Promise<void> {
    this.register(namespace, await this.stored?.adopt(namespace));
  }

  /** Makes new namespaces continue above a revision, in the storage too. */
  async raiseFloor(revision: number): Promise<void> {
    this.lastRevision = revision;
    await this.stored?.raiseFloor(revision);
  }

  /** Keeps a namespace up to date with other processes; returns a function that ends that. */
  private followHead(namespace: Namespace, durability: Durability): () => void {
    const { name } = namespace;
    return this.stored!.followHead(name, durability, async () => {
      // The watch does not report a head again.
      await this.loadEnded(name);
      if (this.closed || this.namespaces.get(name) !== namespace) return;
      this.evictedCounts.delete(name);
      await this.load(name, this.stored!);
    });
  }

  /** Creates an empty namespace. With a storage, `head` is that of the missing namespace. */
  private create(name: string, head?: Head): Namespace {
    this.requireOpen();
    const namespace = this.newNamespace(name);
    namespace.restore([], Math.max(this.lastRevision, this.stored?.revisionFloor ?? 0), 1);
    this.register(namespace, head && this.stored?.begin(namespace, head));
    return namespace;
  }

  /** Removes a namespace from memory. */
  async unload(namespace: Namespace): Promise<void> {
    const closed = namespace.close();
    this.followers.get(namespace)?.();
    this.followers.delete(namespace);
    this.memory?.remove(namespace);
    if (this.namespaces.get(namespace.name) === namespace) {
      this.namespaces.delete(namespace.name);
      this.stored?.forgetBehind(namespace.name);
    }
    this.failures.unloaded(namespace.name);
    await closed;
  }

  /** Returns a new namespace that is not in the catalog. */
  newNamespace(name: string): Namespace {
    const { plugins, failures, memory } = this;
    const quota = this.quotas && new NamespaceQuota(this.quotas);
    return new Namespace({ name, key: this.hashKey(), plugins, failures, memory, quota, historyFor: this.historyFor });
  }

  /** Null disables also a history that the storage has. */
  private readonly historyFor = (stored?: HistoryOptions): History | undefined => {
    const options = this.history === undefined ? stored : this.history;
    return options ? new History(options, this.clock) : undefined;
  };

  private hashKey(): HashKey {
    const bytes = this.random(8);
    const view = new DataView(bytes.buffer, bytes.byteOffset, 8);
    return { low: view.getInt32(0), high: view.getInt32(4) };
  }
}

/** Returns undefined if there is no limit. Throws INVALID_ARGUMENT if the value is invalid. */
function memoryLimits(maxBytes: number | undefined): MemoryLimits | undefined {
  if (maxBytes === undefined) return defaultMemoryLimits(machineMemory());
  if (typeof maxBytes !== 'number' || !(maxBytes > 0)) {
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `maxMemoryBytes is ${String(maxBytes)}; pass a number of bytes above 0, or Infinity for no limit.`,
    );
  }
  return maxBytes === Number.POSITIVE_INFINITY ? undefined : { maxBytes, maxHeapBytes: Number.POSITIVE_INFINITY };
}

function engineClosed(cause?: unknown): WorldsError {
  return new WorldsError('INVALID_ARGUMENT', 'The engine is closed; open another one.', { cause });
}
