import { inTurn } from '../../../../../test/turn.ts';
import { engineSuites } from './engine-suites.ts';

// LONG_TESTS=1 runs all suites; RDF_WORLDS_TEST_STORAGE=pglite all tests of the engine.
const SUITES = process.env['LONG_TESTS'] ? undefined : inTurn(['concurrency', 'snapshots', 'write'], 3, 1);

engineSuites('on PGlite', 'pglite', SUITES);
