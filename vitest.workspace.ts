import { fileURLToPath } from 'node:url';

const source = (name: string) => fileURLToPath(new URL(`./packages/${name}/src/index.ts`, import.meta.url));

/** Tests run on the sources: a change in one package is seen by the tests of all, with no build between. */
const alias = {
  '@rdf-worlds/core': source('core'),
  '@rdf-worlds/comunica': source('comunica'),
  '@rdf-worlds/index-minisearch': source('index-minisearch'),
  '@rdf-worlds/testkit': source('testkit'),
};

const project = (name: string, root: string) => ({
  resolve: { alias },
  test: { name, root, include: ['test/**/*.test.ts'], testTimeout: 60_000 },
});

/** One project a package, and one for the repository's own tests (documents, examples). Read by vitest.config.ts. */
export default [
  ...['core', 'comunica', 'index-minisearch', 'testkit', 'conformance', 'bench'].map((name) =>
    project(name, `./packages/${name}`),
  ),
  project('repository', '.'),
];
