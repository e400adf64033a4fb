import { setImmediate as turn } from 'node:timers/promises';
import { WorldsError } from '@rdf-worlds/core';
import { describe, expect, it } from 'vitest';
import { type Cancellable, cancel, watchTimer } from '../../src/sparql/cancellation.ts';
import { measureCancellation } from '../../src/sparql/cancellation-report.ts';
import { HARD_QUERIES } from '../../src/sparql/hard-queries.ts';
import { openWorkload } from '../../src/sparql/workload.ts';

const aborted = () => new WorldsError('ABORTED', 'aborted');

/** Works until its signal aborts, and then for `turnsAfter` more turns of the event loop. */
const endless =
  (turnsAfter = 0): Cancellable =>
  async (signal) => {
    while (!signal.aborted) await turn();
    for (let i = 0; i < turnsAfter; i++) await turn();
    throw aborted();
  };

/** Takes no notice of the signal, and answers after so long. */
const deaf =
  (ms: number): Cancellable =>
  async () => {
    for (const end = performance.now() + ms; performance.now() < end; );
  };

describe('an abort', () => {
  it('that arrives before the answer counts as an abort', async () => {
    const cancelled = (await cancel(endless(3), 5))!;
    expect(cancelled.isAborted).toBe(true);
    expect(cancelled.workMs).toBeGreaterThanOrEqual(0);
    expect(cancelled.cpuMs).toBeGreaterThanOrEqual(0);
  });

  it('that arrives after the answer does not count', async () => {
    expect(await cancel(async () => undefined, 60_000)).toBeUndefined();
  });

  it('that the query ignores is measured from when it was due', async () => {
    const cancelled = (await cancel(deaf(30), 5))!;
    expect(cancelled.isAborted).toBe(false);
    // It is busy until 30 ms, whatever the machine does.
    expect(cancelled.workMs).toBeGreaterThanOrEqual(24);
  });

  it('of a failing query throws its failure, unless that is a limit', async () => {
    const failing = async () => {
      throw new WorldsError('INTERNAL', 'broken');
    };
    await expect(cancel(failing, 60_000)).rejects.toThrow('broken');
    const limited: Cancellable = async () => {
      throw new WorldsError('LIMIT_EXCEEDED', 'too much');
    };
    expect(await cancel(limited, 60_000)).toBeUndefined();
  });
});

describe('watching', () => {
  it('repeats the query until the time is over', async () => {
    let runs = 0;
    const { runMs } = await watchTimer(async () => void runs++, 20);
    expect(runs).toBeGreaterThan(1);
    expect(runMs).toBeGreaterThanOrEqual(0);
  });

  it('stops a query that does not end', async () => {
    expect((await watchTimer(endless(), 20)).runMs).toBeUndefined();
  });

  it('detects a blocked event loop', async () => {
    const { timer } = await watchTimer(deaf(40), 1);
    expect(timer.worstMs).toBeGreaterThan(20);
  });
});

it('watches and aborts every query, including the hard ones', async () => {
  const whole = await openWorkload({ quads: 150, seed: 1, size: '1m' });
  const workload = { ...whole, queries: whole.queries.slice(0, 3) };
  const messages: string[] = [];
  const times = { queryMs: 5, hardMs: 20, lastAbortMs: 10 };
  const results = await measureCancellation(workload, times, (message) => messages.push(message));
  const names = [...workload.queries, ...HARD_QUERIES].map(({ name }) => name);
  expect(results.map(({ query }) => query)).toEqual(names);
  expect(messages.slice(1)).toEqual(names);
  const cycle = results.find(({ query }) => query === 'path over a cycle')!;
  expect(cycle.watched.runMs).toBeUndefined();
  expect(cycle.cancelled.filter(({ isAborted }) => isAborted).length).toBe(5);
});
