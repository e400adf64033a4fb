import { isError } from '../../model/any-realm.ts';
import { WorldsError } from '../../model/worlds-error.ts';
import { packTerms } from '../../quads/packed-terms.ts';
import type { Run } from '../../quads/run.ts';
import type { Snapshot } from '../../quads/snapshot.ts';
import { WorldGraphs } from '../../quads/world-graphs.ts';
import { raceAbort } from '../../storage/abort-race.ts';
import { Slicer } from '../../storage/slicer.ts';
import type { Head, LogRecord, NamespaceStorage } from '../../storage/storage.ts';
import { sameHead } from '../../storage/storage-arguments.ts';
import { DEFAULT_GRAPH, NO_TERM, type TermId } from '../../storage/term-source.ts';
import type { Commit } from '../commit.ts';
import type { Namespace, WorldState } from '../namespace.ts';
import type { World } from '../world.ts';
import { type CommitRecord, encodeCommitRecord, type RecordFields, recordBytes, rowsOfRun } from './commit-record.ts';
import { type CommitToken, formatCommitToken } from './commit-token.ts';
import { replayLog } from './replay-log.ts';
import { lengthOf } from './sealed-bytes.ts';

/** How far a log has come: what is in it and visible in memory. */
export interface Durable {
  readonly head: Head;
  /** The terms of the dictionary up to this number are in the log. */
  readonly terms: number;
}

export interface JournalEvents {
  /** Somebody waits for the next commit. */
  readonly onAwaited: () => void;
  /** Some commits of this engine are in the log. */
  readonly onAppended: () => void;
  /** Some commits, of this engine or of another one, became durable and visible; `bytes` is what they took in the log. */
  readonly onDurable: (commits: number, bytes: number) => void;
  /** Memory and log may differ: the namespace is to be read again. */
  readonly onStale: () => void;
  /** 128 random bits as 32 hexadecimal digits. */
  readonly newId: () => string;
}

interface Pending {
  readonly commit: Commit;
  readonly snapshot: Snapshot;
  readonly record: CommitRecord;
  /** About what it takes in the log. */
  readonly bytes: number;
}

/** Commits that go to the log in one append, and a promise for all of them. */
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
    // Every writer waits for the group that its outcome rests on; a group that nobody waits for any more is no failure of its own.
    this.done.catch(() => undefined);
  }
}

/**
 * Makes the commits of one namespace durable, then visible, in their order. While one append is under way the next commits gather, and go to the log
 * together: that is the group commit (decision 0005).
 */
export class Journal {
  private readonly namespace: Namespace;
  private readonly storage: NamespaceStorage;
  private readonly events: JournalEvents;
  private durable: Durable;
  /** The terms up to this number are in the log or on their way. */
  private latestTerms: number;
  /** On its way. */
  private flying: Group | undefined;
  /** Waits until the one on its way has arrived. */
  private gathering: Group | undefined;
  /** Set from a failed append until the latest state is the visible one again. */
  private failure: WorldsError | undefined;
  /** Whoever waits for the next commit. */
  private grown = new Set<() => void>();
  private doubt = false;

  constructor(namespace: Namespace, storage: NamespaceStorage, durable: Durable, events: JournalEvents) {
    this.namespace = namespace;
    this.storage = storage;
    this.durable = durable;
    this.latestTerms = durable.terms;
    this.events = events;
  }

  /** What is durable now, and visible. */
  get state(): Durable {
    return this.durable;
  }

  /** Settles when everything that was appended so far is durable, or has failed; undefined when nothing is on its way. */
  get tail(): Promise<void> | undefined {
    if (this.failure) return Promise.reject(this.failure);
    return (this.gathering ?? this.flying)?.done;
  }

  /** The commits on their way, oldest first. */
  get pending(): readonly Commit[] {
    return [this.flying, this.gathering].flatMap((group) => group?.pending.map(({ commit }) => commit) ?? []);
  }

  /** True after an append of which nobody knows the outcome; see {@link clearDoubt}. */
  get isInDoubt(): boolean {
    return this.doubt;
  }

  /** Puts a commit behind the latest state and on its way to the log. Needs the lock. Throws what failed before it, if it rests on that. */
  append(commit: Commit): void {
    if (this.failure) throw this.failure;
    const { namespace } = this;
    // Deletions always fit: they are the way out.
    const { inserted } = commit.delta;
    if (inserted.length > 0 || !commit.before) namespace.requireRoom(inserted.byteLength);
    const record = recordOf(commit, namespace, this.latestTerms);
    const { quota } = namespace;
    const bytes = quota ? recordBytes(record) : 0;
    quota?.requireDisk(namespace, commit, bytes);
    quota?.appending(bytes);
    namespace.advance(commit);
    this.latestTerms = namespace.store.dictionary.table.size;
    this.gathering ??= new Group();
    this.gathering.pending.push({ commit, snapshot: namespace.store.latest, record, bytes });
    if (!this.flying) void this.flush();
  }

  /** Finds out whether memory and log agree after an append that failed. Needs the lock. Throws CONFLICT when they do not. */
  async clearDoubt(): Promise<void> {
    const head = await this.storage.head();
    if (!sameHead(head, this.durable.head)) {
      this.events.onStale();
      throw new WorldsError(
        'CONFLICT',
        `The log of the namespace ${this.namespace.name} is not what this process wrote last; the namespace is read again. Repeat the call.`,
      );
    }
    this.doubt = false;
  }

  /**
   * Takes in what another engine has appended, one commit after the other. Needs the lock. False when that cannot be done, since memory has gone another way or the log no longer has all of it: the
   * namespace is to be read anew then.
   */
  async follow(): Promise<boolean> {
    const { namespace } = this;
    try {
      await this.settle();
    } catch {
      // Whoever wrote was told: another engine was first.
      return false;
    }
    // Terms that are in no log have ids here that mean others there.
    if (this.doubt || this.latestTerms !== this.durable.terms || this.latestTerms !== this.termsInMemory) return false;
    try {
      for await (const { head, bytes } of replayLog(namespace, this.storage, this.durable.head, new Slicer())) {
        this.latestTerms = this.termsInMemory;
        this.durable = { head, terms: this.latestTerms };
        namespace.quota?.appended(bytes, 0);
        this.events.onDurable(1, bytes);
      }
    } catch (cause) {
      if (cause instanceof WorldsError && (cause.code === 'TRUNCATED' || cause.code === 'CORRUPT')) return false;
      throw cause;
    }
    this.wake();
    return true;
  }

  /** Whether somebody waits for the next commit. */
  get isAwaited(): boolean {
    return this.grown.size > 0;
  }

  private get termsInMemory(): number {
    return this.namespace.store.dictionary.table.size;
  }

  /** Forgets the namespace in the storage, after everything that is on its way. Needs the lock. */
  async drop(): Promise<void> {
    await this.settle();
    await this.storage.drop();
  }

  /** Waits until nothing is on its way. Throws what failed. */
  async settle(): Promise<void> {
    for (let tail = this.tail; tail; tail = this.tail) await tail;
  }

  /** Waits until something is visible beyond a position of the log, or the namespace is let go of. */
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

  /** Wakes everyone who waits for the next commit. */
  wake(): void {
    const { grown } = this;
    this.grown = new Set();
    for (const resolve of grown) resolve();
  }

  private async flush(): Promise<void> {
    for (let group = this.gathering; group && !this.failure; group = this.gathering) {
      this.flying = group;
      this.gathering = undefined;
      try {
        const { head, bytes } = await this.write(group.pending);
        this.publish(group, head);
        this.namespace.quota?.appended(bytes, pendingBytes(group));
        group.resolve();
        this.events.onAppended();
        this.events.onDurable(group.pending.length, bytes);
      } catch (cause) {
        this.fail(cause);
      }
      this.flying = undefined;
    }
  }

  /** Appends a group, and does not take an error for an answer as long as the log can be read. */
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
   * The head just after a record, if it is in the log although its append threw `cause`; undefined if
   * it certainly is not. Throws IN_DOUBT if that is unknown.
   */
  private async find(sought: CommitToken, cause: unknown): Promise<Head | undefined> {
    let unreadable: unknown;
    try {
      for await (const record of this.storage.read(this.durable.head)) if (record.id === sought.id) return record.head;
    } catch (error) {
      unreadable = error;
    }
    // Set only now: while the record was looked for, the log was rightly ahead of memory.
    this.doubt = true;
    const isInDoubt = cause instanceof WorldsError && cause.code === 'IN_DOUBT';
    if (!unreadable && !isInDoubt) return undefined;
    const why = unreadable ? `${messageOf(cause)} The log cannot be read: ${messageOf(unreadable)}` : messageOf(cause);
    const commit = formatCommitToken(sought);
    throw new WorldsError(
      'IN_DOUBT',
      `${why} Ask engine.commitStatus for the commit ${commit} before you repeat the call.`,
      {
        cause: unreadable ? new AggregateError([cause, unreadable]) : cause,
        commit,
      },
    );
  }

  /** Shows a group to everyone, in one synchronous step. */
  private publish({ pending }: Group, head: Head): void {
    const { namespace } = this;
    for (const [i, { commit, snapshot, record }] of pending.entries()) {
      const isLatest = i === pending.length - 1 && !this.gathering;
      // Merged meanwhile, and the same quads: so that memory does not keep both.
      namespace.publish(commit, isLatest ? namespace.store.latest : snapshot);
      this.durable = { head, terms: record.firstTerm - 1 + record.terms.metas.length };
    }
    this.wake();
  }

  /** Refuses everything that is on its way: all of it rests on what failed. Until the latest state is the visible one again, nothing else can begin. */
  private fail(cause: unknown): void {
    const { namespace } = this;
    const failure = failureOf(cause, namespace.name);
    this.failure = failure;
    for (const group of [this.flying, this.gathering]) if (group) namespace.quota?.appended(0, pendingBytes(group));
    this.flying?.reject(failure);
    this.gathering?.reject(failure);
    this.gathering = undefined;
    void namespace.withLock(() => {
      namespace.retreat();
      this.latestTerms = this.durable.terms;
      this.failure = undefined;
    });
  }
}

function pendingBytes({ pending }: Group): number {
  return pending.reduce((sum, { bytes }) => sum + bytes, 0);
}

function failureOf(cause: unknown, namespace: string): WorldsError {
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

/** The effects of a commit; the terms of its record are all that the log does not have. */
function recordOf(commit: Commit, { store, nextWorld }: Namespace, loggedTerms: number): CommitRecord {
  const { before, after, delta, revision, timeMs } = commit;
  const { table } = store.dictionary;
  const state = (after ?? before)!;
  return {
    revision,
    timeMs,
    nextWorld,
    nextContext: store.nextContext,
    world: state.graphs.world,
    kind: before ? (after ? 'changed' : 'deleted') : 'created',
    record: fieldsOf(state.record),
    defaultContext: state.graphs.defaultContext,
    ...graphChanges(before?.graphs, after?.graphs),
    inserted: rowsOfRun(delta.inserted, graphNames(delta.inserted, state)),
    deleted: rowsOfRun(delta.deleted, graphNames(delta.deleted, before)),
    firstTerm: loggedTerms + 1,
    terms: packTerms(table, loggedTerms + 1, table.size),
  };
}

function fieldsOf({ namespace, revision, ...fields }: World): RecordFields {
  return fields;
}

/** The graph of each context of a run, as one state of its world has them. */
function graphNames({ contexts }: Run, state: WorldState | undefined): (context: number) => TermId {
  if (!state || contexts.length === 0) return () => NO_TERM;
  const { defaultContext, graphs, contexts: named } = state.graphs;
  if (contexts.length === 1) {
    return (context) => (context === defaultContext ? DEFAULT_GRAPH : graphs[named.indexOf(context)]);
  }
  const names = new Map(Array.from(named, (context, i) => [context, graphs[i]]));
  return (context) => names.get(context) ?? DEFAULT_GRAPH;
}

function graphChanges(before: WorldGraphs | undefined, after: WorldGraphs | undefined) {
  const created = new Map<number, number>();
  const dropped: number[] = [];
  // The graphs of a world that is gone need no mention.
  if (after && after !== before) {
    const old = before ?? new WorldGraphs(0, 0, new Uint32Array(0), new Uint32Array(0));
    after.graphs.forEach((graph, i) => {
      if (old.contextOf(graph) !== after.contexts[i]) created.set(graph, after.contexts[i]);
    });
    old.graphs.forEach((graph, i) => {
      if (after.contextOf(graph) !== old.contexts[i]) dropped.push(graph);
    });
  }
  return {
    createdGraphs: Uint32Array.from(created.keys()),
    createdContexts: Uint32Array.from(created.values()),
    droppedGraphs: Uint32Array.from(dropped),
  };
}
