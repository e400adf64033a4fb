import { setMaxListeners } from 'node:events';
import type { MemoryPool } from '../model/memory-pool.ts';
import { type RequestLimits, requestLimits } from '../model/request-limits.ts';
import { WorldsError } from '../model/worlds-error.ts';
import type { HashKey } from '../quads/term-hash.ts';
import { Slicer } from '../storage/slicer.ts';
import type { NamespaceStorageStats } from '../storage/storage.ts';
import { BackgroundFailures } from './background-failures.ts';
import { removeAllWorlds } from './commit-changes.ts';
import { type VisibleLog, writeBackup } from './durable/backup.ts';
import { type BackupInput, namespacesOfChain } from './durable/backup-chain.ts';
import { decodeToken } from './durable/backup-token.ts';
import type { WorldChange } from './durable/change-feed.ts';
import { checkMemory, checkSame } from './durable/check.ts';
import type { CommitStatus } from './durable/commit-status.ts';
import type { CommitToken } from './durable/commit-token.ts';
import type { Durability } from './durable/durability.ts';
import { isDamage } from './durable/is-damage.ts';
import { StoredNamespaces } from './durable/stored-namespaces.ts';
import { newTimeline } from './durable/timeline.ts';
import { elsewhereText, namesNoNamespace } from './elsewhere.ts';
import { EngineCounters } from './engine-counters.ts';
import type { WorldsEngineOptions } from './engine-options.ts';
import type { BackupOptions, SalvageRequest } from './engine-requests.ts';
import { defaultMemoryLimits, type MemoryLimits, machineMemory, processMemoryPool } from './memory-default.ts';
import { type Eviction, MemoryLimit } from './memory-limit.ts';
import { Mutex } from './mutex.ts';
import { Namespace } from './namespace.ts';
import type { NamespaceCounts } from './namespace-counts.ts';
import { NamespaceQuota } from './namespace-quota.ts';
import { allSourcesOf, namespaceNotFound, type OpenSource, worldNotFound } from './open-source.ts';
import { type QuotaPolicy, quotaPolicy } from './quotas.ts';
import { pooledRandomBytes } from './random-bytes.ts';
import { RequestedWorlds } from './requested-worlds.ts';
import { type SalvageReport, salvageNamespace } from './salvage-namespace.ts';
import type { SearchPlugins } from './search-feed.ts';
import { whenReady } from './when-ready.ts';
import type { WorldSource } from './world.ts';
import { type ResolvedSource, requireName, resolveNamespace, resolveSource } from './world-name.ts';
import type { WorldState } from './world-state.ts';

const MEBIBYTE = 1 << 20;
/** So often a namespace is read that others make checkpoints of at the same time. */
const MAX_READS = 10;
const DAY_MS = 86_400_000;

/**
 * The namespaces of an engine and how requests name their worlds.
 *
 * With storage a namespace comes into memory when somebody first names it. What may have to wait
 * for that gives a promise then, and its result at once otherwise: so a request sees the state at
 * its call wherever that is possible.
 */
export class Catalog {
  readonly defaultNamespace: string;
  /** What one request may contain. */
  readonly limits: RequestLimits;
  readonly clock: () => number;
  readonly random: (length: number) => Uint8Array;
  readonly failures: BackgroundFailures;
  readonly counters = new EngineCounters();
  /** Queries and updates draw their memory on it. */
  readonly memoryPool: MemoryPool;
  private readonly namespaces = new Map<string, Namespace>();
  private readonly plugins: SearchPlugins;
  /** Undefined if the engine has no quotas: then nothing is counted for them. */
  readonly quotas: QuotaPolicy | undefined;
  /** Whether namespaces are compacted when much of them is dead. */
  private readonly compacts: boolean;
  private stored: StoredNamespaces | undefined;
  /** Namespaces on their way into memory: everyone who wants one waits for the same. */
  private readonly loading = new Map<string, Promise<void>>();
  /** Aborted when the engine begins to close: ends what would otherwise wait or go on reading. */
  private readonly closing = new AbortController();
  /** Settles when the engine is closed. */
  private closed: Promise<void> | undefined;
  /** One at a time: a second one would look at what the first one replaces. */
  private readonly salvages = new Mutex();
  private memory: MemoryLimit | undefined;
  /** Whether namespaces ever leave memory. */
  private evicts = false;
  /** Whether a limit was asked for. */
  private holdsAlways = false;
  /**
   * Of namespaces that have left memory, where they were counted before: what they hold in the
   * storage.
   */
  private readonly leftCounts = new Map<string, NamespaceCounts>();
  private namings = 0;
  /**
   * The highest revision of a namespace that is gone: one of the same name goes on above it, so
   * that no revision means two worlds.
   */
  private lastRevision = 0;
  /** In backups, the incarnation of namespaces without storage. */
  private backupId: string | undefined;

  constructor(options: WorldsEngineOptions, plugins: SearchPlugins) {
    this.defaultNamespace = requireName(options.defaultNamespace ?? 'default', 'defaultNamespace');
    this.clock = options.clock ?? Date.now;
    this.random = options.random ?? pooledRandomBytes();
    this.memoryPool = options.memoryPool ?? processMemoryPool();
    const { onBackgroundError, logger } = options;
    this.failures = new BackgroundFailures({ onBackgroundError, logger, clock: this.clock });
    this.plugins = plugins;
    // Every import and every follower listens.
    setMaxListeners(0, this.closing.signal);
    this.compacts = options.compaction !== 'manual';
    this.limits = requestLimits(options.limits);
    this.quotas = options.quotas && quotaPolicy(options.quotas);
  }

  /** Opens the storage, if there is one; called once, before anything else. */
  async openStorage({ storage, ...options }: WorldsEngineOptions): Promise<void> {
    const limits = memoryLimits(options.maxMemoryBytes);
    if (!storage) {
      if (limits) this.memory = new MemoryLimit(limits);
      return;
    }
    const stored = await StoredNamespaces.open(storage, {
      checkpointLogBytes: options.checkpointLogBytes ?? 32 * MEBIBYTE,
      retainChangesMs: options.retainChangesMs ?? 7 * DAY_MS,
      retainChangesBytes: options.retainChangesBytes ?? 16 * MEBIBYTE,
      clock: this.clock,
      newId: this.newId,
      failures: this.failures,
      counters: this.counters,
      onStale: (state) => {
        const namespace = this.present(state);
        if (namespace) void this.letGo(namespace);
      },
      isInMemory: (name) => this.namespaces.has(name) || this.loading.has(name),
      onLate: (name, isGone) => this.followIfAwaited(name, isGone),
    });
    this.stored = stored;
    if (!limits) return;
    this.evicts = true;
    this.holdsAlways = options.maxMemoryBytes !== undefined;
    const eviction: Eviction = {
      finish: async (user) => {
        const namespace = this.present(user);
        await namespace?.withLock(() => namespace.durability?.finish());
      },
      letGo: async (user) => {
        const namespace = this.present(user);
        if (!namespace) return this.memory?.remove(user);
        const { name, counts, revision } = namespace;
        if (counts?.revision === revision && !stored.isLate(name)) this.leftCounts.set(name, counts);
        await this.letGo(namespace);
      },
    };
    this.memory = new MemoryLimit({ ...limits, eviction });
  }

  /**
   * Whether namespaces may leave memory soon, so that readers have to hold theirs. By default they
   * need not while there is plenty of room: short queries notice it.
   */
  get isLimited(): boolean {
    return this.evicts && (this.holdsAlways || this.memory!.isTight);
  }

  get isClosed(): boolean {
    return this.closed !== undefined;
  }

  /**
   * Aborts when the engine begins to close, with the error of calls to a closed engine as its
   * reason.
   */
  get closingSignal(): AbortSignal {
    return this.closing.signal;
  }

  /** Throws INVALID_ARGUMENT once the engine has begun to close. */
  requireOpen(): void {
    if (this.closed) throw engineClosed();
  }

  /**
   * Awaits work that the closing of the engine may cut off. If it fails then for want of a storage
   * or of anything else that is closed, its error says so; an error of its own stays.
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

  /** Throws UNSUPPORTED if the storage only reads. */
  requireWritable(operation: string): void {
    if (!this.stored?.isReadOnly) return;
    throw new WorldsError(
      'UNSUPPORTED',
      `${operation}: the storage is read-only, so that nothing can be written. Open the engine with a storage that may write, such as fileStorage without readOnly.`,
    );
  }

  namespaceName(namespace: string | undefined): string {
    return namespace === undefined
      ? this.defaultNamespace
      : resolveNamespace(namespace, this.defaultNamespace, 'namespace');
  }

  /** A namespace that exists, or has existed a moment ago. */
  find(name: string): Namespace | undefined | Promise<Namespace | undefined> {
    return whenReady(this.ready([name]), () => {
      const home = this.namespaces.get(name);
      if (!home) this.requireOpen();
      return home;
    });
  }

  /** The namespace, made when it does not exist yet. */
  obtain(name: string): Namespace | Promise<Namespace> {
    return whenReady(this.ready([name]), () => this.namespaces.get(name) ?? this.begin(name));
  }

  /** Forgets a namespace with everything in it. Needs its lock. */
  async deleteNamespace(namespace: Namespace): Promise<void> {
    const { durability } = namespace;
    if (durability) await this.stored?.drop(namespace, durability);
    this.failures.deleted(namespace.name);
    removeAllWorlds(namespace, this.clock());
    this.lastRevision = Math.max(this.lastRevision, namespace.revision);
    await this.letGo(namespace);
  }

  /** Forgets a namespace whose first world was refused. */
  async forgetEmpty(namespace: Namespace): Promise<void> {
    if (namespace.worlds.size > 0 || namespace.dropped) return;
    try {
      await namespace.exclusively(async () => {
        const { durability, worlds, latestSize } = namespace;
        const isStored = durability !== undefined && durability.journal.state.head.position > 0;
        if (namespace.dropped || worlds.size > 0 || latestSize > 0 || isStored) return;
        this.stored?.names.delete(namespace.name);
        await this.letGo(namespace);
      });
    } catch {
      // The storage cannot say whether the world is there after all, and its creator has been told:
      // the next call on the namespace finds out.
    }
  }

  /**
   * The commits of a namespace. Throws UNSUPPORTED without storage, NOT_FOUND when there is no such
   * namespace.
   */
  changes(
    name: string,
    options: { after?: number; signal?: AbortSignal },
  ): AsyncGenerator<WorldChange> | Promise<AsyncGenerator<WorldChange>> {
    const { stored } = this;
    if (!stored) {
      throw new WorldsError(
        'UNSUPPORTED',
        'Changes are read from the log of a storage: open the engine with one, be it a MemoryStorage.',
      );
    }
    return whenReady(this.find(name), (home) => {
      if (!home?.worlds.size || !home.durability) throw namespaceNotFound(name);
      return stored.changes(home, home.durability, { ...options, closing: this.closing.signal });
    });
  }

  /** What became of a commit that was IN_DOUBT. Throws UNSUPPORTED without storage. */
  commitStatus(name: string, token: CommitToken): Promise<CommitStatus> {
    if (!this.stored)
      throw new WorldsError(
        'UNSUPPORTED',
        'Without a storage no commit is ever in doubt: each call tells its outcome.',
      );
    return this.stored.commitStatus(name, token);
  }

  /**
   * All namespaces as one stream, each as it is when its turn comes, or what changed since another
   * backup; returns the token. Throws INVALID_ARGUMENT for a malformed `since`.
   */
  async *backup({ since, signal }: BackupOptions): AsyncGenerator<Uint8Array, string, void> {
    this.stored?.requireAllNames();
    this.backupId ??= this.newId();
    const source = {
      names: this.names(),
      find: (name: string) => this.find(name),
      log: (name: string) => this.visibleLog(name),
      engineId: this.backupId,
      clock: this.clock,
      newId: this.newId,
      failures: this.failures,
    };
    return yield* writeBackup(source, { since: since === undefined ? undefined : decodeToken(since), signal });
  }

  /**
   * The log of a namespace and its visible head, without loading the namespace; undefined without
   * storage.
   */
  private async visibleLog(name: string): Promise<VisibleLog | undefined> {
    const { stored } = this;
    if (!stored) return undefined;
    const storage = stored.storageOf(name);
    const home = this.namespaces.has(name) ? await this.find(name) : undefined;
    // A commit is durable a moment before it is visible.
    return { storage, head: home?.durability?.journal.state.head ?? (await storage.head()) };
  }

  /**
   * Restores the namespaces of a chain of backups. Throws ALREADY_EXISTS if there are some already,
   * QUOTA_EXCEEDED for one that is above its quotas.
   */
  async restore(backups: readonly BackupInput[]): Promise<void> {
    this.requireWritable('restore');
    const [known] = await this.allNames();
    if (known !== undefined) {
      throw new WorldsError(
        'ALREADY_EXISTS',
        `The storage has the namespace ${known} already; restore into an empty one.`,
      );
    }
    let floor = 0;
    for await (const namespace of namespacesOfChain(backups, (name) => this.newNamespace(name))) {
      floor = Math.max(floor, namespace.revision);
      const revision = newTimeline(`the namespace ${namespace.name}`, namespace.revision, this.random);
      namespace.quota?.requireWithin(namespace);
      namespace.restore([], revision, namespace.nextWorld);
      this.arrive(namespace, await this.stored?.adopt(namespace));
    }
    // Namespaces that the backup lacks may exist, or come to exist, where it was made.
    this.lastRevision = newTimeline('a namespace', floor, this.random);
    await this.stored?.raiseFloor(this.lastRevision);
  }

  /** What is wrong with a namespace, in memory and in the storage; its writers wait meanwhile. */
  async check(name: string, signal: AbortSignal | undefined): Promise<string[]> {
    const slicer = new Slicer(signal);
    try {
      const home = await this.find(name);
      if (!home) return [];
      return await home.withLock(async () => {
        await home.durability?.journal.settle();
        const problems = await checkMemory(home, slicer);
        if (!this.stored || home.dropped) return problems;
        const { stored: storage } = this;
        problems.push(...(await this.readAgainIfTruncated(() => storage.damages(name, signal))));
        const stored = await this.readAnew(name, async (empty) => {
          await this.stored!.readInto(empty);
          return empty;
        });
        try {
          // Another process has written since this one read: what it wrote is readable, and not to
          // be compared.
          if (storage.isReadOnly && stored.revision !== home.revision) return problems;
          return [...problems, ...(await checkSame(home, stored, slicer))];
        } finally {
          await stored.store.close();
        }
      });
    } catch (cause) {
      this.requireOpen();
      if (cause instanceof WorldsError && cause.code !== 'ABORTED') return [cause.message];
      throw cause;
    }
  }

  /** What is left of a namespace: see `WorldsEngine.salvage`. Its writers wait meanwhile. */
  salvage(name: string, request: Omit<SalvageRequest, 'namespace'>): Promise<SalvageReport> {
    const { stored } = this;
    if (!stored) throw new WorldsError('UNSUPPORTED', 'Without a storage there is nothing to salvage.');
    const { repair = false } = request;
    if (repair) this.requireWritable('salvage');
    const storage = stored.salvageable(name, { repairs: repair });
    return this.salvages.run(async () => {
      const home = await this.findUndamaged(name);
      const salvage = () =>
        this.readAgainIfTruncated(() =>
          salvageNamespace({
            ...{ ...request, name, storage, newId: this.newId, timeMs: this.clock() },
            newNamespace: () => this.newNamespace(name),
            repairing: (work) => stored.repairing(work),
          }),
        );
      const report = await (home ? home.withLock(() => this.salvageLoaded(home, salvage)) : salvage());
      if (!report) throw namespaceNotFound(name);
      return report;
    });
  }

  private async salvageLoaded(
    home: Namespace,
    salvage: () => Promise<SalvageReport | undefined>,
  ): Promise<SalvageReport | undefined> {
    await home.durability?.settle();
    const report = await salvage();
    if (report?.repaired && !home.dropped) await this.letGo(home);
    return report;
  }

  /** As {@link find}; undefined for a namespace that is damaged, or that the disk cannot read. */
  private async findUndamaged(name: string): Promise<Namespace | undefined> {
    try {
      return await this.find(name);
    } catch (cause) {
      // Salvage reads the files itself, and throws what is no damage to them.
      if (isDamage(cause) || (cause instanceof WorldsError && cause.code === 'INTERNAL')) return undefined;
      throw cause;
    }
  }

  /** What is wrong with the storage, beside its namespaces that can be named. */
  async storageProblems(): Promise<readonly string[]> {
    await this.stored?.lookAgain();
    return this.stored?.problems ?? [];
  }

  /** What the storage ignores among its files: see `Storage.strays`. Empty without storage. */
  async strays(namespace?: string): Promise<readonly string[]> {
    return (await this.stored?.strays(namespace)) ?? [];
  }

  /** A namespace that is in memory. */
  inMemory(name: string): Namespace | undefined {
    return this.namespaces.get(name);
  }

  /** A namespace, if it is the one of its name that is in memory. */
  private present(state: { readonly name: string }): Namespace | undefined {
    const namespace = this.namespaces.get(state.name);
    return namespace === state ? namespace : undefined;
  }

  /** Every namespace that is in memory. */
  inMemoryNow(): Iterable<Namespace> {
    return this.namespaces.values();
  }

  /** What a namespace held when it left memory, if that is known and still so. */
  countsOf(name: string): NamespaceCounts | undefined {
    this.requireOpen();
    return this.leftCounts.get(name);
  }

  /** Waits until as many namespaces have left memory as have to and can. */
  async keepMemoryLimit(): Promise<void> {
    await this.memory?.settle();
  }

  /** How much the storage keeps of a namespace; undefined without storage. */
  storageStats(name: string): Promise<NamespaceStorageStats> | undefined {
    return this.stored?.stats(name);
  }

  /**
   * As {@link names}. Throws CORRUPT or UNSUPPORTED when the storage may have others, which cannot
   * be read.
   */
  async allNames(): Promise<string[]> {
    this.stored?.requireAllNames();
    // What another engine has deleted is not there.
    await this.ready(this.stored?.lateNames ?? []);
    return this.names();
  }

  /** Names of namespaces that hold a world, in code-unit order. */
  names(): string[] {
    const names = new Set(this.stored?.names);
    for (const { name, worlds } of this.namespaces.values()) {
      if (worlds.size > 0) names.add(name);
      else names.delete(name);
    }
    return [...names].sort();
  }

  resolve(source: WorldSource, namespace?: string, field = 'source'): ResolvedSource {
    return resolveSource(source, {
      namespace: namespace ?? this.defaultNamespace,
      defaultNamespace: this.defaultNamespace,
      field,
    });
  }

  /** The world of a source. Throws NOT_FOUND. */
  open(source: WorldSource, namespace?: string, field = 'source'): OpenSource | Promise<OpenSource> {
    const resolved = this.resolve(source, namespace, field);
    return whenReady(this.ready([resolved.namespace]), () =>
      this.openResolved(resolved, namespace === undefined ? source : undefined),
    );
  }

  /** The worlds of a request: its sources, each once, or all worlds of its namespace. */
  openAll(
    sources: readonly WorldSource[] | undefined,
    namespace: string | undefined,
  ): OpenSource[] | Promise<OpenSource[]> {
    const name = this.namespaceName(namespace);
    if (!sources) return whenReady(this.find(name), (home) => (home ? allSourcesOf(home) : []));
    const known = sources.length === 1 ? this.openKnown(sources[0], name) : undefined;
    if (known) return [known];
    const resolved = sources.map((source, i) => this.resolve(source, name, `sources[${i}]`));
    return whenReady(this.ready(resolved.map((one) => one.namespace)), () =>
      this.openEach(resolved, namespace !== undefined, sources),
    );
  }

  /** The same as {@link openAll}, for who may not need the list. */
  requested(
    sources: readonly WorldSource[] | undefined,
    namespace: string | undefined,
  ): RequestedWorlds | Promise<RequestedWorlds> {
    if (sources) {
      return whenReady(this.openAll(sources, namespace), (opened) => new RequestedWorlds(undefined, opened));
    }
    const name = this.namespaceName(namespace);
    return whenReady(this.find(name), (home) => new RequestedWorlds(home, () => (home ? allSourcesOf(home) : [])));
  }

  /** An empty namespace for a request that names no world. */
  emptyNamespace(): Namespace {
    return this.newNamespace(this.defaultNamespace);
  }

  /** Waits until no background work is left. */
  async settle(): Promise<void> {
    for (const { store, durability, compactor } of this.namespaces.values()) {
      await durability?.journal.settle();
      await compactor.settle();
      await durability?.checkpointer.settle();
      await store.settle();
    }
  }

  /** Every caller waits for the same closing. */
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
      // Writers before this one finish; those behind it find the namespace closed, and never a
      // closed storage.
      await namespace.withLock(async () => {
        if (namespace.dropped) return;
        await namespace.durability?.finish();
        namespace.closedBy = engineClosed();
        await this.letGo(namespace);
      });
    }
    await this.stored?.close();
  }

  /** 16 random bytes: the identity of the blank nodes of one commit or request. */
  readonly newScope = (): Uint8Array => this.random(16);

  /** 128 random bits as 32 hexadecimal digits: the name of a record or a segment. */
  private readonly newId = (): string => Buffer.from(this.random(16)).toString('hex');

  /** Brings namespaces into memory that are in the storage only; undefined when there are none. */
  private ready(names: readonly string[]): Promise<void> | undefined {
    this.requireOpen();
    const { stored, memory } = this;
    if (!stored) return undefined;
    for (const name of names) {
      const namespace = this.namespaces.get(name);
      if (namespace) this.named(namespace);
    }
    const absent = names.filter((name) => (this.namespaces.has(name) ? stored.isLate(name) : stored.mayHave(name)));
    if (absent.length === 0) return undefined;
    const release = memory?.await(names);
    return Promise.all(absent.map((name) => this.load(name, stored)))
      .finally(() => release && setImmediate(release))
      .then(() => undefined);
  }

  private named(namespace: Namespace): void {
    namespace.lastNamed = ++this.namings;
    this.memory?.touch(namespace);
  }

  private load(name: string, stored: StoredNamespaces): Promise<void> {
    const known = this.loading.get(name);
    if (known) return known;
    const loading = this.bring(name, stored).finally(() => this.loading.delete(name));
    this.loading.set(name, loading);
    return loading;
  }

  /** Makes what is in memory of a namespace the same as what the storage has. */
  private async bring(name: string, stored: StoredNamespaces): Promise<void> {
    const namespace = this.namespaces.get(name);
    if (namespace) {
      const isFollowed = await namespace.withLock(async () => {
        const { durability } = namespace;
        return namespace.dropped || (durability !== undefined && (await stored.follow(name, durability)));
      });
      this.failures.succeeded(name, 'following');
      if (isFollowed && !namespace.dropped) return;
      if (!namespace.dropped) await this.letGo(namespace);
      if (!stored.mayHave(name)) return;
    }
    await this.readAnew(name, (empty) => this.loadInto(empty, stored));
  }

  /**
   * Called when another engine has written to a namespace. The next call on it looks there; who
   * waits for its changes waits for nothing else, and one that is gone leaves memory.
   */
  private followIfAwaited(name: string, isGone: boolean): void {
    this.leftCounts.delete(name);
    if (this.closed) return;
    const namespace = this.namespaces.get(name);
    if (isGone && namespace) void this.letGo(namespace);
    if (isGone || !namespace?.durability?.journal.isAwaited) return;
    Promise.resolve(this.ready([name])).catch((cause) => this.failures.failed(name, 'following', cause));
  }

  /**
   * Reads the storage into an empty namespace; into another one when a checkpoint that came
   * meanwhile let go of what was being read.
   */
  private readAnew<Result>(name: string, read: (empty: Namespace) => Promise<Result>): Promise<Result> {
    return this.readAgainIfTruncated(() => read(this.newNamespace(name)));
  }

  private async readAgainIfTruncated<Result>(read: () => Promise<Result>): Promise<Result> {
    for (let triesLeft = MAX_READS; ; triesLeft--) {
      try {
        return await read();
      } catch (cause) {
        if (triesLeft === 1 || !(cause instanceof WorldsError && cause.code === 'TRUNCATED')) throw cause;
      }
    }
  }

  private async loadInto(namespace: Namespace, stored: StoredNamespaces): Promise<void> {
    let arrived: (() => void) | undefined;
    try {
      const durability = await stored.load(namespace, async (bytes) => {
        arrived?.();
        arrived = await this.memory?.expect(bytes);
      });
      if (durability) this.arrive(namespace, durability);
    } finally {
      arrived?.();
    }
  }

  private arrive(namespace: Namespace, durability: Durability | undefined): void {
    namespace.open(durability);
    this.namespaces.set(namespace.name, namespace);
    // Not before: commits that were replayed are not counted.
    namespace.observe(this.counters);
    this.failures.succeeded(namespace.name, 'following');
    this.leftCounts.delete(namespace.name);
    this.named(namespace);
    if (this.compacts && !this.stored?.isReadOnly) namespace.compactor.start();
  }

  private begin(name: string): Namespace {
    this.requireOpen();
    const namespace = this.newNamespace(name);
    namespace.restore([], Math.max(this.lastRevision, this.stored?.revisionFloor ?? 0), 1);
    this.arrive(namespace, this.stored?.begin(namespace));
    return namespace;
  }

  /** Takes a namespace out of memory. */
  private async letGo(namespace: Namespace): Promise<void> {
    const gone = namespace.letGo();
    this.memory?.remove(namespace);
    if (this.namespaces.get(namespace.name) === namespace) {
      this.namespaces.delete(namespace.name);
      this.stored?.notLate(namespace.name);
    }
    this.failures.leftMemory(namespace.name);
    await gone;
  }

  /**
   * The world of the most usual source, a slug without more, where nothing has to be waited for.
   * What is found by its name needs no look at the name.
   */
  private openKnown(source: WorldSource, namespace: string): OpenSource | undefined {
    if (typeof source !== 'string' || this.stored) return undefined;
    const home = this.namespaces.get(namespace);
    const state = home?.worlds.get(source);
    if (!home || !state) return undefined;
    const { snapshot, dictionary } = home.store;
    return { namespace, slug: source, write: undefined, schema: false, home, state, snapshot, dictionary };
  }

  /** @param given the source as it was passed, if its request named no namespace */
  private openResolved(resolved: ResolvedSource, given: WorldSource | undefined): OpenSource {
    const home = this.namespaces.get(resolved.namespace);
    const state = home?.worlds.get(resolved.slug);
    if (!home || !state) {
      this.requireOpen();
      throw worldNotFound(resolved, given && namesNoNamespace(given) ? this.elsewhere(resolved, home) : undefined);
    }
    const { slug, write, schema } = resolved;
    const { snapshot, dictionary } = home.store;
    return { namespace: resolved.namespace, slug, write, schema, home, state, snapshot, dictionary };
  }

  private elsewhere(resolved: ResolvedSource, home: Namespace | undefined): string {
    const { namespace, slug } = resolved;
    const inMemory = [...this.namespaces.values()];
    return elsewhereText(resolved, {
      holders: inMemory.filter(({ name, worlds }) => name !== namespace && worlds.has(slug)).map(({ name }) => name),
      others: this.names().filter((name) => name !== namespace),
      isEmpty: !home?.worlds.size,
    });
  }

  private openEach(sources: readonly ResolvedSource[], isAsked: boolean, given: readonly WorldSource[]): OpenSource[] {
    if (sources.length === 1) return [this.openResolved(sources[0], isAsked ? undefined : given[0])];
    const opened = new Map<WorldState, OpenSource>();
    sources.forEach((source, i) => {
      const one = this.openResolved(source, isAsked ? undefined : given[i]);
      const known = opened.get(one.state);
      if (known && (known.write !== one.write || known.schema !== one.schema)) {
        throw new WorldsError(
          'INVALID_ARGUMENT',
          `sources[${i}]: ${one.namespace}/${one.slug} is named twice with different flags.`,
        );
      }
      opened.set(one.state, one);
    });
    return [...opened.values()];
  }

  private newNamespace(name: string): Namespace {
    const { plugins, failures, memory } = this;
    const quota = this.quotas && new NamespaceQuota(this.quotas);
    return new Namespace({ name, key: this.hashKey(), plugins, failures, memory, quota });
  }

  private hashKey(): HashKey {
    const bytes = this.random(8);
    const view = new DataView(bytes.buffer, bytes.byteOffset, 8);
    return { low: view.getInt32(0), high: view.getInt32(4) };
  }
}

/** Undefined without a limit. Throws INVALID_ARGUMENT. */
function memoryLimits(maxBytes: number | undefined): MemoryLimits | undefined {
  if (maxBytes === undefined) return defaultMemoryLimits(machineMemory());
  if (typeof maxBytes !== 'number' || !(maxBytes > 0)) {
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `maxMemoryBytes is ${String(maxBytes)}; give bytes above 0, or Infinity for no limit.`,
    );
  }
  return maxBytes === Number.POSITIVE_INFINITY ? undefined : { maxBytes, maxHeapBytes: Number.POSITIVE_INFINITY };
}

function engineClosed(cause?: unknown): WorldsError {
  return new WorldsError('INVALID_ARGUMENT', 'The engine is closed; open another one.', { cause });
}
