import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileStorage, nodeFileSystem } from '@rdf-worlds/storage-file';
import { describe, expect, it, onTestFinished } from 'vitest';
import { withoutSyncs } from '../../../../storage-file/test/power-cut/without-syncs.ts';
import { MemoryContents, MemoryStorage, WorldsEngine } from '../../../src/index.ts';
import type { Storage } from '../../../src/plugin.ts';
import { RecordedWorlds } from './recorded-worlds.ts';

const SEED = Number(process.env.TIME_MODEL_SEED ?? 1);
/** The seeds of the campaign that TIME_MODEL_RUNS selects; TIME_MODEL_RUNS=500 is the full one. */
const SEEDS =
  process.env.TIME_MODEL_RUNS === undefined
    ? undefined
    : Array.from({ length: Number(process.env.TIME_MODEL_RUNS) }, (_, at) => SEED + at);
const STEPS = 120;

/**
 * A new place of each kind, as a function that opens it, and the seeds of a short campaign: each
 * number of kept revisions, with and without checkpoints while the log grows, and with files of
 * each size.
 */
const STORAGES: Readonly<
  Record<string, { seeds: readonly number[]; newPlace: (seed: number) => Promise<() => Storage> }>
> = {
  'a storage in memory': {
    seeds: [2, 3, 4],
    newPlace: async () => {
      const contents = new MemoryContents();
      return () => new MemoryStorage(contents);
    },
  },
  files: {
    seeds: [1, 6],
    newPlace: async (seed) => {
      const path = await mkdtemp(join(tmpdir(), 'rdf-worlds-past-'));
      onTestFinished(() => rm(path, { recursive: true, force: true }));
      // Nothing is cut off here, so nothing waits for the disk.
      const fileSystem = withoutSyncs(nodeFileSystem, { files: true, directories: true });
      return () => fileStorage({ path, fileSystem, maxLogFileBytes: [3000, 100_000][seed % 2] });
    },
  },
};

describe.each(Object.entries(STORAGES))('the past in %s, against a model that keeps every revision', (_, storage) => {
  for (const seed of SEEDS ?? storage.seeds) {
    it(`seed ${seed}`, async () => {
      const recorded = new RecordedWorlds(seed, [10, 40, 1000][seed % 3]);
      const { keepRevisions, clock, random } = recorded;
      const openStorage = await storage.newPlace(seed);
      const open = () =>
        WorldsEngine.open({
          storage: openStorage(),
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
