import { setImmediate } from '#platform';
import { raceAbort } from '../../contracts/abort-race.ts';
import { Slicer } from '../../contracts/slicer.ts';
import type { Head, LogRecord, NamespaceStorage } from '../../contracts/storage.ts';
import { sameHead } from '../../contracts/storage-arguments.ts';
import { isError } from '../../model/any-realm.ts';
import { WorldsError } from '../../model/worlds-error.ts';
import type { Snapshot } from '../../quads/snapshot.ts';
import type { Commit } from '../commit.ts';
import type { CommitLog } from '../commit-log.ts';
import type { NamespaceState } from '../namespace-state.ts';
import { Overtaken } from '../overtaken.ts';
import { type CommitRecord, encodeCommitRecord, recordBytes } from './commit-record.ts';
import { type CommitToken, formatCommitToken } from './commit-token.ts';
import { recordOf } from './record-of-commit.ts';
import { replayLog } from './replay-log.ts';
import { lengthOf } from './sealed-bytes.ts';

/**
 * Turns of the event loop for which an append waits at most while its group grows: a few
 * milliseconds if each turn brings another writer.
 */
const MAX_GATHERING_TURNS = 16;

/** The durable, and therefore visible, end of the log. */
export interface Durable {
  /** Position after the last durable record. The next append succeeds only at this head. */
  readonly head: Head;
  /** The log contains the terms of the dictionary up to this number. */
  readonly terms: number;
}

export interface JournalEvents {
  /** Whether others may append to the log: other processes, or other engines of this one. */
  readonly isShared: () => boolean;
  /** A change feed started to wait for the next commit. */
  readonly onAwaited: () => void;
  /** Commits of this engine were appended to the log. */
  readonly onAppended: () => void;
  /**
   * Commits of this or another engine became durable and visible. `bytes` is their size in the log.
   */
  readonly onDurable: (commits: number, bytes: number) => void;
  /** Another process has appended to the log, or may have: it is to be followed. */
  readonly onOvertaken: () => void;
  /** Memory and log may differ: the namespace must be reloaded from storage. */
  readonly onStale: () => void;
  /** 128 random bits as 32 hexadecimal digits. */
  readonly newId: () => string;
}

/** A commit that is not yet in the log. */
interface Pending {
  readonly commit: Commit;
  /** The quads of the namespace after the commit. */
  readonly snapshot: Snapshot;
  /** The commit as it is encoded for the log. */
  readonly record: CommitRecord;
  /** Approximate size in the log, in bytes; 0 without quotas. */
  readonly bytes: number;
}

/** Commits that are appended together, with one promise for all of them. */
class Group {
  readonly pending: Pending[] = [];
  readonly done: Promise<void>;
  resolve!: () => void;
  reject!: (cause: unknown) => void;

  constructor() {
    this.done = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    // Writers await the group that their outcome depends on. Without a waiter, a failure must not
    // be reported as an unhandled rejection.
    this.done.catch(() => undefined);
  }
}

/**
 * The write-ahead log of one namespace: makes its commits durable, then visible, in order. Uses
 * group commit (decision 0005): commits that arrive during an append are gathered and appended
 * together, with one sync.
 *
 * A commit takes these steps:
 * 1. {@link append} adds it to the latest state of the namespace, so that the next writer builds on
 *    it, and to the gathering group. Requires the namespace lock, which is released afterwards.
 * 2. `flush` writes the group to the storage.
 * 3. `publish` adds the group to the visible state in one synchronous step, and its writers are
 *    answered.
 *
 * If the write fails, `fail` rejects the group and every later commit, because they build on it,
 * and resets the latest state to the visible one.
 *
 * A write that throws may still have reached the disk. `find` therefore searches the log for it
 * before any writer is answered. If the log cannot be read, the writers get IN_DOUBT with a token
 * for `engine.commitStatus`, and no commit is accepted until {@link clearDoubt} resolves the doubt.
 *
 * Other engines may append to the same log (`isShared`). If the storage refuses an append because
 * the head has moved, they have committed first: the writers get {@link Overtaken}, which makes the
 * engine repeat their calls, and {@link follow} replays the commits of the others before that.
 */
export class Journal implements CommitLog {
  private readonly namespace: NamespaceState;
  private readonly storage: NamespaceStorage;
  private readonly events: JournalEvents;
  private durable: Durable;
  /**
   * High-water mark of the dictionary: the terms up to this number are in the log or in a pending
   * commit. A record contains the terms above it.
   */
  private latestTerms: number;
  /** The group that is being appended. */
  private inFlight: Group | undefined;
  /** The group to be appended next. */
  private gathering: Group | undefined;
  /** Number of commits of the last group that was appended. */
  private lastSize = 1;
  /** Set by a failed append, until the latest state has been reset to the visible state. */
  private failure: WorldsError | undefined;
  /** Number of commits that were appended to groups. */
  appended = 0;
  /** Settles with the group of the last one. */
  lastAppended: Promise<void> | undefined;
  /** Resolvers of the change feeds that wait for a commit. */
  private grown = new Set<() => void>();
  /**
   * True after a failed append, until the head of the log has been compared with {@link durable}.
   */
  private doubt = false;
  /** Whether the head is to be read before the next write. */
  private looksFirst = false;
  /** Number of times that commits of others were found in the log. */
  follows = 0;
  /** Number of appends that others have overtaken since one was accepted. */
  losses = 0;
  /** Called each time the head of the log becomes doubtful; {@link follow} resolves that. */
  onDoubt: (() => void) | undefined;

  constructor(namespace: NamespaceState, storage: NamespaceStorage, durable: Durable, events: JournalEvents) {
    this.namespace = namespace;
    this.storage = storage;
    this.durable = durable;
    this.latestTerms = durable.terms;
    this.events = events;
  }

  get state(): Durable {
    return this.durable;
  }

  /** Whether the storage has the namespace: it has none before the first commit. */
  get hasCommits(): boolean {
    return this.durable.head.position > 0;
  }

  get tail(): Promise<void> | undefined {
    if (this.failure) return Promise.reject(this.failure);
    return this.pendingGroup?.done;
  }

  /** The last group that is not durable. */
  private get pendingGroup(): Group | undefined {
    return this.gathering ?? this.inFlight;
  }

  /** The pending commits, oldest first. */
  get pending(): readonly Commit[] {
    return [this.inFlight, this.gathering].flatMap((group) => group?.pending.map(({ commit }) => commit) ?? []);
  }

  get isShared(): boolean {
    return this.events.isShared();
  }

  get isInDoubt(): boolean {
    return this.doubt || this.looksFirst;
  }

  /** Makes the next writer follow, as after a doubt, although no append has failed. */
  lookBeforeWriting(): void {
    this.looksFirst = true;
  }

  append(commit: Commit): void {
    if (this.failure) throw this.failure;
    const { namespace } = this;
    const record = recordOf(commit, namespace, this.latestTerms);
    const { quota } = namespace;
    const bytes = quota ? recordBytes(record) : 0;
    quota?.requireDisk(namespace, commit, bytes);
    quota?.appending(bytes);
    namespace.advance(commit);
    this.latestTerms = namespace.store.dictionary.table.size;
    const isFlushing = this.pendingGroup !== undefined;
    this.gathering ??= new Group();
    this.lastAppended = this.gathering.done;
    this.appended++;
    this.gathering.pending.push({ commit, snapshot: namespace.store.latest, record, bytes });
    if (!isFlushing) void this.flush();
  }

  async clearDoubt(): Promise<void> {
    if (this.events.isShared()) {
      if (await this.follow()) return;
      this.events.onStale();
      throw new Overtaken(this.namespace.name);
    }
    const head = await this.storage.head();
    if (!sameHead(head, this.durable.head)) {
      this.events.onStale();
      throw new WorldsError(
        'CONFLICT',
        `The log of the namespace ${this.namespace.name} is no longer as this process last wrote it, so the namespace is being reloaded. Repeat the call.`,
      );
    }
    this.doubt = false;
    this.looksFirst = false;
  }

  confirm(): Promise<void> | undefined {
    const { tail } = this;
    // A doubt that the caller itself has caused is its outcome: there is nothing to repeat.
    if (!this.events.isShared() || this.failure || this.doubt) return tail;
    if (!tail) return this.confirmAt(this.durable.head);
    // An append that is yet to be sent proves that the state is current. The one under way may have
    // been accepted long ago.
    return this.gathering ? tail : this.confirmAfter(tail);
  }

  private async confirmAfter(tail: Promise<void>): Promise<void> {
    const { follows } = this;
    const position = this.durable.head.position + this.inFlight!.pending.length;
    await tail;
    if (this.follows === follows) {
      // An append of this engine on top of the state was accepted since.
      if (this.durable.head.position > position) return;
      return this.confirmAt(this.durable.head);
    }
    throw new Overtaken(this.namespace.name);
  }

  private async confirmAt(known: Head): Promise<void> {
    if (sameHead(known, await this.storage.head())) return;
    this.events.onOvertaken();
    throw new Overtaken(this.namespace.name);
  }

  /**
   * Replays the commits that another engine with the same storage appended (decisions 0008 and
   * 0024), one at a time. Requires the namespace lock. Returns false if the namespace must be
   * reloaded from storage: because it is another incarnation or generation, or its log was
   * truncated or is damaged.
   */
  async follow(): Promise<boolean> {
    const { namespace } = this;
    for (let group = this.pendingGroup; group; group = this.pendingGroup) {
      // The writers of these commits receive the error.
      await group.done.catch(() => undefined);
    }
    this.recede();
    // A turn that begins from here on looks again.
    this.looksFirst = false;
    const head = await this.storage.head();
    const { incarnation, generation } = this.durable.head;
    if (head.incarnation !== incarnation || head.generation !== generation) return false;
    this.doubt = false;
    if (sameHead(head, this.durable.head)) return true;
    this.follows++;
    await this.withdrawTerms();
    try {
      // In the step that shows the commit: a checkpoint may be captured directly after it.
      const onShown = (head: Head) => {
        this.latestTerms = this.termsInMemory;
        this.durable = { head, terms: this.latestTerms };
      };
      const replayed = { generation, hasReaders: true, onShown };
      const log = replayLog(namespace, this.storage, this.durable.head, new Slicer(), replayed);
      for await (const { bytes } of log) {
        namespace.quota?.appended(bytes, 0);
        this.events.onDurable(1, bytes);
      }
    } catch (cause) {
      if (cause instanceof WorldsError && (cause.code === 'TRUNCATED' || cause.code === 'CORRUPT')) return false;
      throw cause;
    } finally {
      // Also if the rest cannot be read: the commits before it are visible.
      this.wake();
    }
    return true;
  }

  /** Settles with the append under way, whether or not it fails. Undefined if there is none. */
  get answered(): Promise<void> | undefined {
    return this.inFlight?.done.catch(() => undefined); // Its writers receive the error.
  }

  /** Whether a head of the storage shows that others have written what this engine has not read. */
  isBehind({ incarnation, position, generation }: Head): boolean {
    const { head } = this.durable;
    // An older head was read before the newest commit of this engine.
    return incarnation !== head.incarnation || generation > head.generation || position > head.position;
  }

  /**
   * Removes the terms from memory that are in no durable record: both engines number new terms from
   * the same point on, so their ids denote other terms in the log. Requires the namespace lock, and
   * that no commit is pending.
   */
  private async withdrawTerms(): Promise<void> {
    const { namespace, durable } = this;
    if (this.termsInMemory === durable.terms) return;
    const { dictionary } = namespace.store;
    namespace.renewDictionary(await new Slicer().run(dictionary.upTo(durable.terms)), durable.terms);
    this.latestTerms = durable.terms;
  }

  /**
   * Records that a checkpoint of this engine has raised the generation. Requires the namespace
   * lock, and that no commit is pending.
   */
  generationRaised(): void {
    const { head, terms } = this.durable;
    this.durable = { head: { ...head, generation: head.generation + 1 }, terms };
  }

  /** Whether a change feed waits for the next commit. */
  get isAwaited(): boolean {
    return this.grown.size > 0;
  }

  private get termsInMemory(): number {
    return this.namespace.store.dictionary.table.size;
  }

  /**
   * Deletes the namespace from storage once pending appends are settled. Requires the namespace
   * lock.
   */
  async drop(): Promise<void> {
    await this.settle();
    if (!this.events.isShared()) return this.storage.drop();
    try {
      // Others may have written since: what they have written must not be dropped unseen.
      await this.storage.drop(this.durable.head);
    } catch (cause) {
      // Unless it was refused, the namespace may be gone.
      this.raiseDoubt();
      if (!isConflict(cause)) throw cause;
      this.events.onOvertaken();
      throw new Overtaken(this.namespace.name, cause);
    }
  }

  /** Waits until no append is pending. Throws the error of an append that fails meanwhile. */
  async settle(): Promise<void> {
    for (let tail = this.tail; tail; tail = this.tail) await tail;
  }

  /**
   * Waits until a commit after a log position is visible or the namespace was dropped from memory.
   */
  async beyond(position: number, signal?: AbortSignal): Promise<void> {
    while (this.durable.head.position <= position && !this.namespace.dropped) {
      let wake!: () => void;
      const grown = new Promise<void>((resolve) => {
        wake = resolve;
      });
      this.grown.add(wake);
      this.events.onAwaited();
      try {
        await raceAbort(grown, signal);
      } finally {
        this.grown.delete(wake);
      }
    }
  }

  /** Resumes the waiting change feeds, which check their condition again. */
  wake(): void {
    const { grown } = this;
    this.grown = new Set();
    for (const resolve of grown) resolve();
  }

  /** Writes and publishes groups until none is gathering. Only one call runs at a time. */
  private async flush(): Promise<void> {
    for (let group = this.gathering; group && !this.failure; group = this.gathering) {
      if (group.pending.length < this.lastSize) await this.gather(group);
      this.inFlight = group;
      this.gathering = undefined;
      this.lastSize = group.pending.length;
      try {
        const { head, bytes } = await this.write(group.pending);
        this.losses = 0;
        this.publish(group, head);
        this.namespace.quota?.appended(bytes, pendingBytes(group));
        group.resolve();
        this.events.onAppended();
        this.events.onDurable(group.pending.length, bytes);
      } catch (cause) {
        this.fail(cause);
      }
      this.inFlight = undefined;
    }
  }

  /**
   * Waits while a group grows, at most to the size of the last one: writers that were answered
   * together often write again together, and an append for the first of them alone costs as much
   * as one for all.
   */
  private async gather({ pending }: Group): Promise<void> {
    let size = 0;
    for (let turn = 0; turn < MAX_GATHERING_TURNS; turn++) {
      if (pending.length === size || pending.length >= this.lastSize) return;
      size = pending.length;
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }

  /**
   * Appends a group. If the append throws, looks for the group in the log before it reports
   * failure.
   */
  private async write(pending: readonly Pending[]): Promise<{ head: Head; bytes: number }> {
    const slicer = new Slicer();
    const records: LogRecord[] = [];
    let bytes = 0;
    for (const { record } of pending) {
      const chunks = await slicer.run(encodeCommitRecord(record));
      records.push({ id: this.events.newId(), chunks });
      bytes += lengthOf(chunks);
    }
    const before = this.durable.head;
    try {
      return { head: await this.storage.append(before, records), bytes };
    } catch (cause) {
      if (this.events.isShared() && isConflict(cause)) {
        // Nothing was written.
        this.losses++;
        this.raiseDoubt();
        throw new Overtaken(this.namespace.name, cause);
      }
      const last = {
        incarnation: before.incarnation,
        position: before.position + records.length,
        revision: pending[pending.length - 1].commit.revision,
        id: records[records.length - 1].id,
      };
      const head = await this.find(last, cause);
      if (!head) throw cause;
      return { head, bytes };
    }
  }

  /**
   * Returns the head just after a record whose append threw `cause`, in the generation in which it
   * was appended, or undefined if the record is certainly not in the log. Throws IN_DOUBT if that
   * is unknown.
   */
  private async find(sought: CommitToken, cause: unknown): Promise<Head | undefined> {
    let unreadable: unknown;
    try {
      const { generation } = this.durable.head;
      for await (const { id, head } of this.storage.read(this.durable.head)) {
        // If another engine has freed terms since, the next append must be refused: this one may
        // still use them.
        if (id === sought.id) return { ...head, generation };
      }
    } catch (error) {
      unreadable = error;
    }
    // Only after the search: until then the log may legitimately be ahead of memory.
    this.raiseDoubt();
    const isInDoubt = cause instanceof WorldsError && cause.code === 'IN_DOUBT';
    if (!unreadable && !isInDoubt) return undefined;
    const why = unreadable ? `${messageOf(cause)} The log cannot be read: ${messageOf(unreadable)}` : messageOf(cause);
    const commit = formatCommitToken(sought);
    throw new WorldsError(
      'IN_DOUBT',
      `${why} Call engine.commitStatus with the commit ${commit} before you repeat the call.`,
      {
        cause: unreadable ? new AggregateError([cause, unreadable]) : cause,
        commit,
      },
    );
  }

  private raiseDoubt(): void {
    this.doubt = true;
    this.onDoubt?.();
  }

  /** Makes a group visible, in one synchronous step. */
  private publish({ pending }: Group, head: Head): void {
    const { namespace } = this;
    for (const [i, { commit, snapshot, record }] of pending.entries()) {
      const isLatest = i === pending.length - 1 && !this.gathering;
      // The latest snapshot has the same quads, possibly merged. Publishing the older one would
      // keep both in memory.
      namespace.publish(commit, isLatest ? namespace.store.latest : snapshot);
      this.durable = { head, terms: record.firstTerm - 1 + record.terms.metas.length };
    }
    this.wake();
  }

  /**
   * Rejects all pending commits, because they depend on the one that failed. No commit is accepted
   * until the latest state has been reset to the visible state.
   */
  private fail(cause: unknown): void {
    const { namespace } = this;
    const failure = failureOf(cause, namespace.name);
    const later = this.dependentFailure(failure);
    this.failure = later;
    for (const group of [this.inFlight, this.gathering]) if (group) namespace.quota?.appended(0, pendingBytes(group));
    this.inFlight?.reject(failure);
    this.gathering?.reject(later);
    this.gathering = undefined;
    if (failure instanceof Overtaken) this.events.onOvertaken();
    void namespace.withLock(() => this.recede());
  }

  dependentFailure(cause: WorldsError): WorldsError;
  dependentFailure(cause: unknown): unknown;
  dependentFailure(cause: unknown): unknown {
    if (!(cause instanceof WorldsError && cause.code === 'IN_DOUBT' && cause.commit !== undefined)) return cause;
    const { name } = this.namespace;
    // The repetition finds out what became of the commit in doubt.
    if (this.events.isShared()) return new Overtaken(name, cause);
    return new WorldsError(
      'INTERNAL',
      `Nothing was changed: it is unknown whether an earlier commit to the namespace ${name} is durable. ${cause.message}`,
      { cause },
    );
  }

  /**
   * After a failure, resets the latest state to the visible one. Requires the namespace lock, and
   * that no commit is pending.
   */
  private recede(): void {
    if (!this.failure) return;
    this.namespace.retreat();
    this.latestTerms = this.durable.terms;
    this.failure = undefined;
  }
}

function isConflict(cause: unknown): boolean {
  return cause instanceof WorldsError && cause.code === 'CONFLICT';
}

function pendingBytes({ pending }: Group): number {
  return pending.reduce((sum, { bytes }) => sum + bytes, 0);
}

function failureOf(cause: unknown, namespace: string): WorldsError {
  if (cause instanceof Overtaken) return cause;
  const { code, commit } = cause instanceof WorldsError ? cause : { code: 'INTERNAL' as const, commit: undefined };
  return new WorldsError(
    code,
    `A commit to the namespace ${namespace} could not be made durable: ${messageOf(cause)}`,
    { cause, commit },
  );
}

function messageOf(cause: unknown): string {
  return isError(cause) ? cause.message : String(cause);
}
