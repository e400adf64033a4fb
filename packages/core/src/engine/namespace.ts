import { allowExit } from '#platform';
import { Slicer } from '../contracts/slicer.ts';
import type { BackgroundFailures } from './background-failures.ts';
import { Compactor } from './durable/compactor.ts';
import type { Durability } from './durable/durability.ts';
import { ImmediateLog } from './immediate-log.ts';
import { NamespaceState, type NamespaceStateOptions } from './namespace-state.ts';
import { RecentCommits } from './recent-commits.ts';
import { SearchFeed, type SearchPlugins } from './search-feed.ts';

export interface NamespaceOptions extends NamespaceStateOptions {
  readonly plugins: SearchPlugins;
  readonly failures: BackgroundFailures;
}

/** A process that only opens, answers and ends need not hash the terms at all. */
const HASHING_DELAY_MS = 1000;

/**
 * A namespace together with what observes its commits: compaction, search and, with storage,
 * durability.
 */
export class Namespace extends NamespaceState {
  /** Frees terms and quads that are no longer referenced. */
  readonly compactor: Compactor;
  readonly search: SearchFeed;
  private opened: Durability | undefined;
  private recent: RecentCommits | undefined;

  constructor({ plugins, ...options }: NamespaceOptions) {
    super(options);
    const { failures } = options;
    const durability = () => this.opened;
    this.compactor = new Compactor(this, { durability, failures });
    this.search = new SearchFeed(this, {
      ...{ plugins, failures },
      keptVectors: () => durability()?.vectors,
      isOpen: () => this.opened !== undefined,
      onIndexed: (documents) => durability()?.textsGrew(documents),
    });
    this.observe(this.compactor);
    this.observe(this.search);
  }

  /** Log, checkpoints and vectors of the namespace; undefined without storage. */
  get durability(): Durability | undefined {
    return this.opened;
  }

  /** Opens the namespace for writers. Without `durability`, commits are kept in memory only. */
  open(durability: Durability | undefined): void {
    this.opened = durability;
    this.openLog(durability?.journal ?? new ImmediateLog(this));
    this.hashTermsSoon();
  }

  /**
   * The newest commits, for change feeds of a namespace without storage. Kept from the first call
   * on.
   *
   * @param maxBytes upper bound of the kept commits
   */
  recentCommits(maxBytes: number): RecentCommits {
    if (!this.recent || this.recent.isOver) this.recent = new RecentCommits(this, maxBytes);
    return this.recent;
  }

  /** Hashes the terms that were read from storage, after the first answers. */
  private hashTermsSoon(): void {
    const { table } = this.store.dictionary;
    if (!table.isUnhashed) return;
    const hash = () => (this.dropped ? undefined : this.use(() => new Slicer().run(table.hashStored())));
    allowExit(setTimeout(hash, HASHING_DELAY_MS));
  }

  /**
   * Closes the namespace: it was evicted or deleted, or must be reloaded. Stops all background work
   * and change feeds. Readers may finish with the snapshots that they have captured.
   */
  async close(): Promise<void> {
    this.dropped = true;
    this.opened?.journal.wake();
    this.recent?.wake();
    this.compactor.stop(this.closedBy);
    this.search.close(this.closedBy);
    await this.store.close();
  }

  override get texts(): SearchFeed {
    return this.search;
  }

  override get isIdle(): boolean {
    return super.isIdle && !this.search.isBusy;
  }

  override get byteLength(): number {
    const kept = (this.opened?.vectors.byteLength ?? 0) + (this.recent?.byteLength ?? 0);
    return super.byteLength + this.search.byteLength + kept;
  }

  override get heapByteLength(): number {
    return super.heapByteLength + this.search.heapByteLength;
  }
}
