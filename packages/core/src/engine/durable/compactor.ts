import { anySignal } from '../../model/any-realm.ts';
import { WorldsError } from '../../model/worlds-error.ts';
import type { TermAmount } from '../../quads/dictionary-compaction.ts';
import { raceAbort } from '../../storage/abort-race.ts';
import type { BackgroundFailures } from '../background-failures.ts';
import type { Commit, CommitObserver } from '../commit.ts';
import type { NamespaceState } from '../namespace-state.ts';
import { type CompactionWork, compactNamespace } from './compact-namespace.ts';
import type { Durability } from './durability.ts';

/** Fewer deleted quads are not worth a look. */
const MIN_GONE = 16_384;

export interface CompactorOptions {
  /** Undefined without storage. */
  readonly durability: () => Durability | undefined;
  readonly failures: BackgroundFailures;
}

/**
 * Decides when a namespace is compacted: when it is asked for, and in the background when as many
 * quads were deleted since it last looked as half of what there is - of the terms, and of the quads
 * -, and the dead terms turn out to be more than half of all. So a look costs no more than a few
 * times what the deletions cost, and what is dead stays in proportion to what lives.
 */
export class Compactor implements CommitObserver {
  private readonly namespace: NamespaceState;
  private readonly failures: BackgroundFailures;
  private readonly durability: CompactorOptions['durability'];
  private readonly closing = new AbortController();
  private running: Promise<TermAmount> | undefined;
  private automatic = false;
  /** Quads that were deleted since the last look. */
  private gone = 0;

  constructor(namespace: NamespaceState, { durability, failures }: CompactorOptions) {
    this.namespace = namespace;
    this.durability = durability;
    this.failures = failures;
  }

  /** From now on it also runs by itself. */
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
   * Compacts now, in the background of everything else; throws as `compactNamespace`, CONFLICT when
   * another engine of the process has the storage open, and ABORTED by the signal.
   */
  async compact({ signal, forgetChanges }: Pick<CompactionWork, 'signal' | 'forgetChanges'>): Promise<TermAmount> {
    while (this.running)
      await raceAbort(
        this.running.catch(() => undefined),
        signal,
      );
    const either = signal ? anySignal([signal, this.closing.signal]) : this.closing.signal;
    return this.run({ isWorthwhile: () => true, forgetChanges, signal: either });
  }

  /** Ends what runs; callers who wait for it get the reason. */
  stop(reason = new WorldsError('ABORTED', 'The namespace is no longer in memory.')): void {
    this.automatic = false;
    this.closing.abort(reason);
  }

  /** Waits until nothing runs, or what runs has failed. */
  async settle(): Promise<void> {
    await this.running?.catch(() => undefined);
  }

  private run(work: CompactionWork): Promise<TermAmount> {
    this.gone = 0;
    const { namespace } = this;
    const durability = this.durability();
    const compact = () => namespace.use(() => compactNamespace(namespace, durability, work));
    // Another engine would go on to mention what it does not know to be freed.
    this.running = (durability ? durability.place.alone(compact) : compact())
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
    if (!this.automatic || this.running || this.gone < MIN_GONE || this.durability()?.place.isShared) return;
    const { dictionary, snapshot } = this.namespace.store;
    if (this.gone * 2 < Math.max(dictionary.table.living, snapshot.rows)) return;
    const isWorthwhile: CompactionWork['isWorthwhile'] = (dead, all) => dead.bytes * 2 > all.bytes;
    this.run({ isWorthwhile, signal: this.closing.signal }).catch((cause) => {
      if (this.closing.signal.aborted || this.namespace.dropped) return;
      this.failures.failed(this.namespace.name, 'compaction', cause);
    });
  }
}
