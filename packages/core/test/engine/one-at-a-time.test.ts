import { afterEach, expect, it, vi } from 'vitest';
import { Slicer } from '../../src/contracts/slicer.ts';
import { assignCaller } from '../../src/contracts/turns.ts';
import { runOneAtATime } from '../../src/engine/one-at-a-time.ts';

const MANY = 1_000;

/** A kernel that tells how far it is, and whether it was closed. */
class Watched {
  steps = 0;
  isClosed = false;
  private readonly length: number;

  constructor(length: number) {
    this.length = length;
  }

  *kernel(): Generator<void, number> {
    try {
      for (; this.steps < this.length; this.steps++) yield;
      return this.steps;
    } finally {
      this.isClosed = true;
    }
  }
}

/** Pauses at every step. */
class EagerSlicer extends Slicer {
  override get due(): boolean {
    return true;
  }
}

function start(watched: Watched, caller: string) {
  const controller = new AbortController();
  assignCaller(controller.signal, { name: caller });
  const run = runOneAtATime(watched.kernel(), new EagerSlicer(controller.signal), controller.signal);
  return { controller, run };
}

afterEach(() => {
  vi.restoreAllMocks();
});

it('runs long work of a caller one after another, that of others beside it', async () => {
  // Callers share time, not steps: of a clock that a loaded machine does not hold up.
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 0.01));
  const [first, second, other] = [new Watched(MANY), new Watched(MANY), new Watched(MANY)];
  const runs = [start(first, 'one'), start(second, 'one'), start(other, 'another')];
  await runs[0]!.run;
  expect(second.steps).toBeLessThan(MANY / 10);
  expect(other.steps).toBeGreaterThan(MANY / 2);
  expect(await Promise.all(runs.map(({ run }) => run))).toEqual([MANY, MANY, MANY]);
});

it('does not keep short work waiting', async () => {
  const [long, short] = [new Watched(MANY), new Watched(4)];
  const { run } = start(long, 'one');
  expect(await start(short, 'one').run).toBe(4);
  expect(long.steps).toBeLessThan(MANY / 2);
  await run;
});

it('closes work that is aborted while it waits, and lets the next go on', async () => {
  const [first, second, third] = [new Watched(MANY), new Watched(MANY), new Watched(MANY)];
  const one = start(first, 'one');
  const two = start(second, 'one');
  const three = start(third, 'one');
  // Waits until all are past their first steps.
  while (first.steps < 100) await new Promise(setImmediate);
  two.controller.abort();
  await expect(two.run).rejects.toMatchObject({ code: 'ABORTED' });
  expect(second.isClosed).toBe(true);
  expect(second.steps).toBeLessThan(MANY / 10);
  one.controller.abort();
  await expect(one.run).rejects.toMatchObject({ code: 'ABORTED' });
  expect(await three.run).toBe(MANY);
});
