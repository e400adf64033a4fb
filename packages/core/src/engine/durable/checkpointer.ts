import { FIXED_TERMS } from '../../quads/dictionary.ts';
import { packTerms } from '../../quads/packed-terms.ts';
import type { Run } from '../../quads/run.ts';
import { Slicer } from '../../storage/slicer.ts';
import type { NamespaceStorage, Segment } from '../../storage/storage.ts';
import type { Namespace } from '../namespace.ts';
import type { Journal } from './journal.ts';
import {
  type CheckpointState,
  encodeRun,
  encodeState,
  encodeTerms,
  type LogMark,
  type TermSegment,
} from './segments.ts';

export interface CheckpointOptions {
  /** A checkpoint is made in the background when reading the log behind the last one is more work than reading so many bytes. */
  readonly checkpointLogBytes: number;
  /** How far the log reaches back for the change feed, beyond what recovery needs. */
  readonly retainChangesMs: number;
  readonly retainChangesBytes: number;
  readonly clock: () => number;
  /** 128 random bits as 32 hexadecimal digits. */
  readonly newId: () => string;
}

/** Some neighbouring records of a log. */
export interface LogPart {
  readonly commits: number;
  readonly bytes: number;
}

export const NOTHING_BEHIND: LogPart = { commits: 0, bytes: 0 };

/** To do a commit again takes as long as to read so many bytes, whatever it did. */
const COMMIT_WORK = 2048;

/** What the newest checkpoint has. */
export interface LastCheckpoint {
  readonly position: number;
  readonly terms: readonly TermSegment[];
  readonly marks: readonly LogMark[];
  /** The names of run segments. */
  readonly runs: ReadonlyMap<Run, string>;
}

export const NO_CHECKPOINT: LastCheckpoint = {
  position: 0,
  terms: [],
  marks: [{ position: 0, timeMs: 0, bytes: 0 }],
  runs: new Map(),
};

/** A term segment that is not so many times larger than what is new behind it is written together with that: so there are O(log n) of them. */
const GROWTH = 2;

/**
 * Writes checkpoints of one namespace. Everything in memory that a checkpoint needs is immutable, so it is taken in one synchronous step, and written in
 * slices while commits go on: a run that the last checkpoint has keeps its name and is not written again, and of the dictionary only what is new is.
 */
export class Checkpointer {
  /** The log behind the last checkpoint. */
  private behind: LogPart;
  private readonly namespace: Namespace;
  private readonly journal: Journal;
  private readonly storage: NamespaceStorage;
  private readonly options: CheckpointOptions;
  private readonly reportFailure: (cause: unknown) => void;
  private last: LastCheckpoint;
  private running: Promise<void> | undefined;
  /** After a failure the background waits until there is so much work to save. */
  private notBefore = 0;

  constructor(
    parts: { namespace: Namespace; journal: Journal; storage: NamespaceStorage },
    { checkpoint, behind }: { readonly checkpoint: LastCheckpoint; readonly behind: LogPart },
    options: CheckpointOptions,
    reportFailure: (cause: unknown) => void,
  ) {
    this.namespace = parts.namespace;
    this.journal = parts.journal;
    this.storage = parts.storage;
    this.last = checkpoint;
    this.behind = behind;
    this.options = options;
    this.reportFailure = reportFailure;
  }

  /** What opening the namespace again would have to do behind the last checkpoint, as a number of bytes to read. */
  get replayWork(): number {
    return this.behind.bytes + this.behind.commits * COMMIT_WORK;
  }

  /** Told how much came into the log; begins a checkpoint in the background when that is due. */
  logGrew(commits: number, bytes: number): void {
    this.behind = { commits: this.behind.commits + commits, bytes: this.behind.bytes + bytes };
    if (this.replayWork < Math.max(this.options.checkpointLogBytes, this.notBefore) || this.running) return;
    this.write().catch((cause) => {
      if (this.namespace.dropped) return;
      this.notBefore = this.replayWork + this.options.checkpointLogBytes;
      this.reportFailure(cause);
    });
  }

  /** Makes a checkpoint that has everything that is visible now. */
  async write(): Promise<void> {
    while (this.running) await this.running;
    const { position } = this.journal.state.head;
    if (position === this.last.position) return;
    this.running = this.writeOne().finally(() => {
      this.running = undefined;
    });
    await this.running;
  }

  /** Waits for a checkpoint that is being written. */
  async settle(): Promise<void> {
    await this.running;
  }

  private async writeOne(): Promise<void> {
    const { namespace, storage, last, behind } = this;
    const { head, terms } = this.journal.state;
    const { deltas } = namespace.store.snapshot;
    const runs = new Map<Run, string>();
    for (const run of deltas.flatMap(({ inserted, deleted }) => [inserted, deleted])) {
      if (run.length > 0) runs.set(run, last.runs.get(run) ?? `run-${this.options.newId()}`);
    }
    const mark: LogMark = { position: head.position, timeMs: this.options.clock(), bytes: behind.bytes };
    const state: CheckpointState = {
      revision: namespace.revision,
      timeMs: mark.timeMs,
      nextWorld: namespace.nextWorld,
      nextContext: namespace.store.nextContext,
      terms: termSegments(last.terms, terms),
      deltas: deltas.map(({ inserted, deleted }) => ({
        inserted: runs.get(inserted) ?? null,
        deleted: runs.get(deleted) ?? null,
      })),
      marks: keptMarks([...last.marks, mark], this.options),
      worlds: [...namespace.worlds.values()],
    };
    const slicer = new Slicer();
    const segment = (name: string, encode: () => Generator<void, Uint8Array[], void>): Segment => ({
      name,
      write: async function* () {
        const chunks = await slicer.run(encode());
        for (const chunk of chunks) {
          yield chunk;
          if (slicer.due) await slicer.pause();
        }
      },
    });
    const { table } = namespace.store.dictionary;
    const segments = [
      segment(`state-${this.options.newId()}`, () => encodeState(state)),
      ...state.terms.map(({ name, first, last }) => segment(name, () => encodeTerms(packTerms(table, first, last)))),
      ...Array.from(runs, ([run, name]) => segment(name, () => encodeRun(run))),
    ];
    await storage.writeCheckpoint(head, segments);
    this.behind = { commits: this.behind.commits - behind.commits, bytes: this.behind.bytes - behind.bytes };
    this.notBefore = 0;
    this.last = { position: head.position, terms: state.terms, marks: state.marks, runs };
    const [oldest] = state.marks;
    await storage.truncate({ ...head, position: oldest.position });
  }
}

/** The segments for the terms up to `size`: those that are there, and one for what is new, which takes small ones before it along. */
function termSegments(known: readonly TermSegment[], size: number): readonly TermSegment[] {
  const kept = [...known];
  let first = (kept.at(-1)?.last ?? FIXED_TERMS) + 1;
  if (first > size) return known;
  for (let newest = kept.at(-1); newest && newest.last - newest.first < GROWTH * (size - first); newest = kept.at(-1)) {
    first = newest.first;
    kept.pop();
  }
  return [...kept, { name: `terms-${first}-${size}`, first, last: size }];
}

/** The marks from which on the log is kept, by the age and the size of what is behind them. */
function keptMarks(
  marks: readonly LogMark[],
  { retainChangesMs, retainChangesBytes }: CheckpointOptions,
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
