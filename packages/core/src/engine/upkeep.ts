import { Slicer } from '../contracts/slicer.ts';
import { WorldsError } from '../model/worlds-error.ts';
import type { BackgroundFailures } from './background-failures.ts';
import { type VisibleLog, writeBackup } from './durable/backup.ts';
import { type BackupInput, namespacesOfChain } from './durable/backup-chain.ts';
import { decodeToken } from './durable/backup-token.ts';
import { checkMemory, checkSame } from './durable/check.ts';
import { isDamage } from './durable/is-damage.ts';
import type { StoredNamespaces } from './durable/stored-namespaces.ts';
import { newTimeline } from './durable/timeline.ts';
import type { BackupOptions, SalvageRequest } from './engine-requests.ts';
import { Mutex } from './mutex.ts';
import type { Namespace } from './namespace.ts';
import { namespaceNotFound } from './open-source.ts';
import { type SalvageReport, salvageNamespace } from './salvage-namespace.ts';

/** What upkeep needs of the namespaces of an engine; implemented by `Catalog`. */
export interface UpkeepCatalog {
  /** Undefined without storage. */
  readonly stored: StoredNamespaces | undefined;
  /** Incarnation of all namespaces without storage. */
  readonly engineId: string;
  readonly clock: () => number;
  readonly random: (length: number) => Uint8Array;
  /** 128 random bits as 32 hexadecimal digits. */
  readonly newId: () => string;
  readonly failures: BackgroundFailures;
  requireOpen(): void;
  /** Throws UNSUPPORTED if the storage is read-only. */
  requireWritable(operation: string): void;
  find(name: string): Namespace | undefined | Promise<Namespace | undefined>;
  /** Returns a namespace if it is loaded. */
  inMemory(name: string): Namespace | undefined;
  /** Names of the namespaces with at least one world, in code-unit order. */
  names(): string[];
  /** Learns which namespaces other processes have created and deleted. */
  learnNames(): Promise<void>;
  /** Names of all namespaces; throws CORRUPT or UNSUPPORTED if some cannot be read. */
  allNames(): Promise<string[]>;
  /** Returns a new namespace that is not in the catalog. */
  newNamespace(name: string): Namespace;
  /** Adds a namespace that was read from a backup, and writes it to the storage. */
  adopt(namespace: Namespace): Promise<void>;
  /** Makes new namespaces continue above a revision, in the storage too. */
  raiseFloor(revision: number): Promise<void>;
  /** Removes a namespace from memory. */
  unload(namespace: Namespace): Promise<void>;
  /** Reads again if a concurrent checkpoint truncated what was being read. */
  readAgainIfTruncated<Result>(read: () => Promise<Result>): Promise<Result>;
}

/**
 * Looks after the namespaces of an engine as a whole: backups, restoring them, verification, and
 * salvage of what is damaged.
 */
export class Upkeep {
  private readonly catalog: UpkeepCatalog;
  /** Serializes salvages: a second one would read files that the first is replacing. */
  private readonly salvages = new Mutex();

  constructor(catalog: UpkeepCatalog) {
    this.catalog = catalog;
  }

  /**
   * Streams a backup of all namespaces, or of the changes since an earlier backup. Each namespace
   * is captured when its turn comes. Returns the backup token. Throws INVALID_ARGUMENT if `since`
   * is malformed.
   */
  async *backup({ since, signal }: BackupOptions): AsyncGenerator<Uint8Array, string, void> {
    const { catalog } = this;
    await catalog.learnNames();
    catalog.stored?.requireAllNames();
    const { engineId, clock, newId, failures } = catalog;
    const source = {
      names: catalog.names(),
      find: (name: string) => catalog.find(name),
      log: (name: string) => this.visibleLog(name),
      ...{ engineId, clock, newId, failures },
    };
    return yield* writeBackup(source, { since: since === undefined ? undefined : decodeToken(since), signal });
  }

  /**
   * The log of a namespace and its visible head, without loading the namespace. Undefined without
   * storage.
   */
  private async visibleLog(name: string): Promise<VisibleLog | undefined> {
    const { catalog } = this;
    if (!catalog.stored) return undefined;
    const storage = catalog.stored.storageOf(name);
    const home = catalog.inMemory(name) && (await catalog.find(name));
    // A commit is durable slightly before it is visible, so the head in memory is preferred.
    return { storage, head: home?.durability?.journal.state.head ?? (await storage.head()) };
  }

  /**
   * Restores the namespaces of a chain of backups. Throws ALREADY_EXISTS if the storage has
   * namespaces, QUOTA_EXCEEDED if a namespace exceeds its quotas.
   */
  async restore(backups: readonly BackupInput[]): Promise<void> {
    const { catalog } = this;
    catalog.requireWritable('restore');
    const [known] = await catalog.allNames();
    if (known !== undefined) {
      throw new WorldsError(
        'ALREADY_EXISTS',
        `The storage already has the namespace ${known}; restore into an empty storage.`,
      );
    }
    let floor = 0;
    for await (const namespace of namespacesOfChain(backups, (name) => catalog.newNamespace(name))) {
      floor = Math.max(floor, namespace.revision);
      const revision = newTimeline(`the namespace ${namespace.name}`, namespace.revision, catalog.random);
      namespace.quota?.requireWithin(namespace);
      namespace.restore([], revision, namespace.nextWorld, catalog.clock());
      await catalog.adopt(namespace);
    }
    // Namespaces that are not in the backup may exist, or be created later, where the backup was
    // made.
    await catalog.raiseFloor(newTimeline('a namespace', floor, catalog.random));
  }

  /**
   * Describes the inconsistencies of a namespace in memory and in storage. Blocks writers
   * meanwhile.
   */
  async check(name: string, signal: AbortSignal | undefined): Promise<string[]> {
    const { catalog } = this;
    const slicer = new Slicer(signal);
    try {
      const home = await catalog.find(name);
      if (!home) return [];
      return await home.withLock(async () => {
        await home.durability?.journal.settle();
        const problems = await checkMemory(home, slicer);
        if (catalog.stored && !home.dropped)
          problems.push(...(await this.checkStored(home, catalog.stored, slicer, signal)));
        return problems;
      });
    } catch (cause) {
      catalog.requireOpen();
      if (cause instanceof WorldsError && cause.code !== 'ABORTED') return [cause.message];
      throw cause;
    }
  }

  private async checkStored(
    home: Namespace,
    storage: StoredNamespaces,
    slicer: Slicer,
    signal: AbortSignal | undefined,
  ): Promise<string[]> {
    const { catalog } = this;
    const { name } = home;
    const problems = await catalog.readAgainIfTruncated(() => storage.damages(name, signal));
    const texts = await catalog.readAgainIfTruncated(() => storage.textDamages(name, signal));
    if (texts.length > 0) await home.search.buildAgain();
    problems.push(...texts);
    const stored = await catalog.readAgainIfTruncated(async () => {
      const empty = catalog.newNamespace(name);
      await storage.readInto(empty);
      return empty;
    });
    try {
      // Another process has written since this one read the namespace, so the two cannot be
      // compared.
      if (storage.isReadOnly && stored.revision !== home.revision) return problems;
      return [...problems, ...(await checkSame(home, stored, slicer))];
    } finally {
      await stored.store.close();
    }
  }

  /**
   * Recovers the readable part of a namespace; see `WorldsEngine.salvage`. Blocks writers
   * meanwhile.
   */
  salvage(name: string, request: Omit<SalvageRequest, 'namespace'>): Promise<SalvageReport> {
    const { catalog } = this;
    const { stored } = catalog;
    if (!stored) throw new WorldsError('UNSUPPORTED', 'Without a storage, there is nothing to salvage.');
    const { repair = false } = request;
    if (repair) catalog.requireWritable('salvage');
    const storage = stored.salvageable(name, { repairs: repair });
    return this.salvages.run(async () => {
      const home = await this.findUndamaged(name);
      const salvage = () =>
        catalog.readAgainIfTruncated(() =>
          salvageNamespace({
            ...{ ...request, name, storage, newId: catalog.newId, timeMs: catalog.clock() },
            newNamespace: () => catalog.newNamespace(name),
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
    if (report?.repaired && !home.dropped) await this.catalog.unload(home);
    return report;
  }

  /** Like `Catalog.find`, but returns undefined if the namespace is damaged or unreadable. */
  private async findUndamaged(name: string): Promise<Namespace | undefined> {
    try {
      return await this.catalog.find(name);
    } catch (cause) {
      // Salvage reads the files itself and throws errors that are not damage.
      if (isDamage(cause) || (cause instanceof WorldsError && cause.code === 'INTERNAL')) return undefined;
      throw cause;
    }
  }

  /** Describes problems of the storage that concern no namespace with a known name. */
  async storageProblems(): Promise<readonly string[]> {
    const { stored } = this.catalog;
    await stored?.retryListing();
    return stored?.problems ?? [];
  }

  /** Files in the storage that the engine ignores; see `Storage.strays`. Empty without storage. */
  async strays(namespace?: string): Promise<readonly string[]> {
    return (await this.catalog.stored?.strays(namespace)) ?? [];
  }
}
