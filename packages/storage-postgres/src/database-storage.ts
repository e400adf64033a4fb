import { WorldsError } from '@rdf-worlds/core';
import {
  type NamespaceStorage,
  type Storage,
  type StorageCapabilities,
  type StorageErrorListener,
  storageErrors,
} from '@rdf-worlds/core/plugin';
import type { Database } from './database.ts';
import { unescapedName } from './namespace-key.ts';
import { closeStore, openStore } from './open-stores.ts';
import { PostgresNamespace } from './postgres-namespace.ts';
import type { PostgresStore, PostgresStoreOptions } from './postgres-store.ts';
import type { StorageCalls } from './storage-calls.ts';

const PAGE_ROWS = 1000;

/** A storage over any client with the functions of {@link Database}. */
export class DatabaseStorage implements Storage {
  readonly capabilities: StorageCapabilities = { durable: true, shared: true };
  readonly #client: object;
  readonly #database: Database;
  readonly #options: PostgresStoreOptions;
  #state: 'new' | 'open' | 'closed' = 'new';
  #opening: Promise<PostgresStore> | undefined;
  #store: PostgresStore | undefined;
  #closing: Promise<void> | undefined;
  /** Calls under way, which `close` waits for. */
  readonly #running = new Set<Promise<unknown>>();
  readonly #calls: StorageCalls = {
    check: () => void this.#opened,
    counted: (call) => {
      const running = call();
      this.#running.add(running);
      const done = () => this.#running.delete(running);
      running.then(done, done);
      return running;
    },
  };

  /** `client` identifies what the database works with: storages over the same share a store. */
  constructor(client: object, database: Database, options: PostgresStoreOptions) {
    this.#client = client;
    this.#database = database;
    this.#options = options;
  }

  async open(): Promise<void> {
    if (this.#state !== 'new')
      throw new WorldsError('INVALID_ARGUMENT', 'A storage can be opened only once. Create another one.');
    this.#state = 'open';
    this.#opening = openStore(this.#client, this.#database, this.#options);
    this.#store = await this.#opening;
  }

  close(): Promise<void> {
    this.#state = 'closed';
    this.#closing ??= (async () => {
      // The caller of `open` received the error.
      const store = await this.#opening?.catch(() => undefined);
      if (!store) return;
      store.watch.wakeAll(); // Its watchers find that it is closed.
      while (this.#running.size > 0) await Promise.allSettled(this.#running);
      await closeStore(this.#client, store);
    })();
    return this.#closing;
  }

  onBackgroundError(listener: StorageErrorListener): () => void {
    return this.#opened.onBackgroundError(listener);
  }

  /** Identifies the schema as opened by this process. */
  get place(): object {
    return this.#opened;
  }

  async *namespaces(): AsyncIterable<string> {
    const { tables } = this.#opened;
    let last: string | undefined;
    for (;;) {
      const rows = await this.#calls.counted(() =>
        this.#opened.run(
          'Listing the namespaces',
          `SELECT namespace, name FROM ${tables.namespaces} WHERE position > 0 AND namespace ${last === undefined ? '>=' : '>'} $1
           ORDER BY namespace LIMIT ${PAGE_ROWS}`,
          [last ?? ''],
        ),
      );
      for (const { namespace, name } of rows) {
        this.#opened;
        yield unescapedName(String(name));
        last = String(namespace);
      }
      this.#opened;
      if (rows.length < PAGE_ROWS) return;
    }
  }

  namespace(name: string): NamespaceStorage {
    return new PostgresNamespace(name, this.#opened, this.#calls);
  }

  get #opened(): PostgresStore {
    if (this.#state !== 'open' || !this.#store) throw storageErrors.notOpen();
    return this.#store;
  }
}
