import { setImmediate as turn } from 'node:timers/promises';
import { WorldsError } from '@rdf-worlds/core';
import { cpuTail } from '../cpu-tail.ts';
import { Stopwatch } from '../stopwatch.ts';
import { type Lateness, TimerLateness } from '../timer-lateness.ts';

/** A query that stops when the signal fires. */
export type Cancellable = (signal: AbortSignal) => Promise<unknown>;

export const TICK_MS = 10;
const SAMPLE_MS = 2;

/** What a watched query did. */
export interface Watched {
  /** Wall-clock time of the fastest run; undefined when the first was aborted. */
  readonly runMs: number | undefined;
  readonly timer: Lateness;
}

/** Runs a query again and again for so long, and watches a timer meanwhile. */
export async function watchTimer(query: Cancellable, forMs: number): Promise<Watched> {
  const end = AbortSignal.timeout(forMs);
  const timer = new TimerLateness(TICK_MS);
  let runMs: number | undefined;
  for (;;) {
    const startMs = performance.now();
    if (end.aborted || !(await isAnswered(query, end))) break;
    runMs = Math.min(runMs ?? Number.POSITIVE_INFINITY, performance.now() - startMs);
    await turn();
  }
  return { runMs, timer: timer.stop() };
}

/** What became of an abort. */
export interface Cancelled {
  /** False: the answer came all the same. */
  readonly isAborted: boolean;
  /** Wall-clock time from when the abort was due until the process had nothing left to do. */
  readonly workMs: number;
  /** CPU time of that. */
  readonly cpuMs: number;
}

/** Aborts a query after so long; undefined when its answer came before. */
export async function cancel(query: Cancellable, afterMs: number): Promise<Cancelled | undefined> {
  const controller = new AbortController();
  const dueMs = performance.now() + afterMs;
  let beforeDue = new Stopwatch();
  const ticker = setInterval(() => {
    if (performance.now() < dueMs) beforeDue = new Stopwatch();
  }, SAMPLE_MS);
  const timer = setTimeout(() => controller.abort(), afterMs);
  const answered = await isAnswered(query, controller.signal);
  clearTimeout(timer);
  clearInterval(ticker);
  const sinceDueMs = performance.now() - dueMs;
  if (answered && sinceDueMs < 0) return undefined;
  // A timer may fire a little early.
  const lateMs = Math.max(0, sinceDueMs);
  const { cpuMs, wallMs } = beforeDue.lap();
  // From the last look at the clock until the abort was due the query ran.
  const lateCpuMs = Math.max(0, cpuMs - (wallMs - lateMs));
  const tail = await cpuTail();
  return { isAborted: !answered, workMs: lateMs + tail.wallMs, cpuMs: lateCpuMs + tail.cpuMs };
}

/** False: it was aborted. A query that hits a limit is over, as one with an answer is. */
async function isAnswered(query: Cancellable, signal: AbortSignal): Promise<boolean> {
  try {
    await query(signal);
    return true;
  } catch (error) {
    if (!(error instanceof WorldsError)) throw error;
    if (error.code === 'LIMIT_EXCEEDED') return true;
    // Where a signal says so by itself, as AbortSignal.timeout does, the deadline is the reason.
    if (error.code === 'ABORTED' || error.code === 'TIMEOUT') return false;
    throw error;
  }
}
