import type { Database } from './database.ts';
import { databaseError } from './postgres-errors.ts';
import { PostgresStore, type PostgresStoreOptions } from './postgres-store.ts';
import { upgradeSchema } from './schema-upgrade.ts';
import { sweepDropped } from './sweep.ts';

interface OpenStore {
  readonly store: PostgresStore;
  /** Resolves when the tables exist and have the version of this release. */
  readonly ready: Promise<void>;
  users: number;
}

/** The open stores of this process, by pool and schema. */
const open = new WeakMap<object, Map<string, OpenStore>>();

/** Opens a schema. All storages over one pool, which is `client`, share one store for it. */
export async function openStore(
  client: object,
  database: Database,
  options: PostgresStoreOptions,
): Promise<PostgresStore> {
  const stores = open.get(client) ?? new Map<string, OpenStore>();
  open.set(client, stores);
  let opened = stores.get(options.schema);
  if (!opened) {
    const store = new PostgresStore(database, options);
    opened = { store, ready: prepare(store), users: 0 };
    stores.set(options.schema, opened);
  }
  opened.users++;
  try {
    await opened.ready;
    return opened.store;
  } catch (error) {
    await closeStore(client, opened.store);
    throw error;
  }
}

/** Ends one use of a store. The last one closes it. */
export async function closeStore(client: object, store: PostgresStore): Promise<void> {
  const stores = open.get(client);
  const opened = stores?.get(store.schema);
  if (opened?.store !== store || --opened.users > 0) return;
  stores!.delete(store.schema);
  await store.close();
}

async function prepare(store: PostgresStore): Promise<void> {
  await upgradeSchema(store);
  await sweepDropped(store).catch((error: unknown) =>
    store.report(databaseError(error, 'Deleting dropped namespaces')),
  );
}
