import { describe, expect, it } from 'vitest';
import { LapRunner } from '../../src/sparql/lap.ts';
import type { Task } from '../../src/sparql/task.ts';
import { fakePeer } from './fake-peer.ts';

/** Notes what is done with it; every run uses the CPU for so long. */
function noted(isRepeatable: boolean, runCpuMs: number, gaveUpAt = Number.POSITIVE_INFINITY) {
  const steps: string[] = [];
  let runs = 0;
  const task: Task = {
    name: 'noted',
    kind: 'query',
    operations: 1,
    anyRows: false,
    isFor: () => true,
    async prepare() {
      steps.push('prepare');
      return {
        isRepeatable,
        async run() {
          steps.push('run');
          const start = process.cpuUsage();
          for (let used = 0; used < runCpuMs; ) {
            const { user, system } = process.cpuUsage(start);
            used = (user + system) / 1000;
          }
          if (++runs >= gaveUpAt) return undefined;
          return () => ({ rows: runs, chars: 0 });
        },
        async restore() {
          steps.push('restore');
        },
      };
    },
  };
  return { task, steps };
}

describe('a lap', () => {
  it('repeats the task until it has taken long enough to measure', async () => {
    const { task, steps } = noted(true, 1);
    const runner = new LapRunner(task, fakePeer('peer'), { warmMs: 5, lapMs: 10 });
    await runner.next();
    const before = steps.filter((step) => step === 'run').length;
    steps.length = 0;
    const { answer } = (await runner.next())!;
    expect(answer.rows).toBe(before + steps.filter((step) => step === 'run').length);
    // The first lap has used the time that the warming up would take.
    const [, first, last, ...others] = steps.join(' ').split('prepare');
    expect(others).toEqual([]);
    for (const lap of [first, last]) {
      expect(lap.match(/run/g)!.length).toBeGreaterThan(1);
      expect(lap.match(/run/g)!.length).toBeLessThanOrEqual(10);
      expect(lap.trim().endsWith('restore')).toBe(true);
    }
  });

  it('is a single run of a task that is not repeatable, prepared before and restored after', async () => {
    const { task, steps } = noted(false, 0);
    await new LapRunner(task, fakePeer('peer'), { warmMs: 0, lapMs: 1000 }).next();
    expect(steps).toEqual(['prepare', 'run', 'restore', 'prepare', 'run', 'restore']);
  });

  it('warms up a task that is not repeatable by preparing, running and restoring it again', async () => {
    const { task, steps } = noted(false, 1);
    await new LapRunner(task, fakePeer('peer'), { warmMs: 4, lapMs: 1 }).next();
    const trials = steps.length / 3;
    expect(trials).toBeGreaterThan(2);
    expect(trials).toBeLessThanOrEqual(12);
    expect(steps).toEqual(Array.from({ length: trials }, () => ['prepare', 'run', 'restore']).flat());
  });

  it('is divided by the number of operations', async () => {
    const { task } = noted(false, 4);
    const lengths = { warmMs: 0, lapMs: 0 };
    const whole = (await new LapRunner(task, fakePeer('peer'), lengths).next())!;
    expect(whole.lap.cpuMs).toBeGreaterThanOrEqual(4);
    expect(whole.firstLap.cpuMs).toBeGreaterThanOrEqual(4);
    // Enough operations that one takes next to no time, however slow the machine.
    const parts = (await new LapRunner({ ...task, operations: 1e9 }, fakePeer('peer'), lengths).next())!;
    expect(parts.lap.cpuMs).toBeLessThan(1e-3);
  });

  it('is not attempted again after a run without an answer', async () => {
    const { task, steps } = noted(true, 0, 3);
    const runner = new LapRunner(task, fakePeer('peer'), { warmMs: 1000, lapMs: 1 });
    expect(await runner.next()).toBeUndefined();
    const before = steps.length;
    expect(steps).toEqual(['prepare', 'run', 'restore', 'prepare', 'run', 'run', 'restore']);
    expect(await runner.next()).toBeUndefined();
    expect(steps.length).toBe(before);
  });

  it('lets the store clean up', async () => {
    const { task } = noted(true, 0);
    const peer = fakePeer('peer');
    let cleaned = 0;
    const store = { ...peer.store, clean: async () => void cleaned++ };
    await new LapRunner(task, { ...peer, store }, { warmMs: 0, lapMs: 0 }).next();
    expect(cleaned).toBe(2);
  });
});
