import type { Category } from './categories.ts';
import type { EngineUnderTest } from './engine-under-test.ts';
import { readManifest } from './manifest.ts';
import type { ManifestEntry } from './manifest-entry.ts';
import { isInShare, type Share } from './share.ts';
import type { SuiteFiles } from './suite-files.ts';
import { TestBench } from './test-bench.ts';
import type { TestRunner } from './test-runner.ts';

/**
 * How a test ended. `known-failure`: it failed and the table of known failures says why. `stale`:
 * that table holds it, and it passes: the table has to be corrected.
 */
export type Outcome = 'passed' | 'failed' | 'known-failure' | 'stale' | 'skipped';

export interface TestOutcome {
  readonly category: string;
  readonly iri: string;
  readonly name: string;
  readonly outcome: Outcome;
  /** One line: what went wrong, or why it was skipped. Empty when passed. */
  readonly reason: string;
  /** What a failing test threw. */
  readonly error?: unknown;
}

export interface RunOptions {
  readonly engine: EngineUnderTest;
  readonly files: SuiteFiles;
  readonly categories: readonly Category[];
  readonly skips: ReadonlyMap<string, string>;
  readonly knownFailures: ReadonlyMap<string, string>;
  /** Runs only the tests whose IRI or name holds it, in any case. */
  readonly filter?: string;
  /** Runs only this share of the tests of each category. */
  readonly share?: Share;
  readonly timeoutMs?: number;
}

/** Runs the tests of the categories, one after the other in the order of their manifests. */
export async function* runSuites(options: RunOptions): AsyncGenerator<TestOutcome> {
  const { files, categories, filter = '', share = { part: 1, parts: 1 } } = options;
  for (const category of categories) {
    const entries = await categoryEntries(category, files);
    for (const [index, entry] of entries.entries()) {
      if (!isInShare(share, index)) continue;
      if (!`${entry.iri} ${entry.name}`.toLowerCase().includes(filter.toLowerCase())) continue;
      yield await runEntry(category, entry, options);
    }
  }
}

/** The tests of a category. Throws when they are not as many as were published. */
export async function categoryEntries(category: Category, files: SuiteFiles): Promise<ManifestEntry[]> {
  const entries = (await readManifest(category.manifest, files)).filter(({ type }) => category.runners.has(type));
  if (entries.length !== category.total)
    throw new Error(
      `${category.name} has ${entries.length} tests in these suites and ${category.total} in the published ones; ` +
        'unpack a complete copy, or correct the total in categories.ts if the suite has changed.',
    );
  return entries;
}

async function runEntry(category: Category, entry: ManifestEntry, options: RunOptions): Promise<TestOutcome> {
  const { engine, files, skips, knownFailures, timeoutMs = 60_000 } = options;
  const about = { category: category.name, iri: entry.iri, name: entry.name };
  const skip = skips.get(entry.iri);
  if (skip !== undefined) return { ...about, outcome: 'skipped', reason: skip };
  const known = knownFailures.get(entry.iri);
  const failure = await attempt(category.runners.get(entry.type)!, entry, new TestBench(engine, files), timeoutMs);
  if (!failure)
    return known === undefined
      ? { ...about, outcome: 'passed', reason: '' }
      : { ...about, outcome: 'stale', reason: `passes, and is listed as a known failure: ${known}` };
  const { error } = failure;
  if (known !== undefined) return { ...about, outcome: 'known-failure', reason: known, error };
  return { ...about, outcome: 'failed', reason: oneLine(error), error };
}

async function attempt(
  runner: TestRunner,
  entry: ManifestEntry,
  bench: TestBench,
  timeoutMs: number,
): Promise<{ error: unknown } | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no end after ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    await Promise.race([runner(entry, bench), deadline]);
    return undefined;
  } catch (error) {
    return { error };
  } finally {
    clearTimeout(timer);
    await bench.dispose();
  }
}

function oneLine(error: unknown): string {
  const text =
    error instanceof Error ? `${error.name === 'Mismatch' ? '' : `${error.name}: `}${error.message}` : String(error);
  return text.replace(/\s+/g, ' ').slice(0, 400);
}
