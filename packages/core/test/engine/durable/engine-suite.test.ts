import { describe } from 'vitest';
import { WorldsEngine } from '../../../src/engine/worlds-engine.ts';
import { MemoryStorage } from '../../../src/storage/memory-storage.ts';

/** Every engine of the suites below has a storage, and makes a checkpoint whenever its log has grown by a few kilobytes. */
const open = WorldsEngine.open;
WorldsEngine.open = (options) =>
  open.call(WorldsEngine, { storage: new MemoryStorage(), checkpointLogBytes: 5000, ...options });

const SUITES: Readonly<Record<string, () => Promise<unknown>>> = {
  concurrency: () => import('../concurrency.test.ts'),
  'graph-import': () => import('../graph-import.test.ts'),
  'graph-model': () => import('../graph-model.test.ts'),
  graphs: () => import('../graphs.test.ts'),
  'import-atomicity': () => import('../import-atomicity.test.ts'),
  model: () => import('../model.test.ts'),
  search: () => import('../search.test.ts'),
  snapshots: () => import('../snapshots.test.ts'),
  worlds: () => import('../worlds.test.ts'),
  write: () => import('../write.test.ts'),
};

for (const [name, load] of Object.entries(SUITES)) {
  describe(`with storage: ${name}`, async () => {
    await load();
  });
}
