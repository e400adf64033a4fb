import { defineConfig } from 'vitest/config';
// vitest 4 no longer reads vitest.workspace.ts by itself, so it is handed over here.
import projects from './vitest.workspace.ts';

// RDF_WORLDS_TEST_STORAGE=postgres: one server for all tests.
const globalSetup =
  process.env.RDF_WORLDS_TEST_STORAGE === 'postgres' ? './packages/storage-postgres/test/given-server.ts' : [];

// Vitest alone would leave one core to itself, which of two is half of the time.
export default defineConfig({ test: { projects, globalSetup, maxWorkers: '100%' } });
