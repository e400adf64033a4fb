import { raceAbort } from '../../contracts/abort-race.ts';
import { anySignal } from '../../model/any-realm.ts';
import { WorldsError } from '../../model/worlds-error.ts';
import type { TermAmount } from '../../quads/dictionary-compaction.ts';
import type { BackgroundFailures } from '../background-failures.ts';
import type { Commit, CommitObserver } from '../commit.ts';
import type { NamespaceState } from '../namespace-state.ts';
import { compactNamespace } from './compact-namespace.ts';
import type { CompactionWork } from './compaction-work.ts';
import type { Durability } from './durability.ts';

/** Minimum number of deleted quads before compaction is considered. */
const MIN_GONE = 16_384;

export interface CompactorOptions {
  /** Undefined without storage. */
  readonly durability: () => Durability | undefined;
  readonly failures: BackgroundFailures;
}

/**
 * Decides when a namespace is compacted: on request, and automatically in the background.
 *
 * Automatic compaction is considered when the quads deleted since the last attempt number at least
 * half of the terms and half of the quads. It proceeds if the dead terms take more than half of the
 * memory of all terms. The cost of an attempt is thus a small multiple of the cost of the
 * deletions, and dead data stays proportional to live data.
 */
export class Compactor implements CommitObserver {
  private readonly namespace: NamespaceState;
  private readonly failures: BackgroundFailures;
  private readonly durability: CompactorOptions['durability'];
  private readonly closing = new AbortController();
  private running: Promise<TermAmount> | undefined;
  private automatic = false;
  /** Number of quads deleted since the last attempt. */
  private gone = 0;

  constructor(namespace: NamespaceState, { durability, failures }: CompactorOptions) {
    this.namespace = namespace;
    this.durability = durability;
    this.failures = failures;
  }

  /** Enables automatic compaction. */
  start(): void {
    this.automatic = true;
    this.runWhenDue();
  }

  visible(_: Commit, deletedQuads: number): void {
    if (deletedQuads === 0) return;
    this.gone += deletedQuads;
    if (this.gone >= MIN_GONE) this.runWhenDue();
  }

  /**
   * Compacts now. Throws like `compactNamespace`, and ABORTED if the signal fires.
   */
  async compact({ signal, ...forget }: Omit<CompactionWork, 'isWorthwhile'>): Promise<TermAmount> {
    while (this.running)
      await raceAbort(
        this.running.catch(() => undefined),
        signal,
      );
    const either = signal ? anySignal([signal, this.closing.signal]) : this.closing.signal;
    return this.run({ ...forget, isWorthwhile: () => true, signal: either });
  }

  /** Aborts the running compaction; its callers receive `reason`. */
  stop(reason = new WorldsError('ABORTED', 'The namespace is no longer in memory.')): void {
    this.automatic = false;
    this.closing.abort(reason);
  }

  /** Waits until no compaction is running. Does not throw if it failed. */
  async settle(): Promise<void> {
    await this.running?.catch(() => undefined);
  }

  private run(work: CompactionWork): Promise<TermAmount> {
    this.gone = 0;
    const { namespace } = this;
    const durability = this.durability();
    const compact = () => namespace.use(() => compactNamespace(namespace, durability, work));
    // If this is the only engine on the storage, no other may open it during the compaction: it
    // could use terms that are freed here.
    const isAlone = durability && !durability.isShared;
    this.running = (isAlone ? durability.place.alone(compact) : compact())
      .then((freed) => {
        this.failures.succeeded(namespace.name, 'compaction');
        return freed;
      })
      .finally(() => {
        this.running = undefined;
        this.runWhenDue();
      });
    return this.running;
  }

  private runWhenDue(): void {
    if (!this.automatic || this.running || this.gone < MIN_GONE) return;
    const durability = this.durability();
    const { dictionary, snapshot } = this.namespace.store;
    if (this.gone * 2 < Math.max(dictionary.table.living, snapshot.rows)) return;
    if (durability?.isReadOnly) {
      // The process that writes compacts as well: its checkpoint lacks what is dead.
      this.gone = 0;
      durability.reload();
      return;
    }
    const isWorthwhile: CompactionWork['isWorthwhile'] = (dead, all) => dead.bytes * 2 > all.bytes;
    this.run({ isWorthwhile, signal: this.closing.signal }).catch((cause) => {
      if (this.closing.signal.aborted || this.namespace.dropped) return;
      // Others write at the moment. It is tried again after further deletions.
      if (durability?.isShared && cause instanceof WorldsError && cause.code === 'CONFLICT') return;
      this.failures.failed(this.namespace.name, 'compaction', cause);
    });
  }
}
