import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const module = (name: string, file: string) =>
  fileURLToPath(new URL(`./packages/${name}/src/${file}.ts`, import.meta.url));
const source = (name: string) => module(name, 'index');

/**
 * Tests run on the sources, so that the tests of every package see a change without a build.
 */
const alias = {
  '#platform': module('core', 'platform/node'),
  '@rdf-worlds/core/embedders': module('core', 'embedders'),
  '@rdf-worlds/core/internal': module('core', 'internal'),
  '@rdf-worlds/core/plugin': module('core', 'plugin'),
  '@rdf-worlds/core/remote': module('core', 'remote'),
  '@rdf-worlds/core': source('core'),
  '@rdf-worlds/ai/plain': module('ai', 'plain'),
  '@rdf-worlds/ai': source('ai'),
  '@rdf-worlds/client': source('client'),
  '@rdf-worlds/comunica': source('comunica'),
  '@rdf-worlds/console': source('console'),
  '@rdf-worlds/index-hnsw': source('index-hnsw'),
  '@rdf-worlds/index-minisearch': source('index-minisearch'),
  '@rdf-worlds/storage-file': source('storage-file'),
  '@rdf-worlds/storage-postgres': source('storage-postgres'),
  '@rdf-worlds/mcp': source('mcp'),
  '@rdf-worlds/memory': source('memory'),
  '@rdf-worlds/testkit': source('testkit'),
  '@rdf-worlds/http/express': module('http', 'express'),
  '@rdf-worlds/http/metrics': module('http', 'metrics'),
  '@rdf-worlds/http/node': module('http', 'node'),
  '@rdf-worlds/http/tracing': module('http', 'tracing'),
  '@rdf-worlds/http': source('http'),
};

// Tests with sockets, child processes or measured memory may fail on a busy machine. A real defect
// fails every time.
const retry = process.env.CI ? 2 : 0;

// RDF_WORLDS_TEST_STORAGE gives the engines of all tests a storage.
const setupFiles = process.env.RDF_WORLDS_TEST_STORAGE
  ? [fileURLToPath(new URL('./packages/core/test/storage-setting.ts', import.meta.url))]
  : [];

/** The root of every project, so that all share one cache of transformed modules. */
const root = fileURLToPath(new URL('.', import.meta.url));

interface ProjectSetting {
  /** Whether each test file has its own module instances. */
  readonly isolate?: boolean;
  /** Path of the setup that runs once before the tests, relative to the project's directory. */
  readonly globalSetup?: string;
  /** Path of the setup that runs before each test file. */
  readonly setupFile?: string;
}

const project = (
  name: string,
  directory: string,
  { isolate = false, globalSetup, setupFile }: ProjectSetting = {},
) => ({
  resolve: { alias },
  test: {
    name,
    root,
    setupFiles: setupFile ? [...setupFiles, join(root, directory, setupFile)] : setupFiles,
    include: [posix.join(directory, 'test/**/*.test.ts')],
    testTimeout: 60_000,
    // Closing hundreds of engines takes seconds, and longer on a busy machine.
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    retry,
    isolate,
    globalSetup: globalSetup && join(root, directory, globalSetup),
  },
});

/**
 * By default, the test files of a project share a process and its modules, because loading them
 * takes longer than most files run; a file must undo its global changes and mocks. Projects that
 * test lazy loading isolate each file.
 */
const alone: ProjectSetting = { isolate: true };

/** Projects whose tests start processes bundle those programs once, from the sources. */
const programs: ProjectSetting = { globalSetup: './test/programs.ts' };

/**
 * One project a package, and one for the repository's own tests (documents, examples). Read by
 * vitest.config.ts.
 */
export default [
  ...['core', 'storage-file', 'testkit', 'conformance', 'memory', 'ai'].map((name) =>
    project(name, `packages/${name}`),
  ),
  ...['index-hnsw', 'index-minisearch'].map((name) => project(name, `packages/${name}`, alone)),
  project('storage-postgres', 'packages/storage-postgres', programs),
  project('comunica', 'packages/comunica', { ...alone, ...programs }),
  project('bench', 'packages/bench', { ...programs, setupFile: './test/children-setting.ts' }),
  project('client', 'packages/client'),
  project('console', 'packages/console', { globalSetup: './test/built-app.ts' }),
  project('site', 'packages/site'),
  project('http', 'packages/http', programs),
  project('cli', 'packages/cli', programs),
  project('mcp', 'packages/mcp', programs),
  project('repository', '.', programs),
  // In a realm of its own, like tests in Jest: errors, promises and bytes from Node's modules are
  // not instances of its globals.
  {
    resolve: { alias },
    test: { name: 'realms', root, include: ['test-realms/*.test.ts'], pool: 'vmThreads', retry },
  },
];
