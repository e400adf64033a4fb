import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { comunicaEngine } from '@rdf-worlds/comunica';
import { nativeEngine } from '@rdf-worlds/core';
import type { SparqlEngine } from '@rdf-worlds/core/plugin';
import { CATEGORIES } from './categories.ts';
import { KNOWN_FAILURES } from './known-failures.ts';
import { closingLine, formatReport, reportJson, summarize } from './report.ts';
import { parseShare } from './share.ts';
import { MANIFESTS_NOT_RUN, SKIPS } from './skips.ts';
import { staleEntries } from './stale-entries.ts';
import { STORAGE_SETTINGS } from './storage-setting.ts';
import { suiteDocumentLoader } from './suite-document-loader.ts';
import { SuiteFiles } from './suite-files.ts';
import { runSuites, type TestOutcome } from './suite-run.ts';
import { locateSuites, unpackSuites } from './suites-folder.ts';

const USAGE = `Usage: npm run conformance -- [--suite name] [--engine name] [--storage name] [--filter text] [--share 1/3] [--verbose] [--json file]
  --suite   run the categories whose name holds it, in any case
  --engine  native (the default), native-1 and native-3 (batches of so many rows), native-plain (optimizer off), or comunica
  --storage none (the default), memory, file (a temporary directory), file-reopened (closed and opened between writing and reading),
            postgres and postgres-reopened (a server in a temporary directory), or pglite
  --filter  run the tests whose name or IRI holds it, in any case
  --share   run only the first, say, of three equal shares of the tests of each suite
  --verbose name every test as it ends, and show the stack of failures
  --json    write the summary and what did not pass to a file`;

/** What the SPARQL suites can run on. */
const ENGINES: ReadonlyMap<string, () => SparqlEngine> = new Map([
  ['native', () => nativeEngine()],
  ['native-1', () => nativeEngine({ batchRows: 1 })],
  ['native-3', () => nativeEngine({ batchRows: 3 })],
  ['native-plain', () => nativeEngine({ optimize: false })],
  ['comunica', () => comunicaEngine()],
]);

const CHECKOUT = fileURLToPath(new URL('../../../', import.meta.url));

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      suite: { type: 'string', default: '' },
      engine: { type: 'string', default: 'native' },
      storage: { type: 'string', default: 'none' },
      filter: { type: 'string', default: '' },
      share: { type: 'string', default: '1/1' },
      verbose: { type: 'boolean', default: false },
      json: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const makeEngine = ENGINES.get(values.engine);
  if (!makeEngine) {
    console.error(`No engine is called "${values.engine}". The engines are: ${[...ENGINES.keys()].join(', ')}`);
    return 2;
  }
  const storage = STORAGE_SETTINGS.get(values.storage);
  if (!storage) {
    const names = [...STORAGE_SETTINGS.keys()].join(', ');
    console.error(`No storage is called "${values.storage}". The storages are: ${names}`);
    return 2;
  }
  const share = parseShare(values.share);
  if (!share) {
    console.error(`"${values.share}" is no share of the tests. Shares are written as in 2/3, the second of three.`);
    return 2;
  }
  const wanted = values.suite.toLowerCase();
  const categories = CATEGORIES.filter(({ name }) => name.toLowerCase().includes(wanted));
  if (categories.length === 0) {
    const names = CATEGORIES.map(({ name }) => `  ${name}`).join('\n');
    console.error(`No suite has a name with "${values.suite}" in it. The suites are:\n${names}`);
    return 2;
  }

  const nothingRun = async (reason: string): Promise<number> => {
    console.log(reason);
    const summary = { categories: [], passed: 0, failed: 0, knownFailures: 0, skipped: 1 };
    if (values.json) await writeFile(values.json, reportJson([], summary));
    console.log(closingLine(summary));
    return 0;
  };
  const absent = storage.absent?.();
  if (absent) return nothingRun(`Nothing was run on ${values.storage}: ${absent}.`);
  const location = locateSuites(CHECKOUT);
  if (location.kind === 'absent')
    return nothingRun(
      `The W3C suites are absent: nothing was run. Looked for ${location.looked}; ` +
        'set RDF_WORLDS_W3C to the archive or to an unpacked suites folder.',
    );
  const folder =
    location.kind === 'folder' ? location.path : await unpackSuites(location.path, join(CHECKOUT, '.cache', 'w3c'));
  const files = new SuiteFiles(folder);

  const setting = await storage.open({ sparql: makeEngine(), documentLoader: suiteDocumentLoader(files) });
  const outcomes: TestOutcome[] = [];
  try {
    const run = runSuites({
      engine: setting.engine,
      files,
      categories,
      skips: SKIPS,
      knownFailures: KNOWN_FAILURES,
      filter: values.filter,
      share,
    });
    for await (const outcome of run) {
      outcomes.push(outcome);
      if (!values.verbose) continue;
      console.log(`${outcome.outcome}: ${outcome.category}: ${outcome.name} <${outcome.iri}>`);
      if (outcome.outcome === 'failed') console.log(outcome.error);
    }
  } finally {
    await setting.close();
  }

  const summary = summarize(outcomes);
  if (values.json) await writeFile(values.json, reportJson(outcomes, summary));
  const whole = categories.length === CATEGORIES.length && values.filter === '' && share.parts === 1;
  if (whole) {
    console.log('Not run, manifests of the SPARQL 1.1 suite:');
    for (const [manifest, reason] of MANIFESTS_NOT_RUN) console.log(`  ${manifest}: ${reason}`);
    console.log('');
  }
  // Before the report, so that its closing line stays the last one.
  const tests = new Set(outcomes.map(({ iri }) => iri));
  const stale = whole ? [...staleEntries(SKIPS, tests), ...staleEntries(KNOWN_FAILURES, tests)] : [];
  for (const iri of stale)
    console.log(`skips.ts or known-failures.ts lists <${iri}>, which is not a test of the suites.`);
  console.log(formatReport(outcomes, summary));
  return summary.failed > 0 || stale.length > 0 ? 1 : 0;
}

process.exitCode = await main();
