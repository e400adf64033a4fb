import { WorldsError } from '../model/worlds-error.ts';
import { MemoryContents, MemoryNamespace } from './memory-namespace.ts';
import type { NamespaceStorage, Storage, StorageCapabilities } from './storage.ts';
import { storageErrors } from './storage-arguments.ts';

/**
 * Storage in memory: for tests, and the reference model of the storage contract. `contents`
 * outlives it: `new MemoryStorage(closed.contents)` finds everything that was acknowledged.
 */
export class MemoryStorage implements Storage {
  /** Neither durable nor shared. */
  readonly capabilities: StorageCapabilities = { durable: false, shared: false };
  /** The stored data. */
  readonly contents: MemoryContents;
  #state: 'new' | 'open' | 'closed' = 'new';

  constructor(contents: MemoryContents = new MemoryContents()) {
    this.contents = contents;
  }

  async open(): Promise<void> {
    if (this.#state !== 'new')
      throw new WorldsError('INVALID_ARGUMENT', 'A storage can be opened only once. Create another one.');
    this.#state = 'open';
  }

  async close(): Promise<void> {
    this.#state = 'closed';
  }

  async *namespaces(): AsyncIterable<string> {
    this.#checkOpen();
    for (const name of [...this.contents.incarnations.keys()]) {
      if (this.contents.incarnations.has(name)) yield name;
      this.#checkOpen();
    }
  }

  namespace(name: string): NamespaceStorage {
    this.#checkOpen();
    return new MemoryNamespace(name, this.contents, () => this.#checkOpen());
  }

  #checkOpen(): void {
    if (this.#state !== 'open') throw storageErrors.notOpen();
  }
}
