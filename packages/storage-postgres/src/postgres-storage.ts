import { WorldsError } from '@rdf-worlds/core';
import { requireKnownFields, requireOptions, type Storage } from '@rdf-worlds/core/plugin';
import { DatabaseStorage } from './database-storage.ts';
import { PoolDatabase } from './pool-database.ts';
import type { PostgresPool } from './postgres-pool.ts';
import { storageOptions } from './storage-options.ts';

/** Options of {@link postgresStorage}. */
export interface PostgresStorageOptions {
  /**
   * A `Pool` of `pg`. The caller owns it: creates it, and ends it after the storage was closed.
   * Storages over the same pool and schema are one place, and share their writes.
   */
  readonly pool: PostgresPool;
  /**
   * Schema of the tables; created if it is missing, which needs the permission to do so. Case
   * matters. `rdf_worlds` by default.
   */
  readonly schema?: string | undefined;
  /**
   * How long a call repeats statements after lost connections and serialization failures, in
   * milliseconds, from 0 to 3,600,000; 10,000 by default.
   */
  readonly retryTimeoutMs?: number | undefined;
  /**
   * How long the server may take to answer a statement, in milliseconds, from 100 to 3,600,000;
   * 10,000 by default. After that, its connection is closed and the statement counts as lost:
   * otherwise a network that drops packets silently is noticed after many minutes. Statements that
   * move or delete much data may take up to twelve times as long.
   */
  readonly statementTimeoutMs?: number | undefined;
  /**
   * Time between two looks for commits of other processes, in milliseconds, from 5 to 60,000; 50 by
   * default. Where the server sends notifications, it looks half as often.
   */
  readonly pollMs?: number | undefined;
}

const OPTIONS = ['pool', 'schema', 'retryTimeoutMs', 'statementTimeoutMs', 'pollMs'];

/**
 * Returns a storage in a schema of PostgreSQL 12 or later, or of a database with its protocol and
 * SQL. Acknowledged data is as durable as the server makes it. Several processes may have the
 * schema open; see docs/guides/postgres.md for what an engine makes of that.
 */
export function postgresStorage(options: PostgresStorageOptions): Storage {
  requireOptions(options, 'postgresStorage', 'postgresStorage({ pool: new pg.Pool({ connectionString }) })');
  requireKnownFields(options, OPTIONS, 'postgresStorage');
  const { pool } = options;
  if (typeof pool?.query !== 'function' || typeof pool.connect !== 'function' || typeof pool.on !== 'function')
    throw new WorldsError(
      'INVALID_ARGUMENT',
      'postgresStorage needs a pool: pass new pg.Pool({ connectionString }) of the package pg.',
    );
  return new DatabaseStorage(pool, new PoolDatabase(pool), storageOptions(options));
}
