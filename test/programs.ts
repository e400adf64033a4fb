import { programBundles } from './program-bundles.ts';

/** The packages that the examples import, and what gives them to these. */
export const setup = programBundles('', {
  core: 'packages/core/src/index.ts',
  'index-minisearch': 'packages/index-minisearch/src/index.ts',
  ai: 'packages/ai/src/index.ts',
  'storage-file': 'packages/storage-file/src/index.ts',
  'use-bundled-packages': 'test/use-bundled-packages.ts',
});
