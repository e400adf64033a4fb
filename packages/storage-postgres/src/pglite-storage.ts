import { WorldsError } from '@rdf-worlds/core';
import { requireKnownFields, requireOptions, type Storage } from '@rdf-worlds/core/plugin';
import type { Database } from './database.ts';
import { DatabaseStorage } from './database-storage.ts';
import { storageOptions } from './storage-options.ts';

/** The part of a `PGlite` that the storage uses. */
export interface PGliteDatabase {
  /** Runs a statement. */
  // biome-ignore lint/suspicious/noExplicitAny: as PGlite declares it
  query(text: string, values?: any[]): Promise<{ readonly rows: any[] }>;
  /** Calls `onNotice` with each notification of a channel; returns a function that stops it. */
  listen(channel: string, onNotice: (payload: string) => void): Promise<() => Promise<void>>;
}

/** Options of {@link pgliteStorage}. */
export interface PGliteStorageOptions {
  /**
   * A `PGlite` of `@electric-sql/pglite`, which is PostgreSQL inside this process. The caller owns
   * it: creates it, and closes it after the storage.
   */
  readonly database: PGliteDatabase;
  /** As of `postgresStorage`. */
  readonly schema?: string | undefined;
}

const OPTIONS = ['database', 'schema'];

/**
 * Returns a storage in a PGlite database: for tests without a server. Acknowledged data is as
 * durable as the database is.
 */
export function pgliteStorage(options: PGliteStorageOptions): Storage {
  requireOptions(options, 'pgliteStorage', 'pgliteStorage({ database: new PGlite() })');
  requireKnownFields(options, OPTIONS, 'pgliteStorage');
  const { database } = options;
  if (typeof database?.query !== 'function' || typeof database.listen !== 'function')
    throw new WorldsError(
      'INVALID_ARGUMENT',
      'pgliteStorage needs a database: pass new PGlite() of the package @electric-sql/pglite.',
    );
  const client: Database = {
    query: async (text, values) => (await database.query(text, [...values])).rows,
    // A channel of PGlite is a statement's identifier, which it quotes itself.
    listen: (channel, { onNotice }) => database.listen(channel, onNotice),
    onError: () => () => undefined,
  };
  return new DatabaseStorage(database, client, storageOptions({ schema: options.schema }));
}
