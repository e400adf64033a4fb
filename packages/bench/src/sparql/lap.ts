import { becomeIdle } from '../idle.ts';
import { type Lap, Stopwatch } from '../stopwatch.ts';
import type { Answer } from './answer.ts';
import type { Peer } from './peers.ts';
import type { Task } from './task.ts';

/** CPU time that laps take where a task may be repeated, in milliseconds. */
export interface LapLengths {
  /** Of a lap that does not count: long enough for code to be compiled. */
  readonly warmMs: number;
  /** Of one that does, at least: enough for the clock, and for its share of garbage collection. */
  readonly lapMs: number;
}

export const LAP_LENGTHS: LapLengths = { warmMs: 500, lapMs: 50 };
const MAX_REPETITIONS = 5000;
const MAX_WARM_TRIALS = 10;

export interface TaskLap {
  /** For one operation. */
  readonly lap: Lap;
  readonly answer: Answer;
}

/** Does one task with one peer again and again, as often in each lap as it takes for the clock. */
export class LapRunner {
  private readonly task: Task;
  private readonly peer: Peer;
  private readonly lengths: LapLengths;
  private repetitions = 1;
  private isGivenUp = false;

  constructor(task: Task, peer: Peer, lengths: LapLengths) {
    this.task = task;
    this.peer = peer;
    this.lengths = lengths;
  }

  /** One lap; undefined from the time on that the peer did not answer. */
  async next({ isWarm }: { readonly isWarm: boolean }): Promise<TaskLap | undefined> {
    const { warmMs, lapMs } = this.lengths;
    let usedMs = 0;
    for (let trials = 1; !this.isGivenUp; trials++) {
      const done = isWarm ? await this.trial(MAX_REPETITIONS, warmMs) : await this.trial(this.repetitions);
      if (!done) break;
      this.repetitions = Math.min(MAX_REPETITIONS, Math.ceil((lapMs * done.runs) / done.cpuMs));
      usedMs += done.cpuMs;
      // What cannot be run twice in a row is made ready again, so that it gets warm too.
      if (!isWarm || usedMs >= warmMs || trials === MAX_WARM_TRIALS) return done;
    }
    this.isGivenUp = true;
    return undefined;
  }

  /** Runs so many times, or, with `enoughMs`, until so much CPU time is used. */
  private async trial(
    repetitions: number,
    enoughMs?: number,
  ): Promise<(TaskLap & { readonly runs: number; readonly cpuMs: number }) | undefined> {
    const { task, peer } = this;
    const trial = await task.prepare(peer);
    await becomeIdle();
    const last = trial.isRepeatable ? repetitions : 1;
    const watch = new Stopwatch();
    let outcome = await trial.run();
    let runs = 1;
    const isEnough = () => enoughMs !== undefined && watch.lap().cpuMs >= enoughMs;
    for (; outcome && runs < last && !isEnough(); runs++) outcome = await trial.run();
    const { cpuMs, wallMs } = watch.lap();
    const answer = await outcome?.();
    await trial.restore?.();
    await peer.store.clean?.();
    const operations = runs * task.operations;
    return answer && { lap: { cpuMs: cpuMs / operations, wallMs: wallMs / operations }, answer, runs, cpuMs };
  }
}
