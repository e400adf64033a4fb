import { engineSuites } from './engine-suites.ts';

// A short form: RDF_WORLDS_TEST_STORAGE=pglite runs all tests of the engine so.
engineSuites('on PGlite', 'pglite', ['import-atomicity', 'write']);
