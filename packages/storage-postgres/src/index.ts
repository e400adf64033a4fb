/**
 * `@rdf-worlds/storage-postgres`: durable storage in PostgreSQL and databases that speak its
 * protocol.
 *
 * @module @rdf-worlds/storage-postgres
 */
export { type PGliteDatabase, type PGliteStorageOptions, pgliteStorage } from './pglite-storage.ts';
export type { PostgresClient, PostgresEvents, PostgresPool, PostgresQuery, PostgresResult } from './postgres-pool.ts';
export { type PostgresStorageOptions, postgresStorage } from './postgres-storage.ts';
