import type { NamespaceStorage, Storage } from '../../storage/storage.ts';
import { NO_HEAD } from '../../storage/storage-arguments.ts';
import type { Logger } from '../logger.ts';
import type { Namespace } from '../namespace.ts';
import { Checkpointer, type CheckpointOptions, NO_CHECKPOINT } from './checkpointer.ts';
import { Journal } from './journal.ts';
import { type Recovered, recover } from './recover.ts';
import { requireLittleEndian } from './sealed-bytes.ts';

/** A log of fewer bytes is read so fast that closing makes no checkpoint of it. */
const SMALL_LOG_BYTES = 1 << 16;

export interface StoredNamespacesOptions extends CheckpointOptions {
  readonly logger: Logger;
  /** Memory and storage of a namespace may differ: it is to be let go of, and read again. */
  readonly onStale: (namespace: Namespace) => void;
}

/** The namespaces of a storage, and the way into memory of each. */
export class StoredNamespaces {
  /** Those that the storage has, or will have with their first commit. */
  readonly names = new Set<string>();
  private readonly storage: Storage;
  private readonly options: StoredNamespacesOptions;

  private constructor(storage: Storage, options: StoredNamespacesOptions) {
    this.storage = storage;
    this.options = options;
  }

  static async open(storage: Storage, options: StoredNamespacesOptions): Promise<StoredNamespaces> {
    requireLittleEndian();
    await storage.open();
    const stored = new StoredNamespaces(storage, options);
    for await (const name of storage.namespaces()) stored.names.add(name);
    return stored;
  }

  /** Makes an empty namespace what the storage has of it, and its commits durable from then on. */
  async load(namespace: Namespace): Promise<void> {
    const storage = this.storage.namespace(namespace.name);
    this.attach(namespace, storage, await recover(namespace, storage));
  }

  /** Begins a namespace that the storage does not have. */
  begin(namespace: Namespace): void {
    const durable = { head: NO_HEAD, terms: namespace.store.dictionary.table.size };
    this.attach(namespace, this.storage.namespace(namespace.name), { durable, checkpoint: NO_CHECKPOINT, logBytes: 0 });
    this.names.add(namespace.name);
  }

  /** Forgets a namespace, after everything that is on its way. Needs its lock. */
  async drop(namespace: Namespace): Promise<void> {
    await namespace.journal!.drop();
    this.names.delete(namespace.name);
  }

  /** Waits until everything is durable, and makes a checkpoint where reading the log would take long. Then the namespace may be let go of. */
  async finish(namespace: Namespace): Promise<void> {
    const { journal, checkpointer } = namespace;
    try {
      await journal!.settle();
      if (checkpointer!.logBytes >= SMALL_LOG_BYTES) await checkpointer!.write();
      await checkpointer!.settle();
    } catch (cause) {
      // Whoever wrote has been told; what is in the log needs no checkpoint to be safe.
      this.report(namespace, cause);
    }
  }

  async close(): Promise<void> {
    await this.storage.close();
  }

  private attach(namespace: Namespace, storage: NamespaceStorage, { durable, checkpoint, logBytes }: Recovered): void {
    const journal = new Journal(namespace, storage, durable, {
      newId: this.options.newId,
      onStale: () => this.options.onStale(namespace),
      onDurable: (bytes) => checkpointer.logGrew(bytes),
    });
    const checkpointer = new Checkpointer(
      { namespace, journal, storage },
      { ...checkpoint, logBytes },
      this.options,
      (cause) => this.report(namespace, cause),
    );
    namespace.journal = journal;
    namespace.checkpointer = checkpointer;
  }

  private report(namespace: Namespace, cause: unknown): void {
    this.options.logger.error(
      { err: cause, namespace: namespace.name },
      'A checkpoint failed; what was acknowledged is safe in the log.',
    );
  }
}
