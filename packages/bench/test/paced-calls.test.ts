import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { PacedCalls } from '../src/paced-calls.ts';
import { TimerLateness } from '../src/timer-lateness.ts';

/** Holds the event loop. */
function block(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

it('makes every due call, even if the event loop was blocked', async () => {
  const made: number[] = [];
  const calls = new PacedCalls(1, async (number) => {
    made.push(number);
  });
  block(20);
  const { due, answered, latenciesMs } = await calls.stop();
  expect(due).toBeGreaterThanOrEqual(20);
  expect(made).toEqual(Array.from({ length: due }, (_, number) => number));
  expect(latenciesMs.length).toBe(due);
  // The event loop never ran before the end: nothing can have been answered before.
  expect(answered).toBe(0);
});

it('counts the calls that finished in time', async () => {
  const calls = new PacedCalls(60_000, async () => undefined);
  await turn();
  expect(await calls.stop()).toMatchObject({ due: 1, answered: 1 });
});

it('reports the failure of a call', async () => {
  const calls = new PacedCalls(60_000, async () => {
    throw new Error('disk full');
  });
  await turn();
  await expect(calls.stop()).rejects.toThrow('disk full');
});

it('measures the lateness of a timer that never fired', () => {
  const timer = new TimerLateness(1);
  block(20);
  const { ticks, worstMs } = timer.stop();
  expect(ticks).toBe(0);
  expect(worstMs).toBeGreaterThan(0);
});
