import { figure } from '../figure.ts';
import type { Report } from '../report.ts';
import { DUMP_TASK } from './dump-task.ts';
import { loadPeers } from './load-peers.ts';
import { PEER_KINDS, type PeerKind, type PeerName, WORLDS } from './peers.ts';
import { queryTask } from './query-task.ts';
import { MAX_RATIO } from './ratio.ts';
import { measureTasks, type RoundSettings, roundsLine, type TaskResult } from './task-rounds.ts';
import { meanTable, taskTable } from './task-tables.ts';
import { tinyQueryTask } from './tiny-query-task.ts';
import { type UpdateSizes, updateTasks } from './update-tasks.ts';
import type { Workload } from './workload.ts';

export interface PeerSettings extends RoundSettings {
  readonly peers: readonly PeerName[];
  /** What a peer that can be stopped has for one answer. */
  readonly answerMs: number;
  readonly updates: UpdateSizes;
}

export interface PeerResult {
  /** The first is what the others are compared with. */
  readonly peers: readonly PeerKind[];
  readonly queries: readonly TaskResult[];
  /** Load, tiny query, updates, dump. */
  readonly others: readonly TaskResult[];
}

/** Measures everything with every peer. Throws when two of them, or what is expected, differ. */
export async function measurePeers(
  workload: Workload,
  { peers: names, answerMs, updates, ...lengths }: PeerSettings,
  progress: (message: string) => void,
): Promise<PeerResult> {
  const kinds = [WORLDS, ...names.map((name) => PEER_KINDS[name])];
  const { peers, result: load } = await loadPeers(kinds, workload, { rounds: lengths.rounds, answerMs }, progress);
  const queryTasks = workload.queries.map(queryTask);
  const tasks = [...queryTasks, tinyQueryTask(workload.input), ...updateTasks(updates), DUMP_TASK];
  try {
    const results = await measureTasks(tasks, peers, lengths, progress);
    return {
      peers: kinds,
      queries: results.slice(0, queryTasks.length),
      others: [load, ...results.slice(queryTasks.length)],
    };
  } finally {
    for (const store of new Set(peers.map((peer) => peer.store))) await store.release();
  }
}

export async function reportPeers(
  workload: Workload,
  settings: PeerSettings,
  progress: (message: string) => void,
): Promise<Report> {
  const { peers, queries, others } = await measurePeers(workload, settings, progress);
  const answerS = settings.answerMs / 1000;
  return {
    settings: [
      `${workload.input.name}: ${figure(others[0].answers[0]!.rows)} distinct quads; ${queries.length} ${workload.origin}, ${workload.expected.size} answers known beforehand`,
      [...new Set(peers.map(({ product }) => product.version()))].join('; '),
      roundsLine(settings, 'peers'),
    ],
    tables: [
      taskTable('Queries: CPU, ms', queries, peers, 'cpuMs'),
      taskTable('Queries: wall, ms', queries, peers, 'wallMs'),
      meanTable(queries, peers),
      taskTable('Other work: CPU, ms an operation', others, peers, 'cpuMs'),
      taskTable('Other work: wall, ms an operation', others, peers, 'wallMs'),
    ],
    notes: [
      'Figures are median (least-most). CPU is user and system time of all threads. A ratio is a peer over RDF Worlds, round by round: above 1 the peer is slower.',
      `In the mean each ratio counts at most ${MAX_RATIO}. The mean is over the queries that the peer answered; "-": no answer in ${answerS} s.`,
      'Rows and characters (of the values of all bound terms) are the same for all peers, and as expected where that is known; "any": LIMIT without ORDER BY, where only the rows are compared.',
      'RDF Worlds: `engine.query`, the value of every term of every row read. Terms: term objects, every value read. Strings: results as one string of JSON, or N-Triples; it is not parsed.',
      'An update is measured until nothing is pending in the background. Peers that share a store have its figures once. Rows of the updates are the triples that they left.',
    ],
  };
}
