import { isError } from '../../model/any-realm.ts';
import { WorldsError } from '../../model/worlds-error.ts';
import { EMPTY_RUN } from '../../quads/run.ts';
import { runAtOnce } from '../../storage/slicer.ts';
import type { NamespaceStorage, NamespaceStorageStats, Storage } from '../../storage/storage.ts';
import { NO_HEAD, storageErrors } from '../../storage/storage-arguments.ts';
import { NO_TERM } from '../../storage/term-source.ts';
import { Mutex } from '../mutex.ts';
import type { NamespaceState } from '../namespace-state.ts';
import { type ChangeFeedOptions, changesOf, type WorldChange } from './change-feed.ts';
import { type CheckpointOptions, NO_CHECKPOINT, NOTHING_BEHIND } from './checkpointer.ts';
import { type CommitRecord, encodeCommitRecord, rowsOfRun } from './commit-record.ts';
import { type CommitStatus, commitStatus } from './commit-status.ts';
import type { CommitToken } from './commit-token.ts';
import { Durability } from './durability.ts';
import { type Recovered, recover } from './recover.ts';
import { FLOOR_NAMESPACE, RevisionFloor } from './revision-floor.ts';
import { damagesOf } from './salvage-state.ts';
import { requireLittleEndian } from './sealed-bytes.ts';
import { type StorageNews, StoragePlace } from './storage-place.ts';

export interface StoredNamespacesOptions extends CheckpointOptions {
  /** Memory and storage of a namespace may differ: it is to be let go of, and read again. */
  readonly onStale: (namespace: NamespaceState) => void;
  /**
   * Whether a namespace is in memory, or on its way there: others are up to date whenever they
   * come.
   */
  readonly isInMemory: (name: string) => boolean;
  /**
   * Another engine has written to a namespace, see {@link StoredNamespaces.isLate}, or has deleted
   * it.
   */
  readonly onLate: (name: string, isGone: boolean) => void;
}

/** The namespaces of a storage, and the way into memory of each. */
export class StoredNamespaces {
  /** Those that the storage has, or will have with their first commit. */
  readonly names = new Set<string>();
  /** Why `names` may lack some that the storage has: what is there of them cannot be read. */
  private damage: WorldsError | undefined;
  private readonly storage: Storage;
  private readonly options: StoredNamespacesOptions;
  /** What it threw, when it cannot be read. */
  private floor!: RevisionFloor | WorldsError;
  /** One after the other, since each is another's basis. */
  private readonly floorLock = new Mutex();
  /** What another engine of the process has written to since it was read. */
  private readonly late = new Set<string>();
  private place!: StoragePlace;
  /** Ends the reports of the storage. */
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
      const floor = storage.namespace(FLOOR_NAMESPACE);
      stored.floor = await RevisionFloor.open(floor, options.newId, (cause) => {
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

  /** The paths that the storage ignores: of a namespace, or of none. */
  async strays(namespace?: string): Promise<readonly string[]> {
    return (await this.storage.strays?.(namespace)) ?? [];
  }

  private storageReports(error: unknown, name: string | null): void {
    const { failures } = this.options;
    // Its own records are of no namespace that a caller knows.
    const namespace = name === FLOOR_NAMESPACE ? null : name;
    if (error === null) failures.succeeded(namespace, 'storage');
    else failures.failed(namespace, 'storage', error);
  }

  /** Whether nothing can be written. */
  get isReadOnly(): boolean {
    return this.storage.capabilities.readOnly === true;
  }

  /** What another engine has written. */
  private hear(news: StorageNews): void {
    const { namespace } = news;
    if (news.type === 'grew') {
      if (namespace !== FLOOR_NAMESPACE) this.names.add(namespace);
    } else {
      this.names.delete(namespace);
      this.options.failures.deleted(namespace);
      if (this.floor instanceof RevisionFloor) this.floor.learn(news.revision);
    }
    if (this.options.isInMemory(namespace)) this.late.add(namespace);
    this.options.onLate(namespace, news.type === 'gone');
  }

  /** Whether another engine has written to a namespace since it was read. */
  isLate(name: string): boolean {
    return this.late.has(name);
  }

  /** A namespace has left memory. */
  notLate(name: string): void {
    this.late.delete(name);
  }

  /** Those that are late. */
  get lateNames(): readonly string[] {
    return [...this.late];
  }

  /**
   * Takes in what others have written to a namespace, which it is told of anew from now on. Needs
   * its lock. False: it is to be read anew.
   */
  async follow(name: string, { journal }: Durability): Promise<boolean> {
    this.late.delete(name);
    try {
      return await journal.follow();
    } catch (cause) {
      this.late.add(name);
      throw cause;
    }
  }

  /** What is damaged in one place does not keep anybody from the others. */
  private async list(): Promise<void> {
    let damage: WorldsError | undefined;
    try {
      for await (const name of this.storage.namespaces()) if (name !== FLOOR_NAMESPACE) this.names.add(name);
    } catch (cause) {
      damage = this.damaged(cause);
    }
    // Until now there may have been names that nobody knows.
    this.damage = damage;
  }

  /** Lists again what could not be listed: the disk may read it now. */
  async lookAgain(): Promise<void> {
    if (!this.damage) return;
    try {
      await this.list();
    } catch (cause) {
      // What was damaged before is still what is known.
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

  /** Throws CORRUPT or UNSUPPORTED when `names` may lack some that the storage has. */
  requireAllNames(): void {
    if (this.damage) throw this.damage;
  }

  /** What was found damaged when the storage was opened. */
  get problems(): string[] {
    return [this.damage, this.floor].flatMap((one) => (one instanceof WorldsError ? [one.message] : []));
  }

  /** Whether the storage has a namespace, or may have it and must be asked. */
  mayHave(name: string): boolean {
    return this.names.has(name) || this.damage !== undefined;
  }

  /**
   * Reads a namespace into an empty one; what makes its commits durable from then on. Undefined:
   * the storage has no such namespace.
   */
  async load(namespace: NamespaceState, makeRoom: (bytes: number) => Promise<void>): Promise<Durability | undefined> {
    const storage = this.storage.namespace(namespace.name);
    this.late.delete(namespace.name);
    if (!this.names.has(namespace.name) && (await storage.head()).position === 0) return undefined;
    const recovered = await recover(namespace, storage, makeRoom);
    await namespace.quota?.measureDisk(() => storage.stats());
    this.names.add(namespace.name);
    return this.durabilityOf(namespace, storage, recovered);
  }

  /** Begins a namespace that the storage does not have. */
  begin(namespace: NamespaceState): Durability {
    const durable = { head: NO_HEAD, terms: namespace.store.dictionary.table.size };
    this.names.add(namespace.name);
    return this.durabilityOf(namespace, this.storage.namespace(namespace.name), {
      durable,
      checkpoint: NO_CHECKPOINT,
      behind: NOTHING_BEHIND,
    });
  }

  /**
   * Begins a namespace that the storage does not have with what is in memory already, from a
   * backup.
   */
  async adopt(namespace: NamespaceState): Promise<Durability> {
    const storage = this.storage.namespace(namespace.name);
    const { table } = namespace.store.dictionary;
    // A log without its checkpoint would be a part of the namespace; this record refuses to be one.
    const chunks = runAtOnce(encodeCommitRecord(restoreRecord(namespace)));
    const head = await storage.append(NO_HEAD, [{ id: this.options.newId(), chunks }]);
    const checkpoint = { ...NO_CHECKPOINT, marks: [] };
    const durable = { head, terms: table.size };
    const durability = this.durabilityOf(namespace, storage, { durable, checkpoint, behind: NOTHING_BEHIND });
    await durability.checkpointer.write();
    if (durability.checkpointer.isOver) throw storageErrors.otherIncarnation(namespace.name);
    this.names.add(namespace.name);
    this.place.tell({ type: 'grew', namespace: namespace.name });
    return durability;
  }

  /** Reads a namespace anew, beside the one in memory. */
  async readInto(namespace: NamespaceState): Promise<void> {
    await recover(namespace, this.storage.namespace(namespace.name));
  }

  /** What the storage has of a namespace, whether it is in memory or not. */
  storageOf(name: string): NamespaceStorage {
    return this.storage.namespace(name);
  }

  /**
   * The storage of a namespace, for salvage. Throws UNSUPPORTED if nothing can be salvaged from it,
   * or, for a repair, nothing put back.
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
   * What is damaged of all that is kept of a namespace, older checkpoints included, if the storage
   * can tell.
   */
  async damages(name: string, signal: AbortSignal | undefined): Promise<string[]> {
    const remains = await this.storage.namespace(name).remains?.();
    return remains ? damagesOf(remains, signal) : [];
  }

  /**
   * Runs work on the files of a namespace, and finds out again which namespaces there are. Throws
   * CONFLICT if other engines have the storage open.
   */
  async repairing<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.place.alone(async () => {
      const result = await work();
      await this.list();
      return result;
    }, 'may read what a repair replaces; close it, then repair');
  }

  /** How much the storage keeps of a namespace. */
  stats(name: string): Promise<NamespaceStorageStats> {
    return this.storage.namespace(name).stats();
  }

  /** The commits of a namespace: see {@link changesOf}. */
  changes(
    namespace: NamespaceState,
    { journal }: Durability,
    options: Omit<ChangeFeedOptions, 'isFinal'>,
  ): AsyncGenerator<WorldChange> {
    const storage = this.storage.namespace(namespace.name);
    return changesOf({ namespace, storage, journal }, { ...options, isFinal: this.isReadOnly });
  }

  /** What became of a commit that was IN_DOUBT: see {@link commitStatus}. */
  commitStatus(name: string, token: CommitToken): Promise<CommitStatus> {
    return commitStatus(this.storage.namespace(name), token, () => this.revisionFloor);
  }

  /** The highest revision of the namespaces that are gone. Throws CORRUPT when nobody knows. */
  get revisionFloor(): number {
    return this.readableFloor.value;
  }

  /** Makes namespaces that begin from now on start above a revision. Durable on return. */
  raiseFloor(revision: number): Promise<void> {
    return this.floorLock.run(() => this.readableFloor.raise(revision));
  }

  private get readableFloor(): RevisionFloor {
    if (this.floor instanceof WorldsError) throw this.floor;
    return this.floor;
  }

  /** Forgets a namespace, after everything that is on its way. Needs its lock. */
  async drop(namespace: NamespaceState, { journal }: Durability): Promise<void> {
    await journal.settle();
    // Each world that goes is a revision.
    const revision = namespace.revision + namespace.worlds.size;
    await this.raiseFloor(revision).catch((cause: unknown) => {
      if (cause instanceof WorldsError && cause.code === 'CORRUPT') throw cause;
      // Whatever the outcome of that, the namespace is untouched: never IN_DOUBT.
      throw new WorldsError('INTERNAL', `The namespace ${namespace.name} was not deleted: ${messageOf(cause)}`, {
        cause,
      });
    });
    try {
      await journal.drop();
    } catch (cause) {
      if (cause instanceof WorldsError && cause.code === 'IN_DOUBT') {
        // Nobody sees it any more, although it may return when the storage is opened again.
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
        onAwaited: () => {
          if (this.isLate(name)) options.onLate(name, false);
        },
        onAppended: () => place.tell({ type: 'grew', namespace: name }),
        onStale: () => options.onStale(namespace),
      },
    });
  }
}

/**
 * Stands in the log for what a backup brought: a change of no world, which cannot be done again.
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
