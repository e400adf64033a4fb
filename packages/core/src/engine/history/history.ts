import { KeptDelta, sumDeltas } from '../../quads/kept-delta.ts';
import { type Delta, deltaSize, mergeDeltas } from '../../quads/merge-runs.ts';
import type { Snapshot } from '../../quads/snapshot.ts';
import type { Commit } from '../commit.ts';
import { Mutex } from '../mutex.ts';
import type { WorldState } from '../world-state.ts';
import type { HistoryOptions } from './history-options.ts';

/** A commit that can be undone, to read the state before it. */
export interface KeptCommit extends Pick<Commit, 'revision' | 'timeMs' | 'before' | 'after'> {
  /** Never less than that of the commit before it, even if the clock was set back. */
  readonly timeMs: number;
  readonly delta: KeptDelta;
}

/** Memory of a kept commit in JavaScript objects, with the state of its world. Measured. */
const COMMIT_BYTES = 640;
/** Maximum number of sums of deltas that are remembered. */
const MAX_SUMS = 16;
/** Maximum number of rows in remembered sums, unless there is only one. */
const MAX_SUM_ROWS = 1 << 20;
/** Memory of a row of a remembered sum, in bytes. */
const SUM_ROW_BYTES = 36;

/** What the commits after a position did to the quads. */
interface Sum {
  /** Number of the first commit that is included. */
  readonly from: number;
  /** Number of the first commit that is not included. */
  readonly to: number;
  readonly delta: Delta;
}

/**
 * The last commits of a namespace, as far as its history is kept. The state at a revision is the
 * visible state without the commits since: each is an exact delta, so that undoing them costs what
 * they changed, not what the namespace has.
 *
 * Commits are numbered from 0 by the order in which they were kept. The state at *position* `n` is
 * the one before the commit of that number.
 */
export class History {
  /** The oldest revision whose state is known. */
  oldestRevision = 0;
  /** The state at the oldest revision is known from this time on. */
  oldestMs = Number.NEGATIVE_INFINITY;
  readonly options: HistoryOptions;
  /**
   * Held while many commits are added up. A sum in progress takes 60 bytes for each row of the
   * commits, and one that has ended shortens the next ones.
   */
  readonly adding = new Mutex();
  private readonly clock: () => number;
  /** The commit of number `n` is at `n - first`. */
  private commits: KeptCommit[] = [];
  private first = 0;
  private bytes = 0;
  /** Most recently used last. */
  private sums: Sum[] = [];
  private readonly snapshots = new WeakMap<Delta, { readonly visible: Snapshot; readonly past: Snapshot }>();

  constructor(options: HistoryOptions, clock: () => number) {
    this.options = options;
    this.clock = clock;
  }

  /** Number of kept commits. */
  get length(): number {
    return this.commits.length;
  }

  /** The kept commits, oldest first. */
  get kept(): readonly KeptCommit[] {
    return this.commits;
  }

  get nowMs(): number {
    return this.clock();
  }

  /** The position of the visible state: after all commits. */
  get end(): number {
    return this.first + this.commits.length;
  }

  get byteLength(): number {
    let rows = 0;
    for (const { delta } of this.sums) rows += deltaSize(delta);
    return this.bytes + rows * SUM_ROW_BYTES;
  }

  /** The part of {@link byteLength} on the JavaScript heap. */
  get heapByteLength(): number {
    return this.commits.length * COMMIT_BYTES;
  }

  /** Starts at a revision, unless older commits are kept. */
  begin(revision: number, sinceMs: number): void {
    if (this.commits.length > 0) return;
    this.oldestRevision = revision;
    this.oldestMs = sinceMs;
  }

  /** Adds a commit that readers see now. */
  add({ revision, timeMs, before, after, delta }: Commit): void {
    this.keep({ revision, timeMs, before, after, delta: KeptDelta.of(delta) });
  }

  /** Adds a commit, which must follow the one before it. */
  keep(commit: KeptCommit): void {
    const earliest = this.commits.at(-1)?.timeMs ?? this.oldestMs;
    this.commits.push(commit.timeMs < earliest ? { ...commit, timeMs: earliest } : commit);
    this.bytes += bytesOf(commit);
  }

  /** Removes and returns the commits that need not be kept any longer, oldest first. */
  expire(): readonly KeptCommit[] {
    const { keepMs, keepRevisions = 0 } = this.options;
    const spare = this.commits.length - keepRevisions;
    if (spare <= 0) return [];
    if (keepMs === undefined) return this.forget(spare);
    const untilMs = this.clock() - keepMs;
    let count = 0;
    while (count < spare && this.commits[count].timeMs <= untilMs) count++;
    return this.forget(count);
  }

  /** Removes and returns the oldest commits; all by default. */
  forget(count = this.commits.length): readonly KeptCommit[] {
    if (count === 0) return [];
    // `shift` moves no elements, where `splice` moves all that stay.
    const gone = count === 1 ? [this.commits.shift()!] : this.commits.splice(0, count);
    const last = gone[count - 1];
    this.first += count;
    this.oldestRevision = last.revision;
    this.oldestMs = last.timeMs;
    for (const commit of gone) this.bytes -= bytesOf(commit);
    this.sums = this.sums.filter(({ from }) => from >= this.first);
    return gone;
  }

  /** Returns the position of the state at a revision that is not older than the oldest one. */
  positionOfRevision(revision: number): number {
    return this.first + countUpTo(this.commits, (commit) => commit.revision <= revision);
  }

  /** Like {@link positionOfRevision}, for a time in milliseconds since the epoch. */
  positionOfTime(timeMs: number): number {
    return this.first + countUpTo(this.commits, (commit) => commit.timeMs <= timeMs);
  }

  /** Whether the state at a position can still be read. */
  has(position: number): boolean {
    return position >= this.first;
  }

  /** Revision of the state at a position. */
  revisionAt(position: number): number {
    return position === this.first ? this.oldestRevision : this.commits[position - this.first - 1].revision;
  }

  /** Time of the last commit before a position, in milliseconds since the epoch. */
  timeAt(position: number): number {
    return position === this.first ? this.oldestMs : this.commits[position - this.first - 1].timeMs;
  }

  /** Commits from a position on, oldest first. */
  since(position: number, to = this.end): readonly KeptCommit[] {
    return this.commits.slice(position - this.first, to - this.first);
  }

  /**
   * Returns a world as of a position: undefined if it did not exist then, null if no commit since
   * has changed it.
   */
  worldAt(position: number, slug: string): WorldState | undefined | null {
    for (let i = position - this.first; i < this.commits.length; i++) {
      const { before, after } = this.commits[i];
      if ((after ?? before)!.record.slug === slug) return before;
    }
    return null;
  }

  /** Number of the last world that had a name, if a kept commit changed it. */
  lastWorldOf(slug: string): number | undefined {
    const last = this.commits.findLast(({ before, after }) => (after ?? before)!.record.slug === slug);
    return (last?.after ?? last?.before)?.graphs.world;
  }

  /** Returns what the commits from a position on did to the quads, on the whole. A kernel. */
  *sumSince(position: number): Generator<void, Delta, void> {
    const { end } = this;
    const known = this.sumFrom(position);
    if (known?.to === end) {
      this.remember(known);
      return known.delta;
    }
    const rest = yield* sumDeltas(this.since(known?.to ?? position).map(({ delta }) => delta));
    const delta = known ? yield* mergeDeltas([known.delta, rest], () => false) : rest;
    this.remember({ from: position, to: end, delta });
    return delta;
  }

  /** Number of rows that {@link sumSince} has to add up. */
  workSince(position: number): number {
    const from = this.sumFrom(position)?.to ?? position;
    let rows = 0;
    for (let i = from - this.first; i < this.commits.length; i++) rows += 1 + this.commits[i].delta.length;
    return rows;
  }

  /**
   * Returns the quads before some commits, from the visible quads and what the commits did. The
   * same snapshot is returned for the same arguments, because it caches measurements.
   */
  snapshotBefore(sum: Delta, visible: Snapshot): Snapshot {
    if (deltaSize(sum) === 0) return visible;
    const known = this.snapshots.get(sum);
    if (known?.visible === visible) return known.past;
    const past = visible.with({ inserted: sum.deleted, deleted: sum.inserted });
    this.snapshots.set(sum, { visible, past });
    return past;
  }

  private sumFrom(position: number): Sum | undefined {
    return this.sums.find(({ from }) => from === position);
  }

  private remember(sum: Sum): void {
    if (!this.has(sum.from)) return;
    this.sums = [...this.sums.filter(({ from }) => from !== sum.from), sum].slice(-MAX_SUMS);
    let rows = 0;
    let at = this.sums.length;
    while (at > 0) {
      rows += deltaSize(this.sums[at - 1].delta);
      if (rows > MAX_SUM_ROWS && at < this.sums.length) break;
      at--;
    }
    this.sums = this.sums.slice(at);
  }
}

function bytesOf({ delta }: KeptCommit): number {
  return COMMIT_BYTES + delta.byteLength;
}

/** Returns how many commits from the start fulfil a condition that no later one fulfils. */
function countUpTo(commits: readonly KeptCommit[], fulfils: (commit: KeptCommit) => boolean): number {
  let low = 0;
  let high = commits.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (fulfils(commits[middle])) low = middle + 1;
    else high = middle;
  }
  return low;
}
