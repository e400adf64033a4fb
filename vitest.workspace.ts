import { fileURLToPath } from 'node:url';

const module = (name: string, file: string) =>
  fileURLToPath(new URL(`./packages/${name}/src/${file}.ts`, import.meta.url));
const source = (name: string) => module(name, 'index');

/**
 * Tests run on the sources: a change in one package is seen by the tests of all, with no build
 * between.
 */
const alias = {
  '@rdf-worlds/core/embedders': module('core', 'embedders'),
  '@rdf-worlds/core/internal': module('core', 'internal'),
  '@rdf-worlds/core/plugin': module('core', 'plugin'),
  '@rdf-worlds/core': source('core'),
  '@rdf-worlds/comunica': source('comunica'),
  '@rdf-worlds/index-hnsw': source('index-hnsw'),
  '@rdf-worlds/index-minisearch': source('index-minisearch'),
  '@rdf-worlds/storage-file': source('storage-file'),
  '@rdf-worlds/storage-postgres': source('storage-postgres'),
  '@rdf-worlds/testkit': source('testkit'),
  '@rdf-worlds/http/express': module('http', 'express'),
  '@rdf-worlds/http/metrics': module('http', 'metrics'),
  '@rdf-worlds/http/node': module('http', 'node'),
  '@rdf-worlds/http/tracing': module('http', 'tracing'),
  '@rdf-worlds/http': source('http'),
};

// Sockets, child processes and the memory of a process behave otherwise on a busy machine; what is
// wrong fails every time.
const retry = process.env.CI ? 2 : 0;

// RDF_WORLDS_STORAGE gives the engines of all tests a storage.
const setupFiles = process.env.RDF_WORLDS_STORAGE
  ? [fileURLToPath(new URL('./packages/core/test/storage-setting.ts', import.meta.url))]
  : [];

interface ProjectSetting {
  /** Whether each file gets modules of its own. */
  readonly isolate?: boolean;
  /**
   * What is done once before the tests of the project, and before each of their files: paths from
   * its folder.
   */
  readonly globalSetup?: string;
  readonly setupFile?: string;
}

const project = (name: string, root: string, { isolate = false, globalSetup, setupFile }: ProjectSetting = {}) => ({
  resolve: { alias },
  test: {
    name,
    root,
    setupFiles: setupFile ? [...setupFiles, setupFile] : setupFiles,
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    // Closing hundreds of engines takes seconds, and longer on a busy machine.
    hookTimeout: 60_000,
    retry,
    isolate,
    globalSetup,
  },
});

/**
 * The files of a project share a process and its modules, which take longer to load for each file
 * than most files to run: a file that changes what is global or mocks a module takes that back.
 * Where tests are of what loads with the first use, each file is alone.
 */
const alone: ProjectSetting = { isolate: true };

/** Where tests start processes: the programs are made once of the sources. */
const programs: ProjectSetting = { globalSetup: './test/programs.ts' };

/**
 * One project a package, and one for the repository's own tests (documents, examples). Read by
 * vitest.config.ts.
 */
export default [
  ...['core', 'storage-file', 'testkit', 'conformance'].map((name) => project(name, `./packages/${name}`)),
  ...['index-hnsw', 'index-minisearch'].map((name) => project(name, `./packages/${name}`, alone)),
  project('storage-postgres', './packages/storage-postgres', programs),
  project('comunica', './packages/comunica', { ...alone, ...programs }),
  project('bench', './packages/bench', { ...programs, setupFile: './test/children-setting.ts' }),
  project('http', './packages/http', programs),
  project('cli', './packages/cli', programs),
  project('repository', '.', programs),
  // In a realm of its own, as Jest runs tests: there the errors, promises and bytes of Node are no
  // instances of the globals.
  {
    resolve: { alias },
    test: { name: 'realms', root: './test-realms', include: ['*.test.ts'], pool: 'vmThreads', retry },
  },
];
