import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type GivenStorage, giveStorage } from './given-storage.ts';

export const ENGINE_SUITES = [
  'concurrency',
  'graph-import',
  'graph-model',
  'graphs',
  'import-atomicity',
  'import-data',
  'model',
  'requests',
  'search',
  'snapshots',
  'worlds',
  'write',
];

/**
 * The tests of what every engine does, once more, on a storage. RDF_WORLDS_TEST_STORAGE runs all
 * tests there are so.
 */
export function engineSuites(title: string, kind: GivenStorage, names: readonly string[] = ENGINE_SUITES): void {
  const engines = giveStorage(kind);
  for (const name of names) {
    describe(`${title}: ${name}`, async () => {
      // The file tells of its tests when it is run, and would not be once more; the engine that it
      // imports stays that of this file.
      await import(/* @vite-ignore */ `../${name}.test.ts?${randomUUID()}`);
    });
  }
  it(`${title}: the engines of these tests`, () => expect(engines.length).toBeGreaterThan(names.length));
}
