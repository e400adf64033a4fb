import { becomeIdle } from '../idle.ts';
import { type Lap, Stopwatch } from '../stopwatch.ts';
import type { Answer } from './answer.ts';
import type { Peer } from './peers.ts';
import type { Task } from './task.ts';

/** CPU time that laps take where a task may be repeated, in milliseconds. */
export interface LapLengths {
  /** That a task runs for before its lap is measured: long enough for code to be compiled. */
  readonly warmMs: number;
  /** Of one that does, at least: enough for the clock, and for its share of garbage collection. */
  readonly lapMs: number;
}

export const LAP_LENGTHS: LapLengths = { warmMs: 500, lapMs: 50 };
const MAX_REPETITIONS = 5000;
const MAX_WARM_TRIALS = 40;
/**
 * What takes less than a millisecond gets warm for longer, since it takes 10,000 calls or more
 * until V8 has compiled what they go through, and compiled it again; and its laps are longer, since
 * the new memory that every lap begins with costs as much as a thousand calls.
 */
const SHORT_MS = 1;
const SHORT_FACTOR = 4;

export interface TaskLap {
  /** Of one operation, when the process has just done many like it. */
  readonly lap: Lap;
  /**
   * Of one operation, when the process has done everything else for a while, with a full collection
   * before each of it.
   */
  readonly firstLap: Lap;
  readonly answer: Answer;
}

interface TrialResult {
  readonly lap: Lap;
  readonly answer: Answer;
  readonly runs: number;
  readonly cpuMs: number;
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

  /**
   * A first lap, a time to get warm, and the lap that counts; undefined from the time on that the
   * peer did not answer.
   */
  async next(): Promise<TaskLap | undefined> {
    const first = await this.trial(this.repetitions);
    let usedMs = first?.cpuMs ?? 0;
    const factor = first !== undefined && first.lap.cpuMs < SHORT_MS ? SHORT_FACTOR : 1;
    const warmMs = this.lengths.warmMs * factor;
    // What cannot be run twice in a row is made ready again for each trial.
    for (let trials = 1; usedMs < warmMs && trials <= MAX_WARM_TRIALS && !this.isGivenUp; trials++) {
      usedMs += (await this.trial(MAX_REPETITIONS, warmMs - usedMs))?.cpuMs ?? 0;
    }
    const last = await this.trial(this.repetitions * factor);
    return first && last && { lap: last.lap, firstLap: first.lap, answer: last.answer };
  }

  /** Runs so many times, or, with `enoughMs`, until so much CPU time is used. */
  private async trial(repetitions: number, enoughMs = Number.POSITIVE_INFINITY): Promise<TrialResult | undefined> {
    if (this.isGivenUp) return undefined;
    const { task, peer } = this;
    const trial = await task.prepare(peer);
    await becomeIdle();
    const last = trial.isRepeatable ? repetitions : 1;
    const watch = new Stopwatch();
    let outcome = await trial.run();
    let runs = 1;
    for (; outcome && runs < last && watch.lap().cpuMs < enoughMs; runs++) outcome = await trial.run();
    const { cpuMs, wallMs } = watch.lap();
    const answer = await outcome?.();
    await trial.restore?.();
    await peer.store.clean?.();
    this.isGivenUp = answer === undefined;
    const operations = runs * task.operations;
    this.repetitions = Math.min(MAX_REPETITIONS, Math.ceil((this.lengths.lapMs * runs) / cpuMs));
    return answer && { lap: { cpuMs: cpuMs / operations, wallMs: wallMs / operations }, answer, runs, cpuMs };
  }
}
