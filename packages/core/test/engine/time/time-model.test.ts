import { describe, expect, it } from 'vitest';
import { WorldsEngine } from '../../../src/index.ts';
import { RecordedWorlds } from './recorded-worlds.ts';

/** Runs of the campaign; TIME_MODEL_RUNS=500 is the full one. */
const RUNS = Number(process.env.TIME_MODEL_RUNS ?? 3);
const SEED = Number(process.env.TIME_MODEL_SEED ?? 1);
const STEPS = 120;

describe('the past in memory, against a model that keeps every revision', () => {
  for (let seed = SEED; seed < SEED + RUNS; seed++) {
    it(`seed ${seed}`, async () => {
      const recorded = new RecordedWorlds(seed, [10, 40, 1000][seed % 3]);
      const { keepRevisions, clock, random } = recorded;
      const engine = await WorldsEngine.open({ history: { keepRevisions }, clock, textIndex: null });
      for (let step = 0; step < STEPS; step++) {
        await recorded.step(engine);
        if (random.below(3) === 0) await recorded.compare(engine);
        if (random.below(25) === 0) await engine.compact();
        if (random.below(10) === 0) await engine.settle();
      }
      await recorded.compareAll(engine);
      expect((await engine.check()).problems).toEqual([]);
      await engine.close();
    });
  }
});
