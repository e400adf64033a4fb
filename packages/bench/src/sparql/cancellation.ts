import { setImmediate as turn } from 'node:timers/promises';
import { WorldsError } from '@rdf-worlds/core';
import { cpuTail } from '../cpu-tail.ts';
import { Stopwatch } from '../stopwatch.ts';
import { type Lateness, TimerLateness } from '../timer-lateness.ts';

/** A query that stops when the signal fires. */
export type Cancellable = (signal: AbortSignal) => Promise<unknown>;

export const TICK_MS = 10;
const SAMPLE_MS = 2;

/** Measurements of a watched query. */
export interface Watched {
  /** Wall-clock time of the fastest run; undefined if the first run was aborted. */
  readonly runMs: number | undefined;
  readonly timer: Lateness;
}

/** Repeats a query for the given time, and measures the lateness of a timer meanwhile. */
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

/** The result of an abort. */
export interface Cancelled {
  /** False if the query was answered nevertheless. */
  readonly isAborted: boolean;
  /** Wall-clock time from the due time of the abort until the process was idle. */
  readonly workMs: number;
  /** CPU time of that period. */
  readonly cpuMs: number;
}

/** Aborts a query after the given time; returns undefined if it was answered before. */
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
  // A timer may fire slightly early.
  const lateMs = Math.max(0, sinceDueMs);
  const { cpuMs, wallMs } = beforeDue.lap();
  // Between the last sample and the due time of the abort, the query was running.
  const lateCpuMs = Math.max(0, cpuMs - (wallMs - lateMs));
  const tail = await cpuTail();
  return { isAborted: !answered, workMs: lateMs + tail.wallMs, cpuMs: lateCpuMs + tail.cpuMs };
}

/** Returns false if the query was aborted. A query that exceeds a limit counts as answered. */
async function isAnswered(query: Cancellable, signal: AbortSignal): Promise<boolean> {
  try {
    await query(signal);
    return true;
  } catch (error) {
    if (!(error instanceof WorldsError)) throw error;
    if (error.code === 'LIMIT_EXCEEDED') return true;
    // For signals such as AbortSignal.timeout, the code is TIMEOUT.
    if (error.code === 'ABORTED' || error.code === 'TIMEOUT') return false;
    throw error;
  }
}
