import { becomeIdle } from '../idle.ts';
import { type Lap, Stopwatch } from '../stopwatch.ts';
import type { Answer } from './answer.ts';
import type { Peer } from './peers.ts';
import type { Task } from './task.ts';

/** CPU time of laps of repeatable tasks, in milliseconds. */
export interface LapLengths {
  /** Duration of the warm-up before the measured lap: long enough for code to be compiled. */
  readonly warmMs: number;
  /**
   * Minimum duration of the measured lap: enough for the clock's resolution and its share of
   * garbage collection.
   */
  readonly lapMs: number;
}

export const LAP_LENGTHS: LapLengths = { warmMs: 500, lapMs: 50 };
const MAX_REPETITIONS = 5000;
const MAX_WARM_TRIALS = 40;
/**
 * Tasks below this duration get a longer warm-up, because V8 needs 10,000 calls or more to compile
 * and recompile their code, and longer laps, because the fresh memory at the start of a lap costs
 * as much as a thousand calls.
 */
const SHORT_MS = 1;
const SHORT_FACTOR = 4;

export interface TaskLap {
  /** Time of one operation directly after many like it. */
  readonly lap: Lap;
  /**
   * Time of one operation after all other tasks of the round, each of which began with a full
   * collection.
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

/** Runs one task with one peer; each lap has as many repetitions as the clock requires. */
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
   * Runs a first lap, a warm-up and the measured lap. Returns undefined once the peer has failed to
   * answer.
   */
  async next(): Promise<TaskLap | undefined> {
    const first = await this.trial(this.repetitions);
    let usedMs = first?.cpuMs ?? 0;
    const factor = first !== undefined && first.lap.cpuMs < SHORT_MS ? SHORT_FACTOR : 1;
    const warmMs = this.lengths.warmMs * factor;
    // A task that cannot be repeated directly is prepared again for each trial.
    for (let trials = 1; usedMs < warmMs && trials <= MAX_WARM_TRIALS && !this.isGivenUp; trials++) {
      usedMs += (await this.trial(MAX_REPETITIONS, warmMs - usedMs))?.cpuMs ?? 0;
    }
    const last = await this.trial(this.repetitions * factor);
    return first && last && { lap: last.lap, firstLap: first.lap, answer: last.answer };
  }

  /** Runs the task `repetitions` times or, with `enoughMs`, until that much CPU time is used. */
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
