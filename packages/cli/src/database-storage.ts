import type { Storage } from '@rdf-worlds/core/plugin';
import { optionalPackages } from './optional-packages.ts';
import { storageUrl } from './storage-url.ts';

/** How long the client waits for a connection, in milliseconds; by default it does not give up. */
const CONNECT_TIMEOUT_MS = 5000;

/** When to ask an idle connection for a sign of life; by default, the system waits for hours. */
const KEEP_ALIVE_AFTER_MS = 30_000;

/**
 * Returns the storage in the database of a URL, with a pool of connections that ends with it. With
 * `mustExist`, throws if there are no worlds' tables, instead of letting the storage create them.
 */
export async function databaseStorage(url: string, { mustExist }: { readonly mustExist: boolean }): Promise<Storage> {
  const { connectionString, schema, connections } = storageUrl(url);
  const [{ default: pg }, { postgresStorage }] = await optionalPackages(
    '--storage',
    ['@rdf-worlds/storage-postgres', 'pg'],
    () => Promise.all([import('pg'), import('@rdf-worlds/storage-postgres')]),
  );
  const pool = new pg.Pool({
    connectionString,
    max: connections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    fallback_application_name: 'rdf-worlds',
  });
  // The storage reports lost connections while it is open. Before and after, nobody would listen,
  // and an error without a listener ends the process.
  pool.on('error', () => {});
  let ended: Promise<void> | undefined;
  const end = () => {
    ended ??= pool.end();
    return ended;
  };
  try {
    if (mustExist) await requireTables(pool, schema);
    const storage = postgresStorage({ pool, schema });
    const [open, close] = [storage.open.bind(storage), storage.close.bind(storage)];
    return Object.assign(storage, {
      open: () =>
        open().catch(async (error: unknown) => {
          // An engine that cannot open a storage does not close it.
          await end();
          throw error;
        }),
      close: () => close().finally(end),
    });
  } catch (error) {
    await end();
    throw error;
  }
}

type Queried = { query(text: string, values: string[]): Promise<{ readonly rows: readonly unknown[] }> };

async function requireTables(pool: Queried, schema: string): Promise<void> {
  const text = 'SELECT 1 AS one FROM information_schema.tables WHERE table_schema = $1 AND table_name = $2';
  const found = await pool.query(text, [schema, 'worlds_version']).then(
    ({ rows }) => rows.length > 0,
    // The storage meets the same failure when it is opened: it repeats what may pass, and says what
    // to do.
    () => true,
  );
  if (!found)
    throw new Error(
      `the database has no worlds in the schema "${schema}", or its role may not read them; check --storage. Worlds are created by worlds create, import --create, restore and serve.`,
    );
}
