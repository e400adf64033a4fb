import { inTurn } from '../../../../../test/turn.ts';
import { engineSuites } from './engine-suites.ts';

// LONG_TESTS=1 runs all suites; RDF_WORLDS_TEST_STORAGE=file all tests of the engine.
const SUITES = process.env['LONG_TESTS']
  ? undefined
  : inTurn(['concurrency', 'graphs', 'import-atomicity', 'worlds', 'write'], 2);

engineSuites('on files', 'file', SUITES);
