import type { TestProject } from 'vitest/node';
import { PostgresServer, type ServerAddress } from './postgres-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The server of RDF_WORLDS_TEST_STORAGE=postgres; undefined in other runs. */
    readonly postgres: ServerAddress | undefined;
  }
}

/** The setup of a run on PostgreSQL: one server, since starting one for each file takes longer. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await PostgresServer.startShared();
  project.provide('postgres', server.address);
  return () => server.dispose();
}
