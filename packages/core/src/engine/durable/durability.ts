import type { NamespaceStorage } from '../../contracts/storage.ts';
import type { NamespaceState } from '../namespace-state.ts';
import { Checkpointer, type CheckpointOptions } from './checkpointer.ts';
import { Journal, type JournalEvents } from './journal.ts';
import type { Recovered } from './recover.ts';
import { Reservations } from './reservations.ts';
import type { StoragePlace } from './storage-place.ts';
import { StoredVectors } from './stored-vectors.ts';

/** Below this much replay work, in bytes, a namespace is evicted without a checkpoint. */
const SMALL_LOG = 1 << 17;
/** Below this many newly indexed texts, a namespace is evicted without a checkpoint. */
const FEW_TEXTS = 16_384;

export interface DurabilityOptions {
  readonly namespace: NamespaceState;
  readonly storage: NamespaceStorage;
  /** What recovery found in the storage. */
  readonly recovered: Recovered;
  readonly place: StoragePlace;
  readonly isReadOnly: boolean;
  readonly checkpoints: CheckpointOptions;
  readonly events: Omit<JournalEvents, 'newId' | 'onDurable'>;
}

/** Keeps one namespace in a storage: its log, its checkpoints and its vectors. */
export class Durability {
  readonly journal: Journal;
  readonly checkpointer: Checkpointer;
  readonly vectors: StoredVectors;
  readonly reservations: Reservations;
  /** Shared by all engines of the process that have the storage open. */
  readonly place: StoragePlace;
  private readonly name: string;
  private readonly options: DurabilityOptions;

  constructor(options: DurabilityOptions) {
    const { namespace, storage, recovered, place, isReadOnly, checkpoints, events } = options;
    const { durable, checkpoint, behind } = recovered;
    this.name = namespace.name;
    this.options = options;
    this.place = place;
    this.journal = new Journal(namespace, storage, durable, {
      ...events,
      newId: checkpoints.newId,
      onDurable: (commits, bytes) => isReadOnly || this.checkpointer.logGrew(commits, bytes),
    });
    this.vectors = new StoredVectors(namespace.name, storage, checkpoint.vectors, (bytes) =>
      isReadOnly ? undefined : this.checkpointer.vectorsGrew(bytes),
    );
    this.reservations = new Reservations(storage, this.journal, (cause) =>
      checkpoints.failures.failed(namespace.name, 'following', cause),
    );
    const { journal, vectors } = this;
    this.checkpointer = new Checkpointer(
      { namespace, storage, journal, vectors, isShared: events.isShared },
      { checkpoint, behind },
      checkpoints,
    );
  }

  /** Records that documents were indexed; see {@link Checkpointer.textsGrew}. */
  textsGrew(documents: number): void {
    if (!this.options.isReadOnly) this.checkpointer.textsGrew(documents);
  }

  /** Whether others may write to the namespace: other processes, or other engines of this one. */
  get isShared(): boolean {
    return this.options.events.isShared();
  }

  get isReadOnly(): boolean {
    return this.options.isReadOnly;
  }

  /** Drops the namespace from memory: the next call reads it from storage. */
  reload(): void {
    this.options.events.onStale();
  }

  /** Waits for pending appends and checkpoints. Throws what failed. */
  async settle(): Promise<void> {
    await this.reservations.settle();
    await this.journal.settle();
    await this.checkpointer.settle();
  }

  /**
   * Waits for pending appends and writes a checkpoint if replaying the log would take long. The
   * namespace may be evicted afterwards. Failures are reported as background failures.
   */
  async finish(): Promise<void> {
    const { isReadOnly, checkpoints } = this.options;
    if (isReadOnly) return;
    const { journal, checkpointer, vectors, name, reservations } = this;
    await reservations.settle();
    try {
      await journal.settle();
    } catch {
      return; // The writers of these commits have received the error.
    }
    try {
      if (checkpointer.replayWork >= SMALL_LOG) await checkpointer.lookElsewhere();
      const isDue = checkpointer.replayWork >= SMALL_LOG || checkpointer.newTexts >= FEW_TEXTS;
      const { lacksHistory } = checkpointer;
      if (isDue || lacksHistory || vectors.isUnsaved) await checkpointer.write({ always: lacksHistory });
      await checkpointer.settle();
      checkpoints.failures.succeeded(name, 'checkpoint');
    } catch (cause) {
      checkpoints.failures.failed(name, 'checkpoint', cause);
    }
  }
}
