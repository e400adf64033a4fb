import { it } from 'vitest';
import { NO_SERVER, serverPrograms } from '../../../../storage-postgres/test/postgres-server.ts';
import { engineSuites } from './engine-suites.ts';

// A short form: RDF_WORLDS_TEST_STORAGE=postgres runs all tests of the engine so.
if (serverPrograms())
  engineSuites('on PostgreSQL', 'postgres', ['concurrency', 'import-atomicity', 'snapshots', 'write']);
else {
  console.warn(`Skipped: ${NO_SERVER}.`);
  it.skip(`on PostgreSQL: ${NO_SERVER}`);
}
