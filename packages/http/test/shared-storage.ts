import { MemoryStorage } from '@rdf-worlds/core';
import type { NamespaceStorage, StorageCapabilities } from '@rdf-worlds/core/plugin';

/**
 * A storage in memory that several engines share as processes would: each over an instance of its
 * own, which never tells of the commits of others.
 */
export class SharedStorage extends MemoryStorage {
  override readonly capabilities: StorageCapabilities = { durable: false, shared: true };
  /** Number of times that a head was read. */
  heads = 0;
  /** Waited for before a head is read. */
  beforeHead: () => Promise<void> = async () => undefined;

  override namespace(name: string): NamespaceStorage {
    const storage = super.namespace(name);
    const head = storage.head.bind(storage);
    storage.head = async () => {
      this.heads++;
      await this.beforeHead();
      return head();
    };
    return storage;
  }
}
