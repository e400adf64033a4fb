import type { ManifestEntry } from './manifest-entry.ts';
import type { TestBench } from './test-bench.ts';

/** Runs one test: resolves when it passes, throws what went wrong when it fails. */
export type TestRunner = (entry: ManifestEntry, bench: TestBench) => Promise<void>;

/** The file that a test's action or result is; manifests that give none are broken. */
export function inputFile(entry: ManifestEntry, part: 'action' | 'result'): string {
  const file = entry[part]?.file;
  if (!file) throw new Error(`The manifest names no ${part} file for <${entry.iri}>.`);
  return file;
}
