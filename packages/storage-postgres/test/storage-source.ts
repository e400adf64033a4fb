import { PGlite } from '@electric-sql/pglite';
import type { Storage } from '@rdf-worlds/core/plugin';
import { pgliteStorage, postgresStorage } from '../src/index.ts';
import { PostgresServer, type ServerAddress, SHARED_CONNECTIONS } from './postgres-server.ts';

/** What gives storages for the engines of tests, each in a schema of its own. */
export interface StorageSource {
  /** Returns a function that makes storages of one new place. */
  newPlace(): Promise<() => Storage>;
  /** Call it after all storages were closed. */
  dispose(): Promise<void>;
}

/** Storages of a server that is already running, or of one that is started for them. */
export async function postgresSource(running?: ServerAddress): Promise<StorageSource> {
  const server = running ? undefined : await PostgresServer.startShared();
  const pool = PostgresServer.poolOf(running ?? server!.address, { max: SHARED_CONNECTIONS });
  const names = schemaNames();
  return {
    async newPlace() {
      const schema = names();
      // Notifications tell of commits; looking often would only keep hundreds of engines busy.
      return () => postgresStorage({ pool, schema, pollMs: 1000 });
    },
    async dispose() {
      await pool.end();
      await server?.dispose();
    },
  };
}

/** Storages of a new PGlite database. */
export async function pgliteSource(): Promise<StorageSource> {
  const database = await PGlite.create();
  const names = schemaNames();
  return {
    async newPlace() {
      const schema = names();
      return () => pgliteStorage({ database, schema });
    },
    dispose: () => database.close(),
  };
}

let sources = 0;

/** Names that no other source of this or another process of the test run gives. */
function schemaNames(): () => string {
  const source = `${process.pid}_${++sources}`;
  let places = 0;
  return () => `given_${source}_${++places}`;
}
