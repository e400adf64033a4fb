import { describe, expect, it } from 'vitest';
import { CHROMIUM, INSTALL_CHROMIUM } from '../../../../scripts/chromium.mjs';
import { browserFiles, ROOMS, testFiles } from './build-suites.ts';
import { NEEDS_NODE } from './needs-node.ts';
import { runSuites } from './run-suites.ts';

if (!CHROMIUM) console.warn(`The core is not tested in a browser; ${INSTALL_CHROMIUM} installs one.`);

/** Quick files that use each part of the platform: bytes, hashes, streams, the event loop. */
const QUICK = [
  'formats/json-syntax.test.ts',
  'formats/jsonld-reader.test.ts',
  'formats/n3-reader.test.ts',
  'formats/rdf-formats.test.ts',
  'formats/rdfxml-reader.test.ts',
  'formats/utf8-text.test.ts',
  'search/rank-fusion.test.ts',
  'search/read-write-lock.test.ts',
  'search/text/analysis/tokenizer.test.ts',
  'search/vector/row-selection.test.ts',
  'sparql/expressions/functions.test.ts',
  'sparql/paced-stream.test.ts',
  'sparql/results/result-formats.test.ts',
  'sparql/syntax/tokens.test.ts',
];

describe('tests of core in Chromium', () => {
  it('are all, but for those that need Node', () => {
    const known = testFiles();
    expect(ROOMS.filter((room) => !known.some((file) => file.startsWith(`${room}/`)))).toEqual([]);
    expect([...NEEDS_NODE.keys()].filter((file) => !known.includes(file))).toEqual([]);
    expect(QUICK.filter((file) => !browserFiles().includes(file))).toEqual([]);
  });

  // `npm run test:browser` runs them all.
  it.skipIf(!CHROMIUM)('pass: the quick ones', async () => {
    const failures: string[] = [];
    const passed = new Map<string, number>();
    await runSuites(QUICK, (file, result) => {
      passed.set(file, result.passed);
      for (const { test, message } of result.failures) failures.push(`${file}: ${test}: ${message}`);
      for (const name of result.skipped) failures.push(`${file}: ${name}: skipped`);
    });
    expect(failures).toEqual([]);
    expect(QUICK.filter((file) => !passed.get(file))).toEqual([]);
  });
});
