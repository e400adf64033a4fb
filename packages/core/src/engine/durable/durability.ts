import type { NamespaceStorage } from '../../storage/storage.ts';
import type { NamespaceState } from '../namespace-state.ts';
import { Checkpointer, type CheckpointOptions } from './checkpointer.ts';
import { Journal, type JournalEvents } from './journal.ts';
import type { Recovered } from './recover.ts';
import type { StoragePlace } from './storage-place.ts';
import { StoredVectors } from './stored-vectors.ts';

/** A log that is faster to read than this needs no checkpoint when its namespace leaves memory, in bytes. */
const SMALL_LOG = 1 << 17;

export interface DurabilityOptions {
  readonly namespace: NamespaceState;
  readonly storage: NamespaceStorage;
  /** What was found in the storage. */
  readonly recovered: Recovered;
  readonly place: StoragePlace;
  readonly isReadOnly: boolean;
  readonly checkpoints: CheckpointOptions;
  readonly events: Omit<JournalEvents, 'newId' | 'onDurable'>;
}

/** Everything that keeps one namespace in a storage: its log, its checkpoints and its vectors. */
export class Durability {
  readonly journal: Journal;
  readonly checkpointer: Checkpointer;
  readonly vectors: StoredVectors;
  /** Where the engines meet that have the storage open. */
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
      onDurable: (commits, bytes) => this.checkpointer.logGrew(commits, bytes),
    });
    this.vectors = new StoredVectors(namespace.name, storage, checkpoint.vectors, (bytes) =>
      isReadOnly ? undefined : this.checkpointer.vectorsGrew(bytes),
    );
    const { journal, vectors } = this;
    this.checkpointer = new Checkpointer(
      { namespace, storage, journal, vectors, place },
      { checkpoint, behind },
      checkpoints,
    );
  }

  /** Waits until nothing is under way. Throws what failed. */
  async settle(): Promise<void> {
    await this.journal.settle();
    await this.checkpointer.settle();
  }

  /**
   * Makes everything durable, with a checkpoint if reading the log would take long: then the namespace may leave memory.
   * Failures were told to the writers, or are reported as background failures.
   */
  async finish(): Promise<void> {
    const { isReadOnly, checkpoints } = this.options;
    if (isReadOnly) return;
    const { journal, checkpointer, vectors, name } = this;
    try {
      await journal.settle();
    } catch {
      return; // The writers of these commits received the error.
    }
    try {
      if (checkpointer.replayWork >= SMALL_LOG || vectors.isUnsaved) await checkpointer.write();
      await checkpointer.settle();
      checkpoints.failures.succeeded(name, 'checkpoint');
    } catch (cause) {
      checkpoints.failures.failed(name, 'checkpoint', cause);
    }
  }
}
