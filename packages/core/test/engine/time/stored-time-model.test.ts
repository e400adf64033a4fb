import { describe, expect, it } from 'vitest';
import { MemoryContents, MemoryStorage, WorldsEngine } from '../../../src/index.ts';
import { RecordedWorlds } from './recorded-worlds.ts';

/** Runs of the campaign; TIME_MODEL_RUNS=500 is the full one. */
const RUNS = Number(process.env.TIME_MODEL_RUNS ?? 8);
const SEED = Number(process.env.TIME_MODEL_SEED ?? 1);
const STEPS = 120;

describe('the past in a storage, against a model that keeps every revision', () => {
  for (let seed = SEED; seed < SEED + RUNS; seed++) {
    it(`seed ${seed}`, async () => {
      const recorded = new RecordedWorlds(seed, [10, 40, 1000][seed % 3]);
      const { keepRevisions, clock, random } = recorded;
      const contents = new MemoryContents();
      const open = () =>
        WorldsEngine.open({
          storage: new MemoryStorage(contents),
          // Half of the engines find the options in the storage.
          history: random.below(2) === 0 || recorded.revisions.size === 0 ? { keepRevisions } : undefined,
          checkpointLogBytes: seed % 2 === 0 ? 8192 : undefined,
          clock,
          textIndex: null,
        });
      let engine = await open();
      for (let step = 0; step < STEPS; step++) {
        await recorded.step(engine);
        if (random.below(3) === 0) await recorded.compare(engine);
        if (random.below(25) === 0) await engine.compact();
        if (random.below(10) === 0) await engine.settle();
        if (random.below(12) === 0) await engine.checkpoint();
        if (random.below(15) === 0) {
          if (random.below(2) === 0) await engine.checkpoint();
          await engine.close();
          engine = await open();
        }
      }
      await recorded.compareAll(engine);
      expect((await engine.check()).problems).toEqual([]);
      await engine.close();
      engine = await open();
      await recorded.compareAll(engine);
      await engine.close();
    });
  }
});
