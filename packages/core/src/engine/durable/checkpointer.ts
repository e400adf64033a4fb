import { WorldsError } from '../../model/worlds-error.ts';
import type { NamespaceStorage, StoredRecord } from '../../storage/storage.ts';
import type { BackgroundFailures } from '../background-failures.ts';
import type { EngineCounters } from '../engine-counters.ts';
import type { NamespaceState } from '../namespace-state.ts';
import { type CheckpointContents, freedOf, takeContents } from './checkpoint-contents.ts';
import type { Journal } from './journal.ts';
import type { LogMark, VectorSegment } from './segments.ts';
import type { StoragePlace } from './storage-place.ts';
import type { StoredVectors } from './stored-vectors.ts';

export interface CheckpointOptions {
  /**
   * A checkpoint is made in the background when reading the log behind the last one is more work
   * than reading so many bytes.
   */
  readonly checkpointLogBytes: number;
  /** How far the log reaches back for the change feed, beyond what recovery needs. */
  readonly retainChangesMs: number;
  readonly retainChangesBytes: number;
  readonly clock: () => number;
  /** 128 random bits as 32 hexadecimal digits. */
  readonly newId: () => string;
  readonly failures: BackgroundFailures;
  readonly counters: EngineCounters;
}

type LogRetention = Pick<CheckpointOptions, 'retainChangesMs' | 'retainChangesBytes'>;

/** Even nothing is too much. */
const FORGET: LogRetention = { retainChangesMs: -1, retainChangesBytes: -1 };

/** Some neighbouring records of a log. */
export interface LogPart {
  readonly commits: number;
  readonly bytes: number;
}

export const NOTHING_BEHIND: LogPart = { commits: 0, bytes: 0 };

/** To do a commit again takes as long as to read so many bytes, whatever it did. */
const COMMIT_WORK = 2048;

/** What the newest checkpoint has. */
export interface LastCheckpoint extends Pick<CheckpointContents, 'terms' | 'runs' | 'freed'> {
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
};

export interface CheckpointerParts {
  readonly namespace: NamespaceState;
  readonly storage: NamespaceStorage;
  readonly journal: Journal;
  readonly vectors: StoredVectors;
  readonly place: StoragePlace;
}

/**
 * Writes checkpoints of one namespace, in slices while commits go on: a run that the last
 * checkpoint has keeps its name and is not written again, and of the dictionary only what is new
 * is.
 */
export class Checkpointer {
  /**
   * True once a checkpoint found that the storage has dropped the namespace: nothing more is
   * written.
   */
  isOver = false;
  /** The log behind the last checkpoint. */
  private behind: LogPart;
  /** When the first of it came, or was read; undefined when there is none. */
  private behindSinceMs: number | undefined;
  /** Vectors that no checkpoint has. */
  private vectorBytes = 0;
  private readonly namespace: NamespaceState;
  private readonly journal: Journal;
  private readonly storage: NamespaceStorage;
  private readonly vectors: StoredVectors;
  private readonly place: StoragePlace;
  private readonly options: CheckpointOptions;
  private last: LastCheckpoint;
  private running: Promise<void> | undefined;
  /** After a failure the background waits until there is so much work to save. */
  private notBefore = 0;

  constructor(
    parts: CheckpointerParts,
    { checkpoint, behind }: { readonly checkpoint: LastCheckpoint; readonly behind: LogPart },
    options: CheckpointOptions,
  ) {
    this.namespace = parts.namespace;
    this.journal = parts.journal;
    this.storage = parts.storage;
    this.vectors = parts.vectors;
    this.place = parts.place;
    this.last = checkpoint;
    this.behind = behind;
    this.options = options;
    if (behind.commits > 0) this.behindSinceMs = options.clock();
  }

  /**
   * What opening the namespace again would have to do behind the last checkpoint, as a number of
   * bytes to read.
   */
  get replayWork(): number {
    return this.behind.bytes + this.behind.commits * COMMIT_WORK + this.vectorBytes;
  }

  /** Bytes of the log behind the last checkpoint. */
  get logBytes(): number {
    return this.behind.bytes;
  }

  /**
   * When the first commit of it came, or was read, in milliseconds since the epoch; undefined when
   * there is none.
   */
  get logSinceMs(): number | undefined {
    return this.behindSinceMs;
  }

  /** Told how much came into the log; begins a checkpoint in the background when that is due. */
  logGrew(commits: number, bytes: number): void {
    this.behindSinceMs ??= this.options.clock();
    this.behind = { commits: this.behind.commits + commits, bytes: this.behind.bytes + bytes };
    this.writeWhenDue();
  }

  /** Told how much there is of vectors that were made; as {@link logGrew}. */
  vectorsGrew(bytes: number): void {
    this.vectorBytes += bytes;
    this.writeWhenDue();
  }

  private writeWhenDue(): void {
    if (this.isOver || this.replayWork < Math.max(this.options.checkpointLogBytes, this.notBefore) || this.running)
      return;
    const next = this.write().then(() => this.writeWhenDue());
    next.catch((cause) => {
      if (this.namespace.dropped) return;
      this.notBefore = this.replayWork + this.options.checkpointLogBytes;
      this.options.failures.failed(this.namespace.name, 'checkpoint', cause);
    });
  }

  /**
   * Makes a checkpoint that has everything that is visible now, unless the last one has it;
   * `merged`: also when that one has it in other runs; `always`: in any case; `forgetChanges`: in
   * any case, and the log begins at it. Ends without one if the namespace is dropped meanwhile.
   */
  async write({ merged = false, always = false, forgetChanges = false } = {}): Promise<void> {
    while (this.running) await this.running;
    const { position } = this.journal.state.head;
    // Nothing was ever written, and nothing is to be.
    if (position === 0) return;
    const hasAll =
      position === this.last.position &&
      !this.vectors.isUnsaved &&
      this.last.freed === freedOf(this.namespace) &&
      !(merged && this.hasOtherRuns);
    if (this.isOver || (hasAll && !always && !forgetChanges)) return;
    this.running = this.writeUnlessDropped(forgetChanges ? FORGET : this.options).finally(() => {
      this.running = undefined;
    });
    await this.running;
  }

  private async writeUnlessDropped(kept: LogRetention): Promise<void> {
    const { incarnation } = this.journal.state.head;
    try {
      await this.writeOne(kept);
    } catch (cause) {
      this.isOver = await this.isDropped(incarnation);
      if (!this.isOver) throw cause;
    }
  }

  /**
   * Whether the storage has dropped an incarnation. The storage is asked, because the engine that
   * drops it tells the others afterwards.
   */
  private async isDropped(incarnation: string): Promise<boolean> {
    try {
      return (await this.storage.head()).incarnation !== incarnation;
    } catch {
      return false; // The storage cannot tell; the failure that led here is reported.
    }
  }

  private get hasOtherRuns(): boolean {
    const { runs } = this.namespace.store.snapshot;
    return runs.length !== this.last.runs.size || runs.some((run) => !this.last.runs.has(run));
  }

  /**
   * The records that the log is kept for beyond the last checkpoint: whoever follows the changes
   * may still ask for them.
   */
  keptLog(signal?: AbortSignal): AsyncIterable<StoredRecord> {
    const { head } = this.journal.state;
    return this.storage.read({ ...head, position: this.last.marks[0]?.position ?? 0 }, signal);
  }

  /** Waits for a checkpoint that is being written. */
  async settle(): Promise<void> {
    await this.running;
  }

  private async writeOne(kept: LogRetention): Promise<void> {
    const { namespace, storage, last } = this;
    await this.vectors.follow();
    // From here on in one step, up to the first write.
    const { behind } = this;
    const { head, terms } = this.journal.state;
    const mark: LogMark = { position: head.position, timeMs: this.options.clock(), bytes: behind.bytes };
    const marks = keptMarks([...last.marks, mark], kept);
    const vectors = this.vectors.contents(this.options.newId);
    const { vectorBytes } = this;
    const contents = takeContents(namespace, {
      vectors,
      termCount: terms,
      timeMs: mark.timeMs,
      marks,
      last,
      newId: this.options.newId,
    });
    try {
      await storage.writeCheckpoint(head, contents.segments);
    } catch (cause) {
      const isConflict = cause instanceof WorldsError && cause.code === 'CONFLICT';
      if (!isConflict || !this.place.isShared) throw cause;
      // Another engine has made a newer one meanwhile.
      this.notBefore = this.replayWork + this.options.checkpointLogBytes;
      return;
    }
    vectors.written();
    this.vectorBytes -= vectorBytes;
    this.behind = { commits: this.behind.commits - behind.commits, bytes: this.behind.bytes - behind.bytes };
    this.behindSinceMs = this.behind.commits > 0 ? mark.timeMs : undefined;
    this.options.counters.checkpoints++;
    this.notBefore = 0;
    this.last = {
      position: head.position,
      marks,
      vectors: vectors.vectors,
      terms: contents.terms,
      runs: contents.runs,
      freed: contents.freed,
    };
    await storage.truncate({ ...head, position: marks[0].position });
    await namespace.quota?.measureDisk(() => storage.stats());
    this.options.failures.succeeded(namespace.name, 'checkpoint');
  }
}

/** The marks from which on the log is kept, by the age and the size of what is behind them. */
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
