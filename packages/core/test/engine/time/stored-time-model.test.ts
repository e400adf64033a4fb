import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileStorage, nodeFileSystem } from '@rdf-worlds/storage-file';
import { describe, expect, it, onTestFinished } from 'vitest';
import { withoutSyncs } from '../../../../storage-file/test/power-cut/without-syncs.ts';
import { MemoryContents, MemoryStorage, WorldsEngine } from '../../../src/index.ts';
import type { Storage } from '../../../src/plugin.ts';
import { RecordedWorlds } from './recorded-worlds.ts';

/** Runs of the campaign; TIME_MODEL_RUNS=500 is the full one. */
const RUNS = process.env.TIME_MODEL_RUNS === undefined ? undefined : Number(process.env.TIME_MODEL_RUNS);
const SEED = Number(process.env.TIME_MODEL_SEED ?? 1);
const STEPS = 120;

/** A new place of each kind, as a function that opens it. */
const STORAGES: Readonly<Record<string, { runs: number; newPlace: (seed: number) => Promise<() => Storage> }>> = {
  'a storage in memory': {
    runs: 8,
    newPlace: async () => {
      const contents = new MemoryContents();
      return () => new MemoryStorage(contents);
    },
  },
  files: {
    runs: 3,
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
  for (let seed = SEED; seed < SEED + (RUNS ?? storage.runs); seed++) {
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
