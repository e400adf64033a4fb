import { UsageError } from '../arguments.ts';
import type { Benchmark } from '../benchmark.ts';
import { SEED_OPTION } from '../option.ts';
import type { Report } from '../report.ts';
import { WORKLOAD_NAMES, type WorkloadName } from '../workloads/workloads.ts';
import { reportCancellation } from './cancellation-report.ts';
import { reportGrowth } from './growth.ts';
import { LAP_LENGTHS } from './lap.ts';
import { TEXT_KINDS } from './named-query.ts';
import { reportPeers } from './peer-report.ts';
import { PEER_NAMES } from './peers.ts';
import { UPDATE_SIZES } from './update-tasks.ts';
import { openWorkload, SIZES, type Size } from './workload.ts';

const OPTIONS = {
  workload: {
    kind: 'choice',
    choices: ['lubm', ...WORKLOAD_NAMES] as ('lubm' | WorkloadName)[],
    default: 'lubm',
    meaning: 'document and queries',
  },
  percent: {
    kind: 'integer',
    default: 100,
    min: 1,
    meaning: 'size of a generated workload, of about a million triples',
  },
  size: {
    kind: 'choice',
    choices: Object.keys(SIZES) as Size[],
    default: '1m',
    meaning: 'of the shared LUBM file, or of generated data where there is none',
  },
  file: { kind: 'file', meaning: 'N-Triples or N-Quads to query instead, also with .gz behind it' },
  queries: { kind: 'file', meaning: 'folder of .rq files to ask instead' },
  quads: { kind: 'integer', default: 0, min: 0, meaning: 'query so many generated quads; 0: the shared LUBM file' },
  peers: {
    kind: 'choices',
    choices: PEER_NAMES,
    default: 'oxigraph,oxigraph-strings,duckdb,duckdb-ids',
    meaning: 'compared with',
  },
  'peers-from': { kind: 'file', meaning: 'folder with a node_modules that has DuckDB; else packages/bench/peers' },
  texts: {
    kind: 'choice',
    choices: TEXT_KINDS,
    default: 'new',
    meaning: 'how each text of a query differs from the others',
  },
  rounds: { kind: 'integer', default: 5, min: 1, meaning: 'measured rounds, after two that do not count' },
  timeout: { kind: 'integer', default: 60, min: 1, meaning: 'seconds that Comunica has for an answer' },
  seed: SEED_OPTION,
  markdown: { kind: 'flag', meaning: 'tables in Markdown' },
  growth: { kind: 'flag', meaning: 'instead: the same queries on a tenth of the data' },
  cancel: { kind: 'flag', meaning: 'instead: how soon an aborted query stops, how long a timer waits for one' },
} as const;

export const sparqlBenchmark: Benchmark<typeof OPTIONS> = {
  name: 'sparql',
  summary: 'queries, updates, load and dump, against peers in the same process',
  options: OPTIONS,
  async run(settings, progress): Promise<Report> {
    const { growth, cancel, peers, rounds, timeout, texts } = settings;
    if (growth && cancel) throw new UsageError('--growth and --cancel measure two things: give one of them.');
    if (growth) return reportGrowth(settings, { ...LAP_LENGTHS, rounds }, progress);
    progress('reading the document');
    const workload = await openWorkload(settings);
    if (cancel) return reportCancellation(workload, progress);
    const lengths = {
      ...LAP_LENGTHS,
      rounds,
      answerMs: timeout * 1000,
      updates: UPDATE_SIZES,
      texts,
      from: settings['peers-from'],
    };
    return { ...(await reportPeers(workload, { ...lengths, peers }, progress)), isMarkdown: settings.markdown };
  },
};
