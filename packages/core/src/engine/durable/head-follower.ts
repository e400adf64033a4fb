import { allowExit } from '#platform';
import { raceAbort } from '../../contracts/abort-race.ts';
import type { NamespaceStorage } from '../../contracts/storage.ts';
import type { Journal } from './journal.ts';

/** Time before a watch that failed is started again. */
const WATCH_AGAIN_MS = 1000;

export interface HeadFollowerEvents {
  /** Others have moved the head: follows them. Later movements are reported when it settles. */
  readonly onMoved: () => Promise<void>;
  /** The head cannot be watched, or not be followed. It is tried again. */
  readonly onFailure: (cause: unknown) => void;
}

/**
 * Follows the commits of other processes as long as a namespace is in memory, so that readers see
 * them soon and find the log short.
 */
export class HeadFollower {
  private readonly storage: NamespaceStorage;
  private readonly journal: Journal;
  private readonly events: HeadFollowerEvents;
  private readonly stopping = new AbortController();
  private isSettling = false;

  constructor(storage: NamespaceStorage, journal: Journal, events: HeadFollowerEvents) {
    this.storage = storage;
    this.journal = journal;
    this.events = events;
  }

  /** Starts to watch, if the storage can tell. */
  start(): void {
    if (!this.storage.watch) return;
    this.journal.onDoubt = () => void this.settle();
    void this.run();
  }

  stop(): void {
    this.stopping.abort();
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    // There is nothing to follow before the first commit. Watching earlier could miss a deletion
    // soon after: a storage need not report the same empty state twice.
    await this.journal.beyond(0, signal).catch(() => undefined); // It was stopped.
    while (!signal.aborted) {
      try {
        for await (const head of this.storage.watch!(signal)) {
          // The head may be that of the append under way, or of a commit of others after it.
          await this.journal.answered;
          if (signal.aborted) return;
          if (this.journal.isBehind(head)) await this.events.onMoved();
        }
      } catch (cause) {
        if (signal.aborted) return;
        this.events.onFailure(cause);
      }
      await this.pause();
    }
  }

  /**
   * Follows after an append of unknown outcome. If it was made, its head may be one that the watch
   * has reported during the append, and does not report again. If it was to be the first commit,
   * nothing is watched yet.
   */
  private async settle(): Promise<void> {
    if (this.isSettling) return;
    this.isSettling = true;
    const { signal } = this.stopping;
    do {
      // A writer that repeats its write follows by itself.
      await this.pause();
      if (signal.aborted || this.isSettled) break;
      await this.events.onMoved().catch((cause: unknown) => {
        if (!signal.aborted) this.events.onFailure(cause);
      });
    } while (!signal.aborted && !this.isSettled);
    this.isSettling = false;
  }

  private get isSettled(): boolean {
    return !this.journal.isInDoubt && this.journal.hasCommits;
  }

  private async pause(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, WATCH_AGAIN_MS);
      // Does not keep the process running.
      allowExit(timer);
    });
    await raceAbort(over, this.stopping.signal).catch(() => undefined); // It was stopped.
    clearTimeout(timer);
  }
}
