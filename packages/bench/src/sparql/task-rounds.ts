import type { Lap } from '../stopwatch.ts';
import { type Answer, difference, type NamedAnswer } from './answer.ts';
import { type LapLengths, LapRunner, type TaskLap } from './lap.ts';
import type { Peer } from './peers.ts';
import type { Task } from './task.ts';
import type { Workload } from './workload.ts';

/** Rounds before those that count: laps get their length. */
export const WARM_ROUNDS = 1;

export interface RoundSettings extends LapLengths {
  /** That count. */
  readonly rounds: number;
}

/**
 * What one peer did; of a task about the store, the peers that share one have no laps but those of
 * the first.
 */
export type PeerLaps = readonly Lap[] | 'no answer' | 'shared store';

/** What became of one task; the lists are by peer. */
export interface TaskResult {
  readonly task: Pick<Task, 'name' | 'anyRows'>;
  /** One a round, for one operation. */
  readonly laps: readonly PeerLaps[];
  /** The same of all peers of one workload, in all rounds. */
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
  /** Undefined: a peer before this one does it for the store that they share. */
  readonly runner?: LapRunner;
  readonly laps: TaskLap[];
  answer?: Answer;
}

/**
 * Does every task with every peer in turn, round after round: what slows the machine down for a
 * while slows all of them. Throws when an answer is not the expected one, or, where none is known,
 * not that of the first peer with the same workload; after the round, so that all that differs is
 * named.
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
      return { task, peer, runner: isShared ? undefined : new LapRunner(task, peer, lengths), laps: [] };
    }),
  );
  const references = new References();
  for (let round = -WARM_ROUNDS; round < rounds; round++) {
    progress(roundName(round, rounds));
    const differences: string[] = [];
    for (const row of rows) {
      for (let turn = 0; turn < peers.length; turn++) {
        // Another one begins each time: nobody runs always behind the same one.
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
    row.map(({ runner, laps }) => (!runner ? 'shared store' : laps.length < rounds ? 'no answer' : laps.map(pick)));
  return rows.map((row) => ({
    task: row[0].task,
    laps: lapsOf(row, ({ lap }) => lap),
    firstLaps: lapsOf(row, ({ firstLap }) => firstLap),
    answers: row.map(({ answer }) => answer),
  }));
}

async function lapOf({ task, peer, runner }: Work): Promise<TaskLap | undefined> {
  try {
    return await runner?.next();
  } catch (cause) {
    throw new Error(`${task.name}: ${peer.name} failed.`, { cause });
  }
}

/** What answers are compared with. */
class References {
  private readonly first = new Map<Workload, Map<Task, NamedAnswer>>();

  /** What is wrong with an answer; undefined when it is right. */
  check(task: Task, { name, workload }: Peer, answer: Answer): string | undefined {
    const given: NamedAnswer = { by: name, answer };
    const known = workload.expected.get(task.name);
    return difference(
      task.name,
      task.anyRows,
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

/** For the progress: rounds that do not count are below 0. */
export function roundName(round: number, rounds: number): string {
  return round < 0 ? `warming up, ${round + WARM_ROUNDS + 1} of ${WARM_ROUNDS}` : `round ${round + 1} of ${rounds}`;
}

/** For the settings of a report. */
export function roundsLine({ rounds, lapMs, warmMs }: RoundSettings, who: string): string {
  return `${rounds} rounds after ${WARM_ROUNDS} to warm up, ${who} in turn in one process; laps of ${lapMs} ms CPU or more, each after ${warmMs} ms of the same work, both four times as long for what takes less than a millisecond; every query in a text of its own`;
}
