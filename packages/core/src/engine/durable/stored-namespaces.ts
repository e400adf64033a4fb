import { runAtOnce } from '../../contracts/slicer.ts';
import type { Head, NamespaceStorage, NamespaceStorageStats, Storage } from '../../contracts/storage.ts';
import { NO_HEAD, storageErrors } from '../../contracts/storage-arguments.ts';
import { NO_TERM } from '../../contracts/term-source.ts';
import { isError } from '../../model/any-realm.ts';
import { WorldsError } from '../../model/worlds-error.ts';
import { EMPTY_RUN } from '../../quads/run.ts';
import { Mutex } from '../mutex.ts';
import type { NamespaceState } from '../namespace-state.ts';
import { type ChangeFeedOptions, changesOf, type WorldChange } from './change-feed.ts';
import { type CheckpointOptions, NO_CHECKPOINT, NOTHING_BEHIND } from './checkpointer.ts';
import { type CommitRecord, encodeCommitRecord, rowsOfRun } from './commit-record.ts';
import { type CommitStatus, commitStatus } from './commit-status.ts';
import type { CommitToken } from './commit-token.ts';
import { Durability } from './durability.ts';
import { HeadFollower } from './head-follower.ts';
import { type Recovered, recover } from './recover.ts';
import { FLOOR_NAMESPACE, RevisionFloor } from './revision-floor.ts';
import { damagesOf } from './salvage-state.ts';
import { requireLittleEndian } from './sealed-bytes.ts';
import { type StorageNews, StoragePlace } from './storage-place.ts';
import { textDamagesOf } from './stored-texts.ts';

export interface StoredNamespacesOptions extends CheckpointOptions {
  /** Memory and storage of a namespace may differ: it must be dropped and reloaded. */
  readonly onStale: (namespace: NamespaceState) => void;
  /**
   * Whether a namespace is loaded or being loaded. Others are up to date whenever they are loaded.
   */
  readonly isInMemory: (name: string) => boolean;
  /**
   * Another engine has written to a namespace (see {@link StoredNamespaces.isBehind}) or deleted
   * it.
   */
  readonly onBehind: (name: string, isGone: boolean) => void;
}

/** The namespaces of a storage, and how each is loaded. */
export class StoredNamespaces {
  /** Namespaces that exist in the storage or will exist after their first commit. */
  readonly names = new Set<string>();
  /** Why `names` may be incomplete: a part of the storage cannot be read. */
  private damage: WorldsError | undefined;
  private readonly storage: Storage;
  private readonly options: StoredNamespacesOptions;
  /** The error, if the floor cannot be read. */
  private floor!: RevisionFloor | WorldsError;
  /** Serializes updates of the floor, because each depends on the previous one. */
  private readonly floorLock = new Mutex();
  /**
   * Loaded namespaces that other engines have written to since they were read, with the number of
   * the last notice of that.
   */
  private readonly behind = new Map<string, number>();
  private notices = 0;
  private place!: StoragePlace;
  /** Stops listening to background errors of the storage. */
  private stopListening: () => void = () => undefined;

  private constructor(storage: Storage, options: StoredNamespacesOptions) {
    this.storage = storage;
    this.options = options;
  }

  static async open(storage: Storage, options: StoredNamespacesOptions): Promise<StoredNamespaces> {
    requireLittleEndian();
    await storage.open();
    const stored = new StoredNamespaces(storage, options);
    stored.stopListening =
      storage.onBackgroundError?.((error, namespace) => stored.storageReports(error, namespace)) ??
      stored.stopListening;
    stored.place = await StoragePlace.enter(storage, (news) => stored.hear(news));
    try {
      await stored.list();
      options.failures.foundStrays(await stored.strays());
      stored.floor = await RevisionFloor.open(storage.namespace(FLOOR_NAMESPACE), options.newId, (cause) => {
        if (cause === undefined) options.failures.succeeded(null, 'checkpoint');
        else options.failures.failed(null, 'checkpoint', cause);
      }).catch((cause) => stored.damaged(cause));
    } catch (cause) {
      stored.stopListening();
      stored.place.leave();
      await storage.close().catch((error) => options.failures.failed(null, 'storage', error));
      throw cause;
    }
    return stored;
  }

  /** Paths that the storage ignores, of a namespace or of none. */
  async strays(namespace?: string): Promise<readonly string[]> {
    return (await this.storage.strays?.(namespace)) ?? [];
  }

  private storageReports(error: unknown, name: string | null): void {
    const { failures } = this.options;
    // The records of the floor belong to no namespace that callers know.
    const namespace = name === FLOOR_NAMESPACE ? null : name;
    if (error === null) failures.succeeded(namespace, 'storage');
    else failures.failed(namespace, 'storage', error);
  }

  /** Whether the storage is read-only. */
  get isReadOnly(): boolean {
    return this.storage.capabilities.readOnly === true;
  }

  /** Handles the notice that another engine has written to or deleted a namespace. */
  private hear(news: StorageNews): void {
    const { namespace } = news;
    if (news.type === 'grew') {
      if (namespace !== FLOOR_NAMESPACE) this.names.add(namespace);
    } else {
      this.names.delete(namespace);
      this.options.failures.deleted(namespace);
      if (this.floor instanceof RevisionFloor) this.floor.learn(news.revision);
    }
    if (this.options.isInMemory(namespace)) this.markBehind(namespace);
    this.options.onBehind(namespace, news.type === 'gone');
  }

  private markBehind(name: string): void {
    this.behind.set(name, ++this.notices);
  }

  /** Whether another engine has written to a namespace since it was read. */
  isBehind(name: string): boolean {
    return this.behind.has(name);
  }

  /** Clears the mark of a namespace that is no longer in memory. */
  forgetBehind(name: string): void {
    this.behind.delete(name);
  }

  /** Names of the namespaces that are behind. */
  get behindNames(): readonly string[] {
    return [...this.behind.keys()];
  }

  /**
   * Replays the commits of other engines and clears the mark. Requires the namespace lock.
   * Returns false if the namespace must be reloaded from storage.
   */
  async follow(name: string, { journal }: Durability): Promise<boolean> {
    const notice = this.behind.get(name);
    const follows = await journal.follow();
    // Only now: a reader that comes meanwhile has to wait, too. And not after a later notice, whose
    // commit may not have been read.
    if (this.behind.get(name) === notice) this.behind.delete(name);
    return follows;
  }

  /** Lists the namespaces. Damage in one place does not prevent the use of the others. */
  private async list(): Promise<ReadonlySet<string>> {
    const listed = new Set<string>();
    let damage: WorldsError | undefined;
    try {
      for await (const name of this.storage.namespaces()) {
        if (name === FLOOR_NAMESPACE) continue;
        listed.add(name);
        this.names.add(name);
      }
    } catch (cause) {
      damage = this.damaged(cause);
    }
    // Set only now: the earlier damage applies until the listing is complete.
    this.damage = damage;
    return listed;
  }

  /** Repeats a listing that failed, because the disk may be readable again. */
  async retryListing(): Promise<void> {
    if (!this.damage) return;
    try {
      await this.list();
    } catch (cause) {
      // The earlier damage remains the known state.
      if (!(cause instanceof WorldsError)) throw cause;
      return;
    }
    if (this.problems.length === 0) this.options.failures.succeeded(null, 'opening');
  }

  private damaged(cause: unknown): WorldsError {
    if (!(cause instanceof WorldsError) || (cause.code !== 'CORRUPT' && cause.code !== 'UNSUPPORTED')) throw cause;
    this.options.failures.failed(null, 'opening', cause);
    return cause;
  }

  /** Throws CORRUPT or UNSUPPORTED if `names` may be incomplete. */
  requireAllNames(): void {
    if (this.damage) throw this.damage;
  }

  /** Damage found when the storage was opened. */
  get problems(): string[] {
    return [this.damage, this.floor].flatMap((one) => (one instanceof WorldsError ? [one.message] : []));
  }

  /** Whether other processes may write to the storage. */
  get isShared(): boolean {
    return this.storage.capabilities.shared;
  }

  /** Whether another engine may write to the storage: of another process, or of this one. */
  get canBeOvertaken(): boolean {
    return this.isShared || this.place.isShared;
  }

  /** Whether the storage has a namespace, or may have it and must be read. */
  mayHave(name: string): boolean {
    return this.names.has(name) || this.isShared || this.damage !== undefined;
  }

  /**
   * Loads a namespace into an empty one and returns its durability. Undefined if the storage has no
   * such namespace.
   */
  async load(namespace: NamespaceState, makeRoom: (bytes: number) => Promise<void>): Promise<Durability | undefined> {
    const storage = this.storage.namespace(namespace.name);
    this.behind.delete(namespace.name);
    if (!this.names.has(namespace.name) && (await storage.head()).position === 0) return undefined;
    const recovered = await recover(namespace, storage, makeRoom);
    if (this.isShared && recovered.durable.head.position === 0) {
      // Another process has deleted it.
      this.names.delete(namespace.name);
      return undefined;
    }
    await namespace.quota?.measureDisk(() => storage.stats());
    this.names.add(namespace.name);
    return this.durabilityOf(namespace, storage, recovered);
  }

  /**
   * Returns the head of a namespace that does not exist, to which its first commit is appended.
   * Undefined if the namespace was created or deleted meanwhile: look for it again.
   *
   * The head is read before the floor. If the namespace is created and deleted after the floor was
   * read, so that its new revisions are unknown here, the head has changed too, and the storage
   * refuses the commit (decision 0040).
   */
  async headOfMissing(name: string): Promise<Head | undefined> {
    const floor = this.revisionFloor;
    const head = await this.storage.namespace(name).head();
    if (head.position > 0 || this.revisionFloor !== floor) return undefined;
    if (this.canBeOvertaken) await this.learnFloor();
    return head;
  }

  /** Starts a namespace that does not exist in the storage. Writes nothing. */
  begin(namespace: NamespaceState, head: Head): Durability {
    const durable = { head, terms: namespace.store.dictionary.table.size };
    this.names.add(namespace.name);
    return this.durabilityOf(namespace, this.storage.namespace(namespace.name), {
      durable,
      checkpoint: NO_CHECKPOINT,
      behind: NOTHING_BEHIND,
    });
  }

  /** Stores a namespace that was restored from a backup. It must not exist in the storage. */
  async adopt(namespace: NamespaceState): Promise<Durability> {
    const storage = this.storage.namespace(namespace.name);
    const { table } = namespace.store.dictionary;
    // If only the log were written and the checkpoint lost, the namespace would be incomplete. This
    // record makes replay of such a log fail.
    const chunks = runAtOnce(encodeCommitRecord(restoreRecord(namespace)));
    const { generation } = await storage.head();
    // Refused if the namespace exists.
    const head = await storage.append({ ...NO_HEAD, generation }, [{ id: this.options.newId(), chunks }]);
    const checkpoint = { ...NO_CHECKPOINT, marks: [] };
    const durable = { head, terms: table.size };
    const durability = this.durabilityOf(namespace, storage, { durable, checkpoint, behind: NOTHING_BEHIND });
    await durability.checkpointer.write();
    if (durability.checkpointer.isOver) throw storageErrors.otherIncarnation(namespace.name);
    this.names.add(namespace.name);
    this.place.tell({ type: 'grew', namespace: namespace.name });
    return durability;
  }

  /** Reads a second copy of a loaded namespace from storage. */
  async readInto(namespace: NamespaceState): Promise<void> {
    await recover(namespace, this.storage.namespace(namespace.name));
  }

  /**
   * Follows the commits of other processes to a loaded namespace until the returned function is
   * called. `follow` brings the namespace to the head.
   */
  followHead(name: string, { journal }: Durability, follow: () => Promise<void>): () => void {
    const follower = new HeadFollower(this.storage.namespace(name), journal, {
      onMoved: follow,
      onFailure: (cause) => this.options.failures.failed(name, 'following', cause),
    });
    follower.start();
    return () => follower.stop();
  }

  /** Storage of a namespace, loaded or not. */
  storageOf(name: string): NamespaceStorage {
    return this.storage.namespace(name);
  }

  /**
   * Storage of a namespace, for salvage. Throws UNSUPPORTED if the storage does not support salvage
   * or, with `repairs`, repair.
   */
  salvageable(name: string, { repairs }: { readonly repairs: boolean }): NamespaceStorage {
    const storage = this.storage.namespace(name);
    if (storage.remains && (storage.rebuild || !repairs)) return storage;
    throw new WorldsError(
      'UNSUPPORTED',
      `This storage cannot ${storage.remains ? 'be repaired' : 'salvage what is left of a damaged namespace'}; restore the namespace from a backup.`,
    );
  }

  /**
   * Describes the damage in all files of a namespace, including older checkpoints. Empty if the
   * storage cannot tell.
   */
  async damages(name: string, signal: AbortSignal | undefined): Promise<string[]> {
    const remains = await this.storage.namespace(name).remains?.();
    return remains ? damagesOf(remains, signal) : [];
  }

  /** Describes the damage in the text index of a namespace, which is only a cache. */
  async textDamages(name: string, signal: AbortSignal | undefined): Promise<string[]> {
    const remains = await this.storage.namespace(name).remains?.();
    return remains ? textDamagesOf(name, remains, signal) : [];
  }

  /**
   * Runs work that replaces files of a namespace, then lists the namespaces again. Throws CONFLICT
   * if other engines have the storage open.
   */
  async repairing<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.place.alone(async () => {
      const result = await work();
      await this.list();
      return result;
    }, 'may read files that a repair replaces; close it, then repair');
  }

  /** Size of a namespace in storage. */
  stats(name: string): Promise<NamespaceStorageStats> {
    return this.storage.namespace(name).stats();
  }

  /** Returns the commits of a namespace; see {@link changesOf}. */
  changes(
    namespace: NamespaceState,
    { journal }: Durability,
    options: Omit<ChangeFeedOptions, 'isFinal'>,
  ): AsyncGenerator<WorldChange> {
    const storage = this.storage.namespace(namespace.name);
    return changesOf({ namespace, storage, journal }, { ...options, isFinal: this.isReadOnly && !storage.watch });
  }

  /** Returns the outcome of a commit that was IN_DOUBT; see {@link commitStatus}. */
  commitStatus(name: string, token: CommitToken): Promise<CommitStatus> {
    return commitStatus(this.storage.namespace(name), token, async () => {
      if (this.canBeOvertaken) await this.learnFloor();
      return this.revisionFloor;
    });
  }

  /** The highest revision of any deleted namespace. Throws CORRUPT if it cannot be read. */
  get revisionFloor(): number {
    return this.readableFloor.value;
  }

  /** Reads how far other processes have raised the floor. */
  learnFloor(): Promise<void> {
    return this.floorLock.run(() => this.readableFloor.refresh());
  }

  /**
   * Lists the namespaces again, of which other processes may have created or deleted some.
   *
   * @param isBegun whether a namespace exists in memory only, until its first commit
   */
  async listAgain(isBegun: (name: string) => boolean): Promise<void> {
    const known = [...this.names];
    const listed = await this.list();
    if (!this.damage) for (const name of known) if (!listed.has(name) && !isBegun(name)) this.names.delete(name);
  }

  /** Makes new namespaces start above a revision. Durable on return. */
  raiseFloor(revision: number): Promise<void> {
    return this.floorLock.run(() => this.readableFloor.raise(revision));
  }

  private get readableFloor(): RevisionFloor {
    if (this.floor instanceof WorldsError) throw this.floor;
    return this.floor;
  }

  /** Deletes a namespace once pending appends are settled. Requires the namespace lock. */
  async drop(namespace: NamespaceState, { journal }: Durability): Promise<void> {
    await journal.settle();
    // The deletion of each world counts as one revision.
    const revision = namespace.revision + namespace.worlds.size;
    await this.raiseFloor(revision).catch((cause: unknown) => {
      if (cause instanceof WorldsError && cause.code === 'CORRUPT') throw cause;
      // Never IN_DOUBT: whether or not the floor was raised, the namespace is unchanged.
      throw new WorldsError('INTERNAL', `The namespace ${namespace.name} was not deleted: ${messageOf(cause)}`, {
        cause,
      });
    });
    try {
      await journal.drop();
    } catch (cause) {
      if (cause instanceof WorldsError && cause.code === 'IN_DOUBT') {
        // The namespace is no longer visible, although it may reappear when the storage is
        // reopened.
        this.names.delete(namespace.name);
        this.options.onStale(namespace);
      }
      throw cause;
    }
    this.names.delete(namespace.name);
    this.place.tell({ type: 'gone', namespace: namespace.name, revision });
  }

  async close(): Promise<void> {
    this.place.leave();
    try {
      await this.storage.close();
    } finally {
      this.stopListening();
    }
  }

  private durabilityOf(namespace: NamespaceState, storage: NamespaceStorage, recovered: Recovered): Durability {
    const { place, options } = this;
    const { name } = namespace;
    return new Durability({
      ...{ namespace, storage, recovered, place, isReadOnly: this.isReadOnly, checkpoints: options },
      events: {
        isShared: () => this.canBeOvertaken,
        onOvertaken: () => this.markBehind(name),
        onAwaited: () => {
          if (this.isBehind(name)) options.onBehind(name, false);
        },
        onAppended: () => place.tell({ type: 'grew', namespace: name }),
        onStale: () => options.onStale(namespace),
      },
    });
  }
}

/**
 * Returns the log record that stands for a restored backup: a change of no world, which cannot be
 * replayed.
 */
function restoreRecord({ revision, nextWorld, store }: NamespaceState): CommitRecord {
  const none = new Uint32Array(0);
  const noRows = rowsOfRun(EMPTY_RUN, () => NO_TERM);
  return {
    ...{ revision, timeMs: 0, nextWorld, nextContext: store.nextContext, world: 0, kind: 'deleted', defaultContext: 0 },
    record: { slug: '', createdAt: 0, updatedAt: 0 },
    ...{ createdGraphs: none, createdContexts: none, droppedGraphs: none, inserted: noRows, deleted: noRows },
    ...{ firstTerm: 0, terms: { metas: none, texts: [] } },
  };
}

function messageOf(cause: unknown): string {
  return isError(cause) ? cause.message : String(cause);
}
