import { engineSuites } from './engine-suites.ts';

// LONG_TESTS=1 runs all suites; RDF_WORLDS_TEST_STORAGE=pglite all tests of the engine.
engineSuites('on PGlite', 'pglite', process.env['LONG_TESTS'] ? undefined : ['write']);
