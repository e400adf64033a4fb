import { allowExit } from '#platform';
import type { ConfirmHead, NamespaceStorage, StoredRecord } from '../../contracts/storage.ts';
import { WorldsError } from '../../model/worlds-error.ts';
import type { Dictionary } from '../../quads/dictionary.ts';
import type { BackgroundFailures } from '../background-failures.ts';
import type { EngineCounters } from '../engine-counters.ts';
import type { NamespaceState } from '../namespace-state.ts';
import { type CheckpointContents, freedOf, takeContents } from './checkpoint-contents.ts';
import type { Journal } from './journal.ts';
import type { LogMark, VectorSegment } from './segments.ts';
import type { StoredVectors } from './stored-vectors.ts';

export interface CheckpointOptions {
  /**
   * Replay work in bytes (see `Checkpointer.replayWork`) above which a checkpoint is written in the
   * background.
   */
  readonly checkpointLogBytes: number;
  /** How much of the log is kept for the change feed, beyond what recovery needs. */
  readonly retainChangesMs: number;
  readonly retainChangesBytes: number;
  readonly clock: () => number;
  /** 128 random bits as 32 hexadecimal digits. */
  readonly newId: () => string;
  readonly failures: BackgroundFailures;
  readonly counters: EngineCounters;
}

type LogRetention = Pick<CheckpointOptions, 'retainChangesMs' | 'retainChangesBytes'>;

/** How long a checkpoint is claimed for; prolonged while it is being written. */
const CLAIM_MS = 30_000;

/** Retains nothing: even an empty log exceeds negative limits. */
const FORGET: LogRetention = { retainChangesMs: -1, retainChangesBytes: -1 };

/** Consecutive records of a log. */
export interface LogPart {
  readonly commits: number;
  readonly bytes: number;
}

export const NOTHING_BEHIND: LogPart = { commits: 0, bytes: 0 };

/** Replaying a commit takes as long as reading this many bytes, in addition to its size. */
const COMMIT_WORK = 2048;

/** Indexing a text takes about as long as reading this many bytes of the log. */
const TEXT_WORK = 32;

/** Contents of the newest checkpoint. */
export interface LastCheckpoint extends Pick<CheckpointContents, 'terms' | 'runs' | 'freed' | 'history'> {
  readonly position: number;
  readonly marks: readonly LogMark[];
  readonly vectors: readonly VectorSegment[];
}

export const NO_CHECKPOINT: LastCheckpoint = {
  position: 0,
  terms: [],
  marks: [{ position: 0, timeMs: 0, bytes: 0 }],
  vectors: [],
  runs: new Map(),
  freed: '',
  history: undefined,
};

export interface CheckpointerParts {
  readonly namespace: NamespaceState;
  readonly storage: NamespaceStorage;
  readonly journal: Journal;
  readonly vectors: StoredVectors;
  /** Whether other engines may write checkpoints of the namespace. */
  readonly isShared: () => boolean;
}

/** A dictionary that lacks terms, for a checkpoint that raises the generation. */
export interface OmittedTerms {
  readonly dictionary: Dictionary;
  readonly forgetChanges: boolean;
  /** Called before the state is taken. */
  readonly prepare: () => Promise<void>;
  /** Called when the state was taken, in the same step. */
  readonly taken: () => void;
  readonly confirm: ConfirmHead;
  /** Called when the checkpoint is the newest. */
  readonly written: () => Promise<void>;
}

/**
 * Writes checkpoints of one namespace, in slices and concurrently with commits. Checkpoints are
 * incremental: runs that the last checkpoint contains are reused by name, and only new terms of the
 * dictionary are written.
 */
export class Checkpointer {
  /**
   * True once a checkpoint found that the storage has dropped the namespace. Nothing more is
   * written.
   */
  isOver = false;
  /** The log after the last checkpoint. */
  private behind: LogPart;
  /** Time at which the first record of `behind` was written or read; undefined if there is none. */
  private behindSinceMs: number | undefined;
  /** Bytes of vectors that are in no checkpoint. */
  private vectorBytes = 0;
  /** Number of texts that were indexed since the last checkpoint with an index. */
  private texts = 0;
  private readonly namespace: NamespaceState;
  private readonly journal: Journal;
  private readonly storage: NamespaceStorage;
  private readonly vectors: StoredVectors;
  private readonly isShared: () => boolean;
  private readonly options: CheckpointOptions;
  private last: LastCheckpoint;
  private running: Promise<void> | undefined;
  /** After a failure, the replay work at which the background tries again. */
  private notBefore = 0;
  private isClaiming = false;
  /** Position of the newest checkpoint, if another process has written it; else 0. */
  private elsewhere = 0;

  constructor(
    parts: CheckpointerParts,
    { checkpoint, behind }: { readonly checkpoint: LastCheckpoint; readonly behind: LogPart },
    options: CheckpointOptions,
  ) {
    this.namespace = parts.namespace;
    this.journal = parts.journal;
    this.storage = parts.storage;
    this.vectors = parts.vectors;
    this.isShared = parts.isShared;
    this.last = checkpoint;
    this.behind = behind;
    this.options = options;
    if (behind.commits > 0) this.behindSinceMs = options.clock();
    // Who has written it may still run.
    if (this.storage.claimCheckpoint) this.elsewhere = checkpoint.position;
  }

  /** Work to reopen the namespace from the last checkpoint, expressed in bytes to read. */
  get replayWork(): number {
    return this.behind.bytes + this.behind.commits * COMMIT_WORK + this.vectorBytes + this.texts * TEXT_WORK;
  }

  /** Number of texts that were indexed since the last checkpoint. */
  get newTexts(): number {
    return this.texts;
  }

  /** Size of the log after the last checkpoint, in bytes. */
  get logBytes(): number {
    return this.behind.bytes;
  }

  /**
   * Time at which the first commit after the last checkpoint was written or read, in milliseconds
   * since the epoch; undefined if there is none.
   */
  get logSinceMs(): number | undefined {
    return this.behindSinceMs;
  }

  /** Records growth of the log. Starts a checkpoint in the background if one is due. */
  logGrew(commits: number, bytes: number): void {
    this.behindSinceMs ??= this.options.clock();
    this.behind = { commits: this.behind.commits + commits, bytes: this.behind.bytes + bytes };
    this.writeWhenDue();
  }

  /** Records newly computed vectors, like {@link logGrew}. */
  vectorsGrew(bytes: number): void {
    this.vectorBytes += bytes;
    this.writeWhenDue();
  }

  /** Records newly indexed texts, like {@link logGrew}. */
  textsGrew(documents: number): void {
    this.texts += documents;
    this.writeWhenDue();
  }

  private writeWhenDue(): void {
    if (this.isOver || !this.isDue || this.running || this.isClaiming) return;
    const isClaimed = this.isShared() && this.storage.claimCheckpoint !== undefined;
    const next = (isClaimed ? this.writeClaimed() : this.write()).then((isWritten) => {
      // Otherwise there was nothing to write: repeating that would never end.
      if (isWritten) this.writeWhenDue();
    });
    next.catch((cause) => {
      if (this.namespace.dropped) return;
      this.notBefore = this.replayWork + this.options.checkpointLogBytes;
      this.options.failures.failed(this.namespace.name, 'checkpoint', cause);
    });
  }

  /**
   * Who has written the newest checkpoint writes the next one, since it only adds what is new. The
   * others have to write everything: they wait for twice the work, by which time it is known to be
   * away.
   */
  private get isDue(): boolean {
    const { checkpointLogBytes } = this.options;
    const due = this.elsewhere > 0 ? 2 * checkpointLogBytes : checkpointLogBytes;
    return this.replayWork >= Math.max(due, this.notBefore);
  }

  /** Writes a checkpoint, unless another process is writing one or has just written one. */
  private async writeClaimed(): Promise<boolean> {
    this.isClaiming = true;
    try {
      const { newest, release } = await this.storage.claimCheckpoint!(CLAIM_MS);
      this.learnNewest(newest);
      if (!release) {
        this.notBefore = this.replayWork + this.options.checkpointLogBytes / 4;
        return false;
      }
      const prolong = () => this.storage.claimCheckpoint!(CLAIM_MS).catch(() => undefined); // It may end.
      const prolonging = setInterval(prolong, CLAIM_MS / 3);
      allowExit(prolonging);
      try {
        return this.isDue && (await this.write());
      } finally {
        clearInterval(prolonging);
        await release();
      }
    } finally {
      this.isClaiming = false;
    }
  }

  /** Finds out whether another process has written a checkpoint, if the storage supports claims. */
  async lookElsewhere(): Promise<void> {
    if (!this.isShared() || !this.storage.claimCheckpoint) return;
    const { newest, release } = await this.storage.claimCheckpoint(1);
    await release?.();
    this.learnNewest(newest);
  }

  /** Another process has written a checkpoint: what is in it need not be replayed. */
  private learnNewest(position: number): void {
    if (position <= Math.max(this.last.position, this.elsewhere)) return;
    this.elsewhere = position;
    const { behind } = this;
    const commits = Math.max(0, Math.min(behind.commits, this.journal.state.head.position - position));
    // The size of each commit is not known.
    const bytes = behind.commits === 0 ? 0 : Math.round((behind.bytes * commits) / behind.commits);
    this.behind = { commits, bytes };
    this.behindSinceMs = commits > 0 ? this.options.clock() : undefined;
    this.texts = 0;
    this.notBefore = 0;
  }

  /**
   * Writes a checkpoint of everything visible, unless the last one already contains it. Returns
   * false if none was needed, or if the namespace has been dropped.
   *
   * - `merged`: also if the last checkpoint contains the same data in other runs.
   * - `always`: in any case.
   * - `forgetChanges`: in any case, and truncates the log at the checkpoint.
   */
  async write({ merged = false, always = false, forgetChanges = false } = {}): Promise<boolean> {
    while (this.running) await this.running;
    const { position } = this.journal.state.head;
    // Nothing has been committed yet.
    if (position === 0) return false;
    const hasAll =
      position === this.last.position &&
      !this.vectors.isUnsaved &&
      !this.namespace.texts?.isUnsaved &&
      this.last.freed === freedOf(this.namespace.store.dictionary) &&
      !(merged && this.hasOtherRuns);
    // Vectors may be counted after the checkpoint that contains them began.
    if (hasAll) this.vectorBytes = this.texts = 0;
    if (this.isOver || (hasAll && !always && !forgetChanges)) return false;
    await this.run(() => this.writeOne(forgetChanges ? FORGET : this.options));
    return true;
  }

  /**
   * Writes a checkpoint with the terms of another dictionary, which lacks terms that other engines
   * may use, and raises the generation.
   *
   * @param contents called before the checkpoint is written; what it omits must be correct for the
   *   state of that moment
   */
  async writeCompacted(omitting: OmittedTerms): Promise<void> {
    while (this.running) await this.running;
    const writing = this.run(() => this.writeOne(omitting.forgetChanges ? FORGET : this.options, omitting));
    // Its failures concern the compaction, not those who wait to write a checkpoint.
    this.running = writing.catch(() => undefined);
    await writing;
  }

  private run(write: () => Promise<void>): Promise<void> {
    const writing = this.unlessDropped(write).finally(() => {
      this.running = undefined;
    });
    this.running = writing;
    return writing;
  }

  private async unlessDropped(write: () => Promise<void>): Promise<void> {
    const { incarnation } = this.journal.state.head;
    try {
      await write();
    } catch (cause) {
      this.isOver = await this.isDropped(incarnation);
      if (!this.isOver) throw cause;
    }
  }

  /**
   * Whether the storage has dropped an incarnation. Asks the storage, because an engine that drops
   * a namespace notifies the others only afterwards.
   */
  private async isDropped(incarnation: string): Promise<boolean> {
    try {
      return (await this.storage.head()).incarnation !== incarnation;
    } catch {
      return false; // The storage cannot tell. The original failure is reported.
    }
  }

  /**
   * Whether there is a history of which the last checkpoint knows nothing: a process that opens the
   * storage without the option would not continue it.
   */
  get lacksHistory(): boolean {
    return this.namespace.history !== undefined && this.last.history === undefined;
  }

  private get hasOtherRuns(): boolean {
    const { runs } = this.namespace.store.snapshot;
    return runs.length !== this.last.runs.size || runs.some((run) => !this.last.runs.has(run));
  }

  /** The records of the log that are kept before the last checkpoint, for change feeds. */
  keptLog(signal?: AbortSignal): AsyncIterable<StoredRecord> {
    const { head } = this.journal.state;
    return this.storage.read({ ...head, position: this.last.marks[0]?.position ?? 0 }, signal);
  }

  /**
   * Call if {@link keptLog} throws TRUNCATED: another engine may have truncated the log further
   * than this one, at a mark of its own. The next {@link keptLog} begins there.
   */
  async findLogStart(): Promise<void> {
    const { storage, last } = this;
    // In this order: if a record is appended in between, the log seems to begin earlier than it
    // does, never later.
    const head = await storage.head();
    const { logRecords } = await storage.stats();
    const [oldest] = last.marks;
    const position = head.position - logRecords;
    const isSameLog = head.incarnation === this.journal.state.head.incarnation;
    if (!oldest || !isSameLog || position <= oldest.position || this.last !== last) return;
    const marks = [{ ...oldest, position }, ...last.marks.filter((mark) => mark.position > position)];
    this.last = { ...last, marks };
  }

  /** Waits for the running checkpoint, if any. */
  async settle(): Promise<void> {
    await this.running;
  }

  private async writeOne(kept: LogRetention, omitting?: OmittedTerms): Promise<void> {
    const { namespace, storage, last } = this;
    await this.vectors.follow();
    if (!omitting) await namespace.texts?.catchUpToStore();
    await omitting?.prepare();
    // Synchronous from here up to the first write, so that the parts belong to one moment.
    const { behind } = this;
    const { head, terms } = this.journal.state;
    const mark: LogMark = { position: head.position, timeMs: this.options.clock(), bytes: behind.bytes };
    const marks = keptMarks([...last.marks, mark], kept);
    const vectors = this.vectors.contents(this.options.newId);
    const { vectorBytes, texts: newTexts } = this;
    // What the index has of deleted texts may use omitted terms: the next checkpoint has the index.
    const texts = omitting
      ? undefined
      : namespace.texts?.contents({ newId: this.options.newId, isShared: this.isShared() });
    const contents = takeContents(namespace, {
      ...{ vectors, texts },
      termCount: terms,
      timeMs: mark.timeMs,
      marks,
      last,
      dictionary: omitting?.dictionary,
      newId: this.options.newId,
    });
    omitting?.taken();
    try {
      await storage.writeCheckpoint(head, contents.segments, omitting?.confirm);
    } catch (cause) {
      texts?.failed();
      const isConflict = cause instanceof WorldsError && cause.code === 'CONFLICT';
      if (!isConflict || !this.isShared() || omitting) throw cause;
      // Another engine has written a newer checkpoint meanwhile, or has freed terms.
      this.notBefore = this.replayWork + this.options.checkpointLogBytes;
      return;
    }
    await omitting?.written();
    vectors.written();
    texts?.written();
    this.vectorBytes -= vectorBytes;
    this.texts -= newTexts;
    this.behind = { commits: this.behind.commits - behind.commits, bytes: this.behind.bytes - behind.bytes };
    this.behindSinceMs = this.behind.commits > 0 ? mark.timeMs : undefined;
    this.options.counters.checkpoints++;
    this.notBefore = 0;
    this.elsewhere = 0;
    this.last = {
      position: head.position,
      marks,
      vectors: vectors.vectors,
      terms: contents.terms,
      runs: contents.runs,
      freed: contents.freed,
      history: contents.history,
    };
    await storage.truncate({ ...head, position: marks[0].position });
    await namespace.quota?.measureDisk(() => storage.stats());
    this.options.failures.succeeded(namespace.name, 'checkpoint');
  }
}

/** Returns the marks to keep, by the age and size of the log after them. */
function keptMarks(
  marks: readonly LogMark[],
  { retainChangesMs, retainChangesBytes }: LogRetention,
): readonly LogMark[] {
  const now = marks[marks.length - 1].timeMs;
  let first = marks.length - 1;
  let bytes = 0;
  for (; first > 0; first--) {
    bytes += marks[first].bytes;
    if (bytes > retainChangesBytes || now - marks[first].timeMs > retainChangesMs) break;
  }
  return marks.slice(first);
}
