import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../arguments.ts';
import type { Benchmark } from '../benchmark.ts';
import { runChild } from '../child-run.ts';
import { chooseLoadInput, fromUserFolder, openLoadInput } from '../load-input.ts';
import { type OptionValues, SEED_OPTION } from '../option.ts';
import type { Report } from '../report.ts';
import type { CommitRates } from './commit-rate.ts';
import type { CrowdMemory } from './crowded-memory.ts';
import { crowdReport, type DurableLaps, durableReport } from './durable-report.ts';
import type { DurableWork } from './durable-tasks.ts';
import { bytesBelow, type ImportLap, type ReopenLap } from './import-and-reopen.ts';

const OPTIONS = {
  file: { kind: 'file', meaning: 'RDF file to import, .nt or .nq, also with .gz behind it' },
  quads: {
    kind: 'integer',
    default: 0,
    min: 0,
    meaning: 'import so many generated quads, with --namespaces in each; 0: the shared LUBM file, 20,000 in each',
  },
  namespaces: {
    kind: 'integer',
    default: 0,
    min: 0,
    meaning: 'instead: random access to so many namespaces under a limit of memory',
  },
  cap: { kind: 'integer', default: 300, min: 1, meaning: 'with --namespaces: maxMemoryBytes, in MiB' },
  operations: { kind: 'integer', default: 4000, min: 1, meaning: 'with --namespaces: queries, searches and writes' },
  commits: {
    kind: 'integer',
    default: 500,
    min: 1,
    meaning: 'commits one after the other; 20 times as many in flight',
  },
  rounds: { kind: 'integer', default: 3, min: 1, meaning: 'measured rounds' },
  directory: { kind: 'file', meaning: 'directory for what is written, instead of the one for temporary files' },
  seed: SEED_OPTION,
} as const;

type Values = OptionValues<typeof OPTIONS>;

/** Words that occur in the generated documents and in LUBM's. */
const SEARCHED = 'university course';

export const durableBenchmark: Benchmark<typeof OPTIONS> = {
  name: 'durable',
  summary: 'worlds on disk: import, reopening, commits; or many namespaces under a limit of memory',
  options: OPTIONS,
  async run(values, progress): Promise<Report> {
    if (values.namespaces > 0 && values.file !== undefined) {
      throw new UsageError('--namespaces fills them with generated quads: leave --file out.');
    }
    const parent = values.directory === undefined ? tmpdir() : fromUserFolder(values.directory);
    const folder = await mkdtemp(join(parent, 'rdf-worlds-durable-'));
    try {
      return values.namespaces > 0 ? await crowd(values, folder, progress) : await laps(values, folder, progress);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

const child = <Result>(work: DurableWork) => runChild<Result>('durable-child', work);

async function crowd(
  { namespaces, quads: given, cap: capMiB, operations, seed }: Values,
  folder: string,
  progress: (message: string) => void,
): Promise<Report> {
  const quads = given === 0 ? 20_000 : given;
  const shared = { path: join(folder, 'crowd'), namespaces, quads, seed };
  progress(`filling ${namespaces} namespaces`);
  const filled = await child<{ quads: number }>({ task: 'fill', ...shared });
  if (filled.quads !== namespaces * quads) throw new Error(`There are ${filled.quads} quads in all namespaces.`);
  const diskBytes = await bytesBelow(shared.path);
  progress('random access');
  const memory = await child<CrowdMemory>({ task: 'crowd', ...shared, capMiB, operations });
  return crowdReport({ namespaces, quads, capMiB, diskBytes, seed }, memory);
}

async function laps(
  { file, quads, seed, rounds, commits }: Values,
  folder: string,
  progress: (message: string) => void,
): Promise<Report> {
  progress('reading the document');
  const { name, bytes, contentType } = await openLoadInput(chooseLoadInput({ file, quads, seed }));
  const document = join(folder, 'document');
  await writeFile(document, bytes);
  const memory: ImportLap[] = [];
  const disk: ImportLap[] = [];
  const reopened: ReopenLap[] = [];
  const oxigraph: DurableLaps['oxigraph'][number][] = [];
  let diskBytes = 0;
  for (let round = 1; round <= rounds; round++) {
    progress(`import and reopening, round ${round} of ${rounds}`);
    const path = join(folder, `import-${round}`);
    memory.push(await child({ task: 'import', document, contentType, path: null }));
    disk.push(await child({ task: 'import', document, contentType, path }));
    diskBytes = await bytesBelow(path);
    reopened.push(await child({ task: 'reopen', path, search: null }));
    oxigraph.push(await child({ task: 'oxigraph', document, contentType }));
  }
  const expected = memory[0].quads;
  for (const { quads: found } of [...memory, ...disk, ...reopened, ...oxigraph]) {
    if (found !== expected)
      throw new Error(`There are ${found} quads after one of the imports, ${expected} after another.`);
  }
  progress('the first search after reopening');
  const searched = await child<ReopenLap>({ task: 'reopen', path: join(folder, `import-${rounds}`), search: SEARCHED });
  progress('commits');
  const rates = await child<CommitRates>({
    ...{ task: 'commits', path: folder, rounds },
    ...{ single: commits, together: 20 * commits },
  });
  const input = { name, megabytes: bytes.length / 2 ** 20, rounds, commits };
  return durableReport(input, { memory, disk, diskBytes, reopened, oxigraph, searched, rates });
}
