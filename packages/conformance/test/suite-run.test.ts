import { WorldsError } from '@rdf-worlds/core';
import { describe, expect, it } from 'vitest';
import type { Category } from '../src/categories.ts';
import type { EngineUnderTest } from '../src/engine-under-test.ts';
import { Mismatch } from '../src/mismatch.ts';
import { closingLine, formatReport, reportJson, summarize } from '../src/report.ts';
import { parseShare, type Share } from '../src/share.ts';
import { staleEntries } from '../src/stale-entries.ts';
import type { SuiteFiles } from '../src/suite-files.ts';
import { runSuites, type TestOutcome } from '../src/suite-run.ts';
import { expectRejection } from '../src/test-bench.ts';
import type { TestRunner } from '../src/test-runner.ts';

const MANIFEST = 'https://w3c.github.io/json-ld-api/tests/toRdf-manifest.jsonld';
const TEST = 'https://w3c.github.io/json-ld-api/tests/toRdf-manifest#';
const names = ['good', 'bad', 'skipped', 'known', 'cured', 'slow'];
const files = {
  text: async () =>
    JSON.stringify({
      baseIri: 'https://w3c.github.io/json-ld-api/tests/',
      sequence: names.map((name) => ({ '@id': `#${name}`, '@type': ['urn:type'], name, input: `${name}.jsonld` })),
    }),
} as unknown as SuiteFiles;

const made: string[] = [];
const deleted: string[] = [];
const engine = {
  createWorld: async ({ slug }: { slug: string }) => made.push(slug),
  deleteWorld: async ({ source }: { source: string }) => {
    deleted.push(source);
  },
} as unknown as EngineUnderTest;

const runner: TestRunner = async ({ name }, bench) => {
  await bench.world();
  if (name === 'bad') throw new Mismatch('expected\n this, got that');
  if (name === 'known') throw new TypeError('oops');
  if (name === 'slow') await new Promise(() => {});
};
const category: Category = {
  name: 'Some tests',
  manifest: MANIFEST,
  total: 6,
  runners: new Map([['urn:type', runner]]),
};

async function run(options: { filter?: string; share?: Share; total?: number } = {}): Promise<TestOutcome[]> {
  const outcomes: TestOutcome[] = [];
  for await (const outcome of runSuites({
    engine,
    files,
    categories: [{ ...category, total: options.total ?? category.total }],
    skips: new Map([[`${TEST}skipped`, 'needs what is not there']]),
    knownFailures: new Map([
      [`${TEST}known`, 'a defect of theirs'],
      [`${TEST}cured`, 'was a defect'],
    ]),
    filter: options.filter,
    share: options.share,
    timeoutMs: 20,
  }))
    outcomes.push(outcome);
  return outcomes;
}

describe('runSuites', () => {
  it('ends every test in one way, with its reason, and deletes its worlds', async () => {
    made.length = deleted.length = 0;
    const outcomes = await run();
    expect(outcomes.map(({ name, outcome, reason }) => [name, outcome, reason])).toEqual([
      ['good', 'passed', ''],
      ['bad', 'failed', `expected this, got that`],
      ['skipped', 'skipped', 'needs what is not there'],
      ['known', 'known-failure', 'a defect of theirs'],
      ['cured', 'stale', 'passes, and is listed as a known failure: was a defect'],
      ['slow', 'failed', 'Error: no end after 20 ms'],
    ]);
    expect(made).toHaveLength(5);
    expect(deleted).toEqual(made);
  });

  it('runs the tests whose name or IRI holds the filter', async () => {
    expect((await run({ filter: 'GOOD' })).map(({ name }) => name)).toEqual(['good']);
    expect(await run({ filter: 'toRdf-manifest#s' })).toHaveLength(2);
  });

  it('runs each test in one of the shares', async () => {
    const shares = await Promise.all(['1/3', '2/3', '3/3'].map((text) => run({ share: parseShare(text) })));
    expect(shares.map((share) => share.map(({ name }) => name))).toEqual([
      ['good', 'known'],
      ['bad', 'cured'],
      ['skipped', 'slow'],
    ]);
  });

  it.each(['', '0/3', '4/3', '1', '1/', '1/3/5', 'a/b'])('knows no share %j', (text) => {
    expect(parseShare(text)).toBeUndefined();
  });

  it('refuses a suite that lost tests', async () => {
    await expect(run({ total: 7 })).rejects.toThrow(/has 6 tests in these suites and 7 in the published ones/);
  });
});

describe('the report', () => {
  it('counts a known failure as a failure in the table, and apart from the others in the closing line', async () => {
    const outcomes = await run();
    const summary = summarize(outcomes);
    expect(summary).toEqual({
      categories: [{ category: 'Some tests', passed: 2, failed: 3, skipped: 1, total: 6 }],
      passed: 1,
      failed: 3,
      knownFailures: 1,
      skipped: 1,
    });
    const report = formatReport(outcomes, summary);
    expect(report).toContain(`  Some tests: bad <${TEST}bad>\n    expected this, got that`);
    expect(report).toMatch(/\nSome tests +2 +3 +1 +6\n/);
    expect(report.split('\n').slice(-2)).toEqual(['known failures: 1', '1 passed, 3 failed, 2 skipped']);
    expect(JSON.parse(reportJson(outcomes, summary)).outcomes).toHaveLength(5);
  });

  it('mentions skipped tests only where there are any', () => {
    expect(closingLine({ passed: 3, failed: 0, skipped: 0, knownFailures: 0 })).toBe('3 passed, 0 failed');
  });

  it('finds entries of the tables that are not tests', () => {
    expect(
      staleEntries(
        new Map([
          ['urn:a', 'x'],
          ['urn:b', 'y'],
        ]),
        new Set(['urn:a']),
      ),
    ).toEqual(['urn:b']);
  });
});

describe('expectRejection', () => {
  const refuse = async (error: unknown) => {
    throw error;
  };
  it('passes for the code alone', async () => {
    await expectRejection(refuse(new WorldsError('INVALID_RDF', 'no')), 'INVALID_RDF');
    await expect(expectRejection(refuse(new WorldsError('INTERNAL', 'no')), 'INVALID_RDF')).rejects.toThrow(
      'refused, but not as INVALID_RDF: INTERNAL: no',
    );
    await expect(expectRejection(refuse(new TypeError('no')), 'INVALID_RDF')).rejects.toThrow(/TypeError: no/);
    await expect(expectRejection(Promise.resolve(), 'INVALID_RDF')).rejects.toThrow('accepted');
  });
});
