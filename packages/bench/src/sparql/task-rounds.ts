import type { Lap } from '../stopwatch.ts';
import { type Answer, difference, type NamedAnswer } from './answer.ts';
import { type LapLengths, LapRunner, type TaskLap } from './lap.ts';
import type { TextKind } from './named-query.ts';
import type { Peer } from './peers.ts';
import type { Task } from './task.ts';
import type { Workload } from './workload.ts';

/** Warm-up rounds, which also determine the lengths of the laps. */
export const WARM_ROUNDS = 1;

export interface RoundSettings extends LapLengths {
  /** Number of measured rounds. */
  readonly rounds: number;
}

/**
 * The laps of one peer. For tasks on the store, only the first of the peers that share a store has
 * laps; a peer that a task is not for has none.
 */
export type PeerLaps = readonly Lap[] | 'no answer' | 'shared store' | 'not asked';

/** The results of one task; the lists are by peer. */
export interface TaskResult {
  readonly task: Pick<Task, 'name' | 'anyRows'>;
  /** One lap per round, for one operation. */
  readonly laps: readonly PeerLaps[];
  /** The same for all peers of one workload, in all rounds. */
  readonly answers: readonly (Answer | undefined)[];
}

export interface TaskRounds extends TaskResult {
  /** See {@link TaskLap.firstLap}. */
  readonly firstLaps: readonly PeerLaps[];
}

/** One task with one peer. */
interface Work {
  readonly task: Task;
  readonly peer: Peer;
  readonly runner: LapRunner | 'shared store' | 'not asked';
  readonly laps: TaskLap[];
  answer?: Answer;
}

/**
 * Runs every task with every peer in turn, round after round, so that temporary slowness of the
 * machine affects all of them. Throws if an answer differs from the expected one or, if none is
 * known, from that of the first peer with the same workload. Throws at the end of the round, to
 * report all differences.
 */
export async function measureTasks(
  tasks: readonly Task[],
  peers: readonly Peer[],
  { rounds, ...lengths }: RoundSettings,
  progress: (message: string) => void,
): Promise<TaskRounds[]> {
  const quads = await countAll(peers);
  const rows = tasks.map((task) =>
    peers.map((peer): Work => {
      const isShared = task.kind === 'store' && peers.find(({ store }) => store === peer.store) !== peer;
      const runner = !task.isFor(peer) ? 'not asked' : isShared ? 'shared store' : new LapRunner(task, peer, lengths);
      return { task, peer, runner, laps: [] };
    }),
  );
  const references = new References();
  for (let round = -WARM_ROUNDS; round < rounds; round++) {
    progress(roundName(round, rounds));
    const differences: string[] = [];
    for (const row of rows) {
      for (let turn = 0; turn < peers.length; turn++) {
        // The order rotates, so that no peer always runs after the same one.
        const work = row[(turn + round + WARM_ROUNDS) % peers.length];
        const done = await lapOf(work);
        if (!done) continue;
        work.answer = done.answer;
        if (round >= 0) work.laps.push(done);
        const wrong = references.check(work.task, work.peer, done.answer);
        if (wrong) differences.push(wrong);
      }
    }
    if (differences.length > 0) throw new Error(`The answers differ.\n${differences.join('\n')}`);
  }
  const left = await countAll(peers);
  if (left.some((count, at) => count !== quads[at])) {
    throw new Error(`After the updates the stores hold ${left.join(', ')} quads, before them ${quads.join(', ')}.`);
  }
  const lapsOf = (row: readonly Work[], pick: (lap: TaskLap) => Lap) =>
    row.map(({ runner, laps }) =>
      typeof runner === 'string' ? runner : laps.length < rounds ? 'no answer' : laps.map(pick),
    );
  return rows.map((row) => ({
    task: row[0].task,
    laps: lapsOf(row, ({ lap }) => lap),
    firstLaps: lapsOf(row, ({ firstLap }) => firstLap),
    answers: row.map(({ answer }) => answer),
  }));
}

async function lapOf({ task, peer, runner }: Work): Promise<TaskLap | undefined> {
  try {
    return typeof runner === 'string' ? undefined : await runner.next();
  } catch (cause) {
    throw new Error(`${task.name}: ${peer.name} failed.`, { cause });
  }
}

/** The reference answers. */
class References {
  private readonly first = new Map<Workload, Map<Task, NamedAnswer>>();

  /** Describes an error in an answer; undefined if it is right. */
  check(task: Task, { name, workload }: Peer, answer: Answer): string | undefined {
    const given: NamedAnswer = { by: name, answer };
    const known = workload.expected.get(task.name);
    return difference(
      task.name,
      // Products write numbers and times of generated workloads differently (12.50 and 12.5), and
      // `checkAnswers` has compared their values.
      task.anyRows || workload.input.dataset !== undefined,
      given,
      known ? { by: 'expected', answer: known } : this.firstOf(workload, task, given),
    );
  }

  private firstOf(workload: Workload, task: Task, given: NamedAnswer): NamedAnswer {
    const answers = this.first.get(workload) ?? new Map<Task, NamedAnswer>();
    this.first.set(workload, answers);
    const first = answers.get(task) ?? given;
    answers.set(task, first);
    return first;
  }
}

async function countAll(peers: readonly Peer[]): Promise<number[]> {
  return Promise.all(peers.map(({ store }) => store.countQuads()));
}

/** Names a round for progress messages; warm-up rounds are negative. */
export function roundName(round: number, rounds: number): string {
  return round < 0 ? `warming up, ${round + WARM_ROUNDS + 1} of ${WARM_ROUNDS}` : `round ${round + 1} of ${rounds}`;
}

/** Describes the rounds, for the settings of a report. */
export function roundsLine({ rounds, lapMs, warmMs }: RoundSettings, who: string, texts: TextKind = 'new'): string {
  return `${rounds} rounds after ${WARM_ROUNDS} to warm up, ${who} in turn in one process; laps of ${lapMs} ms CPU or more, each after ${warmMs} ms of the same work, both four times as long for what takes less than a millisecond; every query in a text of its own${texts === 'new' ? '' : ', which differs in a comment alone'}`;
}
