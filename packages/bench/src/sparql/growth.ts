import { UsageError } from '../arguments.ts';
import { figure } from '../figure.ts';
import type { Report } from '../report.ts';
import { type Peer, WORLDS } from './peers.ts';
import { queryTask } from './query-task.ts';
import { ratioOf } from './ratio.ts';
import { measureTasks, type RoundSettings, roundsLine, type TaskResult } from './task-rounds.ts';
import { ratioCell, timeCell } from './task-tables.ts';
import { openWorkload, type WorkloadSettings } from './workload.ts';

/** The ratio of the sizes of the large and the small document. */
const FACTOR = 10;

/**
 * Runs the same queries on both documents. Throws `UsageError` for `--file`, which names only one
 * document.
 */
export async function measureGrowth(
  settings: WorkloadSettings,
  lengths: RoundSettings,
  progress: (message: string) => void,
): Promise<{ readonly peers: readonly Peer[]; readonly results: readonly TaskResult[] }> {
  if (settings.file !== undefined) throw new UsageError('--growth needs two documents, and --file names one.');
  if (settings.quads > 0 && settings.quads < FACTOR) throw new UsageError(`--growth needs ${FACTOR} quads or more.`);
  const workloads = [
    await openWorkload({ ...settings, size: '100k', quads: Math.floor(settings.quads / FACTOR) }),
    await openWorkload({ ...settings, size: '1m' }),
  ];
  const peers: Peer[] = [];
  for (const workload of workloads) {
    progress(`loading ${workload.input.name}`);
    const store = await WORLDS.product.open(0);
    await store.load(workload.input);
    peers.push({ ...WORLDS, name: `${figure(await store.countQuads())} quads`, workload, store });
  }
  const results = await measureTasks(
    workloads[0].queries.map((query) => queryTask(query)),
    peers,
    lengths,
    progress,
  );
  for (const { store } of peers) await store.release();
  return { peers, results };
}

export async function reportGrowth(
  settings: WorkloadSettings,
  lengths: RoundSettings,
  progress: (message: string) => void,
): Promise<Report> {
  const { peers, results } = await measureGrowth(settings, lengths, progress);
  return {
    settings: [
      `${peers.map(({ workload }) => workload.input.name).join('; ')}; ${results.length} ${peers[0].workload.origin}; text index off`,
      roundsLine(lengths, 'both sizes'),
    ],
    tables: [
      {
        title: 'RDF Worlds: CPU, ms',
        columns: ['', ...peers.flatMap(({ name }) => ['rows', name]), 'ratio'],
        rows: results.map((result) => [
          result.task.name,
          ...peers.flatMap((_, at) => [figure(result.answers[at]!.rows), timeCell(result.laps[at], 'cpuMs')]),
          ratioCell(ratioOf(result, 1, 'cpuMs')!),
        ]),
      },
    ],
    notes: ['Figures are median (least-most). The ratio is the larger document over the smaller one, round by round.'],
  };
}
