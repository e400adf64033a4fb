import { describe, expect, it } from 'vitest';
import { simulate, simulationFailure } from '../../src/index.ts';

// SIMULATION_SEEDS=5000 runs 5,000 seeds; SIMULATION_SEED is the first. SIMULATION_TRACE=1 prints
// everything that happens.
const SEEDS = Number(process.env.SIMULATION_SEEDS ?? 6);
const FIRST_SEED = Number(process.env.SIMULATION_SEED ?? 1);
/** Number of seeds of one test case. */
const BATCH = 10;

const onTrace = process.env.SIMULATION_TRACE ? (line: string) => console.log(line) : undefined;

function again(seed: number): string {
  const variables = `SIMULATION_SEED=${seed} SIMULATION_SEEDS=1 SIMULATION_TRACE=1`;
  return `${variables} npx vitest run packages/testkit/test/simulation/simulate.test.ts`;
}

describe('engines over a shared storage that is simulated', () => {
  const batches = Array.from({ length: Math.ceil(SEEDS / BATCH) }, (_, at) => FIRST_SEED + at * BATCH);
  it.each(batches)(
    'do what the model does, seeds from %i on',
    async (first) => {
      let commits = 0;
      for (let seed = first; seed < Math.min(first + BATCH, FIRST_SEED + SEEDS); seed++) {
        const report = await simulate({ seed, onTrace });
        const failure = simulationFailure(report);
        if (failure) expect.fail(`${failure}\n${again(seed)}`);
        commits += report.commits;
      }
      expect(commits).toBeGreaterThan(0);
    },
    600_000,
  );

  it('do the same for the same seed', async () => {
    for (const seed of [1, 2, 3]) {
      const reports = [await simulate({ seed }), await simulate({ seed: seed + 7 }), await simulate({ seed })];
      expect(reports[2].traceHash).toBe(reports[0].traceHash);
      expect(reports[1].traceHash).not.toBe(reports[0].traceHash);
      expect(reports[0].events).toBeGreaterThan(100);
    }
  });

  it('leave the timers and clocks of the real process as they were', async () => {
    const { setTimeout, setImmediate, clearTimeout } = globalThis;
    const { now } = performance;
    const date = Date.now;
    await simulate({ seed: 1, operations: 5 });
    expect([globalThis.setTimeout, globalThis.setImmediate, globalThis.clearTimeout]).toEqual([
      setTimeout,
      setImmediate,
      clearTimeout,
    ]);
    expect([performance.now, Date.now]).toEqual([now, date]);
    expect(Object.hasOwn(performance, 'now')).toBe(false);
  });
});
