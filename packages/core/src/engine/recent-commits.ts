import { raceAbort } from '../contracts/abort-race.ts';
import { anySignal } from '../model/any-realm.ts';
import type { Commit, CommitObserver } from './commit.ts';
import { changeOf, truncated, type WorldChange } from './durable/change-feed.ts';
import { type CommitRecord, recordBytes } from './durable/commit-record.ts';
import { recordOf } from './durable/record-of-commit.ts';
import type { NamespaceState } from './namespace-state.ts';

/** Without a feed for this long, the commits are no longer kept. */
const UNFOLLOWED_MS = 3_600_000;

interface KeptRecord {
  readonly record: CommitRecord;
  readonly bytes: number;
}

/**
 * The newest commits of a namespace without storage, for its change feeds. Commits are kept from
 * the first feed on, so that namespaces that nobody follows pay nothing.
 */
export class RecentCommits implements CommitObserver {
  private readonly namespace: NamespaceState;
  private readonly maxBytes: number;
  /** Consecutive commits, oldest first. */
  private kept: KeptRecord[] = [];
  /** Bytes of {@link kept}. */
  private bytes = 0;
  /** Revision before the first kept commit. */
  private start: number;
  private feeds = 0;
  /** Time of the last commit that was made while there was a feed. */
  private followedMs: number | undefined;
  private readonly stopObserving: () => void;
  /** True once commits are no longer kept, because nobody followed them. */
  isOver = false;
  /** Resumes the feeds that wait for the next commit. */
  private waiting = new Set<() => void>();

  /** @param maxBytes upper bound of the kept commits; the newest one is kept in any case */
  constructor(namespace: NamespaceState, maxBytes: number) {
    this.namespace = namespace;
    this.maxBytes = maxBytes;
    this.start = namespace.revision;
    this.stopObserving = namespace.observe(this);
  }

  /** Memory of the kept commits, in bytes. */
  get byteLength(): number {
    return this.bytes;
  }

  visible(commit: Commit): void {
    if (this.feeds > 0) this.followedMs = commit.timeMs;
    this.followedMs ??= commit.timeMs;
    if (commit.timeMs - this.followedMs > UNFOLLOWED_MS) {
      this.isOver = true;
      this.kept = [];
      this.bytes = 0;
      this.stopObserving();
      return;
    }
    const { namespace } = this;
    const record = recordOf(commit, namespace, namespace.store.dictionary.table.size);
    const bytes = recordBytes(record);
    this.kept.push({ record, bytes });
    this.bytes += bytes;
    let dropped = 0;
    while (this.bytes > this.maxBytes && dropped < this.kept.length - 1) this.bytes -= this.kept[dropped++].bytes;
    // Moving the rest for each dropped commit would be quadratic.
    if (dropped > 0) this.kept = this.kept.slice(dropped);
    this.start = commit.revision - this.kept.length;
    this.wake();
  }

  /** Resumes the waiting feeds. Call it when the namespace was dropped. */
  wake(): void {
    const { waiting } = this;
    this.waiting = new Set();
    for (const resume of waiting) resume();
  }

  /**
   * Yields the commits after a revision, then new ones, until `closing` fires. Throws TRUNCATED if
   * the next commit is no longer kept, or the namespace was deleted; ABORTED if the signal fires.
   */
  after(
    revision: number,
    { signal, closing }: { readonly signal?: AbortSignal | undefined; readonly closing: AbortSignal },
  ): AsyncGenerator<WorldChange> {
    if (revision < this.start || revision > this.namespace.revision) throw this.truncated(revision);
    return this.follow(revision, signal, closing);
  }

  private async *follow(
    after: number,
    signal: AbortSignal | undefined,
    closing: AbortSignal,
  ): AsyncGenerator<WorldChange> {
    const { namespace } = this;
    const either = signal ? anySignal([signal, closing]) : closing;
    this.feeds++;
    try {
      for (let revision = after; ; ) {
        if (closing.aborted) return;
        if (namespace.dropped) throw truncated(namespace, namespace.revision);
        if (revision < this.start) throw this.truncated(revision);
        const next = this.kept.at(revision - this.start);
        if (revision >= namespace.revision || !next) {
          await this.more(either);
          continue;
        }
        yield changeOf(namespace, next.record);
        revision = next.record.revision;
      }
    } catch (cause) {
      if (closing.aborted && !signal?.aborted) return;
      throw cause;
    } finally {
      this.feeds--;
    }
  }

  private truncated(after: number) {
    return truncated(this.namespace, after, { oldestRevision: this.start });
  }

  private async more(signal: AbortSignal): Promise<void> {
    let resume!: () => void;
    const grown = new Promise<void>((resolve) => {
      resume = resolve;
    });
    this.waiting.add(resume);
    try {
      await raceAbort(grown, signal);
    } finally {
      this.waiting.delete(resume);
    }
  }
}
