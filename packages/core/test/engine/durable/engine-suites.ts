import { describe } from 'vitest';

const SUITES: Readonly<Record<string, () => Promise<unknown>>> = {
  concurrency: () => import('../concurrency.test.ts'),
  'graph-import': () => import('../graph-import.test.ts'),
  'graph-model': () => import('../graph-model.test.ts'),
  graphs: () => import('../graphs.test.ts'),
  'import-atomicity': () => import('../import-atomicity.test.ts'),
  'import-data': () => import('../import-data.test.ts'),
  model: () => import('../model.test.ts'),
  requests: () => import('../requests.test.ts'),
  search: () => import('../search.test.ts'),
  snapshots: () => import('../snapshots.test.ts'),
  worlds: () => import('../worlds.test.ts'),
  write: () => import('../write.test.ts'),
};

/** The tests of what every engine does, once more. RDF_WORLDS_STORAGE runs all tests there are so. */
export function engineSuites(title: string): void {
  for (const [name, load] of Object.entries(SUITES)) {
    describe(`${title}: ${name}`, async () => {
      await load();
    });
  }
}
