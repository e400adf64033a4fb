import { figure } from '../figure.ts';
import type { Report } from '../report.ts';
import { type Cancellable, type Cancelled, cancel, TICK_MS, type Watched, watchTimer } from './cancellation.ts';
import { CYCLE_UPDATE, HARD_QUERIES } from './hard-queries.ts';
import { freshText, type NamedQuery } from './named-query.ts';
import type { Workload } from './workload.ts';
import { WorldsStore } from './worlds-store.ts';

/** Times of the aborts, as fractions of the query's duration. */
const MOMENTS = [0.1, 0.3, 0.5, 0.7, 0.9];

export interface CancellationTimes {
  /** How long each query of the workload is run repeatedly and watched. */
  readonly queryMs: number;
  /** The same for each hard query, which takes longer. */
  readonly hardMs: number;
  /** Upper bound on the time of the last abort. */
  readonly lastAbortMs: number;
}

const TIMES: CancellationTimes = { queryMs: 500, hardMs: 5000, lastAbortMs: 2500 };

export interface CancellationResult {
  readonly query: string;
  readonly watched: Watched;
  /** One for each abort that preceded the answer. */
  readonly cancelled: readonly Cancelled[];
}

/** Watches every query, then aborts it at several times. */
export async function measureCancellation(
  { input, queries }: Workload,
  { queryMs, hardMs, lastAbortMs }: CancellationTimes,
  progress: (message: string) => void,
): Promise<CancellationResult[]> {
  progress(`loading ${input.name}`);
  const store = await WorldsStore.open();
  await store.load(input);
  await store.update(CYCLE_UPDATE);
  const results: CancellationResult[] = [];
  for (const [list, forMs] of [
    [queries, queryMs],
    [HARD_QUERIES, hardMs],
  ] as const) {
    for (const query of list) {
      progress(query.name);
      results.push(await measureQuery(store, query, forMs, lastAbortMs));
    }
  }
  await store.release();
  return results;
}

async function measureQuery(
  store: WorldsStore,
  { name, text }: NamedQuery,
  forMs: number,
  lastAbortMs: number,
): Promise<CancellationResult> {
  const query: Cancellable = (signal) => store.read(freshText(text), signal);
  // Compiles the code, so that the aborts below occur during the run.
  await watchTimer(query, forMs / 5);
  const watched = await watchTimer(query, forMs);
  const cancelled: Cancelled[] = [];
  for (const moment of MOMENTS) {
    const one = await cancel(query, moment * Math.min(watched.runMs ?? forMs, lastAbortMs));
    if (one) cancelled.push(one);
  }
  return { query: name, watched, cancelled };
}

export async function reportCancellation(workload: Workload, progress: (message: string) => void): Promise<Report> {
  const results = await measureCancellation(workload, TIMES, progress);
  return {
    settings: [
      `${workload.input.name}; ${workload.queries.length} ${workload.origin}, each watched for ${figure(TIMES.queryMs)} ms; ${HARD_QUERIES.length} hard ones, each for ${figure(TIMES.hardMs)} ms; text index off`,
      `aborts after ${MOMENTS.map((moment) => `${moment * 100} %`).join(', ')} of the fastest run, or of ${figure(TIMES.lastAbortMs)} ms where it takes longer`,
    ],
    tables: [
      {
        title: 'RDF Worlds, ms',
        columns: [
          '',
          'one run',
          'aborts',
          'answered',
          'work after the abort',
          'its CPU',
          `${TICK_MS} ms timer late`,
          'of it busy',
        ],
        rows: results.map(({ query, watched: { runMs, timer }, cancelled }) => [
          query,
          runMs === undefined ? `> ${figure(TIMES.hardMs)}` : figure(runMs, 1),
          figure(cancelled.length),
          figure(cancelled.filter(({ isAborted }) => !isAborted).length),
          worst(cancelled.map(({ workMs }) => workMs)),
          worst(cancelled.map(({ cpuMs }) => cpuMs)),
          figure(timer.worstMs, 1),
          figure(timer.worstBusyMs, 1),
        ]),
      },
    ],
    notes: [
      'One run: wall-clock time of the fastest. Aborts: those that came before the answer; answered: those of them that came too late to be noticed, at the end of the query. All other figures are the worst.',
      'Work after the abort: wall-clock time from when the abort was due to the end of the last 2 ms in which the process was busy for half of the time. An event loop that was held so that the abort fired late counts. Its CPU: the CPU time of that.',
      'Of it busy: the lateness without the time in which the process did not get a CPU. Where the machine does other work, this column and that of the CPU are what the process answers for.',
    ],
  };
}

function worst(values: readonly number[]): string {
  return values.length === 0 ? '-' : figure(Math.max(...values), 1);
}
