import { it } from 'vitest';
import { inTurn } from '../../../../../test/turn.ts';
import { NO_SERVER, serverPrograms } from '../../../../storage-postgres/test/postgres-server.ts';
import { engineSuites } from './engine-suites.ts';

// LONG_TESTS=1 runs all suites; RDF_WORLDS_TEST_STORAGE=postgres all tests of the engine.
const SUITES = process.env['LONG_TESTS'] ? undefined : inTurn(['concurrency', 'snapshots', 'write'], 3);

if (serverPrograms()) engineSuites('on PostgreSQL', 'postgres', SUITES);
else {
  console.warn(`Skipped: ${NO_SERVER}.`);
  it.skip(`on PostgreSQL: ${NO_SERVER}`);
}
