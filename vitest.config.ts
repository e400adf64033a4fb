import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongFirst } from './vitest.order.ts';
// vitest 4 no longer reads vitest.workspace.ts by itself, so it is handed over here.
import projects from './vitest.workspace.ts';

// RDF_WORLDS_TEST_STORAGE=postgres: one server for all tests.
const globalSetup =
  process.env.RDF_WORLDS_TEST_STORAGE === 'postgres' ? './packages/storage-postgres/test/given-server.ts' : [];

export default defineConfig({
  test: {
    projects,
    globalSetup,
    // More than there are cores: many tests wait for processes, servers, browsers and timers.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    sequence: { sequencer: LongFirst },
    // Shared by all projects, since they have the same root and aliases. Without it, each would
    // transform the sources of core again, which takes 6 s of CPU.
    experimental: { fsModuleCache: true },
  },
});
