import { figure } from '../figure.ts';
import type { Report } from '../report.ts';
import { installedPeer } from '../search/installed-peer.ts';
import { type CheckedAnswer, checkAnswers } from './check-answers.ts';
import { DUMP_TASK } from './dump-task.ts';
import { loadPeers } from './load-peers.ts';
import { type TextKind, textIn } from './named-query.ts';
import { PEER_KINDS, type PeerKind, type PeerName, WORLDS } from './peers.ts';
import { queryTask } from './query-task.ts';
import { MAX_RATIO } from './ratio.ts';
import { measureTasks, type RoundSettings, roundsLine, type TaskResult, type TaskRounds } from './task-rounds.ts';
import { firstLapsOf, lossTable, meanTable, taskTable } from './task-tables.ts';
import { tinyQueryTask } from './tiny-query-task.ts';
import { type UpdateSizes, updateTasks } from './update-tasks.ts';
import type { Workload } from './workload.ts';

export interface PeerSettings extends RoundSettings {
  readonly peers: readonly PeerName[];
  /** Time limit per answer, for peers that can be stopped. */
  readonly answerMs: number;
  readonly updates: UpdateSizes;
  readonly texts?: TextKind;
  /** A folder whose `node_modules` has the optional peers. */
  readonly from?: string;
}

export interface PeerResult {
  /** The others are compared with the first. */
  readonly peers: readonly PeerKind[];
  readonly load: TaskResult;
  readonly queries: readonly TaskRounds[];
  /** Tiny query, updates, dump. */
  readonly others: readonly TaskRounds[];
  readonly checked: readonly CheckedAnswer[];
  /** The peers that were asked for and cannot take part, and why. */
  readonly missing: readonly string[];
}

/**
 * Runs all tasks with every peer. Throws if answers differ from each other or from the expected
 * ones.
 */
export async function measurePeers(
  workload: Workload,
  { peers: names, answerMs, updates, from, texts, ...lengths }: PeerSettings,
  progress: (message: string) => void,
): Promise<PeerResult> {
  const { kinds, missing } = await choosePeers(names, workload, from);
  const { peers, result: load } = await loadPeers(
    kinds,
    workload,
    { rounds: lengths.rounds, answerMs, from },
    progress,
  );
  const queryTasks = workload.queries.map((query) => queryTask(query, texts));
  // The other tasks do not depend on what the data are like: they are measured on LUBM.
  const otherTasks = workload.input.dataset ? [] : [tinyQueryTask(workload.input), ...updateTasks(updates), DUMP_TASK];
  const tasks = [...queryTasks, ...otherTasks];
  try {
    const checked = await checkAnswers(workload.queries, peers, progress);
    const results = await measureTasks(tasks, peers, lengths, progress);
    return {
      peers: kinds,
      load,
      queries: results.slice(0, queryTasks.length),
      others: results.slice(queryTasks.length),
      checked,
      missing,
    };
  } finally {
    for (const store of new Set(peers.map((peer) => peer.store))) await store.release();
  }
}

/** Returns the peers that take part, the reference first. */
async function choosePeers(
  names: readonly PeerName[],
  { queries }: Workload,
  from: string | undefined,
): Promise<{ readonly kinds: readonly PeerKind[]; readonly missing: readonly string[] }> {
  const kinds: PeerKind[] = [WORLDS];
  const missing: string[] = [];
  for (const kind of names.map((name): PeerKind => PEER_KINDS[name])) {
    const { optionalPackage } = kind.product;
    if (queries.every((query) => textIn(query, kind.language) === undefined)) {
      missing.push(`${kind.name}: the queries are not written for it`);
    } else if (optionalPackage !== undefined && !(await installedPeer(optionalPackage, from)).isThere) {
      missing.push(`${kind.name}: ${optionalPackage} is not installed (npm run bench:peers)`);
    } else kinds.push(kind);
  }
  return { kinds, missing };
}

export async function reportPeers(
  workload: Workload,
  settings: PeerSettings,
  progress: (message: string) => void,
): Promise<Report> {
  const { peers, load, queries, others, checked, missing } = await measurePeers(workload, settings, progress);
  const answerS = settings.answerMs / 1000;
  return {
    settings: [
      `${workload.input.name}: ${figure(load.answers[0]!.rows)} distinct quads; ${queries.length} ${workload.origin}, ${workload.expected.size} answers known beforehand`,
      [...new Set(peers.map(({ product }) => product.version(settings.from)))].join('; '),
      ...missing,
      `rows compared by checksum before measuring: ${new Set(checked.map(({ query }) => query)).size} queries, ${figure(checked.length)} answers, all equal`,
      roundsLine(settings, 'peers', settings.texts),
    ],
    tables: [
      lossTable(queries, peers),
      meanTable(queries, peers),
      meanTable(queries.map(firstLapsOf), peers, 'All queries, first laps: geometric mean of the ratios'),
      taskTable('Queries: CPU, ms', queries, peers, 'cpuMs'),
      taskTable('Queries: wall, ms', queries, peers, 'wallMs'),
      taskTable('Other work: CPU, ms an operation', [load, ...others], peers, 'cpuMs'),
      taskTable('Other work: wall, ms an operation', [load, ...others], peers, 'wallMs'),
      taskTable('First laps of the queries: CPU, ms', queries.map(firstLapsOf), peers, 'cpuMs'),
      ...(others.length > 0
        ? [taskTable('First laps of other work: CPU, ms an operation', others.map(firstLapsOf), peers, 'cpuMs')]
        : []),
    ],
    notes: [
      'Figures are median (least-most). CPU is user and system time of all threads. A ratio is a peer over RDF Worlds, round by round: above 1 the peer is slower.',
      `In the mean each ratio counts at most ${MAX_RATIO}. The mean is over the queries that the peer answered; "-": no answer in ${answerS} s.`,
      'Rows and characters (of the values of all bound terms) are the same for all peers, and as expected where that is known; "any": LIMIT without ORDER BY, where only the rows are compared. Of generated workloads the characters are those of RDF Worlds, and the values are compared by checksum: products spell numbers differently.',
      'RDF Worlds: `engine.query`, the value of every term of every row read. Terms: term objects, every value read. Strings: results as one string of JSON, or N-Triples; it is not parsed.',
      'DuckDB: in memory, `SET threads = 1`, every value cast to a string by DuckDB and read as one. `tables`: a table per class with typed columns and integer keys; `ids`: triples of ids and a table of terms with their values. Its characters differ, since it writes numbers and times differently; its loading is COPY of CSV files that were made before.',
      'A first lap is one after all other tasks of the round, each with a full collection before it: V8 has thrown compiled code away meanwhile.',
      'An update is measured until nothing is pending in the background. Peers that share a store have its figures once. Rows of the updates are the triples that they left.',
    ],
  };
}
