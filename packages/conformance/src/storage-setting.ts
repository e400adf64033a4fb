import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryStorage, WorldsEngine, type WorldsEngineOptions } from '@rdf-worlds/core';
import { fileStorage } from '@rdf-worlds/storage-file';
import type { EngineUnderTest } from './engine-under-test.ts';
import { ReopenedEngine } from './reopened-engine.ts';

/** What the suites run on, and the end of it. */
export interface OpenSetting {
  readonly engine: EngineUnderTest;
  close(): Promise<void>;
}

type OpenedSetting = (options: WorldsEngineOptions) => Promise<OpenSetting>;

/** Small, so that a test of some commits makes checkpoints. */
const CHECKPOINT_LOG_BYTES = 10_000;

/** Where the worlds of the suites are kept. */
export const STORAGE_SETTINGS: ReadonlyMap<string, OpenedSetting> = new Map<string, OpenedSetting>([
  ['none', (options) => WorldsEngine.open(options).then(closing)],
  [
    'memory',
    (options) =>
      WorldsEngine.open({
        ...options,
        storage: new MemoryStorage(),
        checkpointLogBytes: CHECKPOINT_LOG_BYTES,
      }).then(closing),
  ],
  ['file', (options) => inDirectory(options, (open) => open().then(closing))],
  ['file-reopened', (options) => inDirectory(options, async (open) => closing(await ReopenedEngine.open(open)))],
]);

function closing(engine: EngineUnderTest & { close(): Promise<void> }): OpenSetting {
  return { engine, close: () => engine.close() };
}

async function inDirectory(
  options: WorldsEngineOptions,
  start: (open: () => Promise<WorldsEngine>) => Promise<OpenSetting>,
): Promise<OpenSetting> {
  const path = await mkdtemp(join(tmpdir(), 'rdf-worlds-suites-'));
  const { engine, close } = await start(() =>
    WorldsEngine.open({ ...options, storage: fileStorage({ path }), checkpointLogBytes: CHECKPOINT_LOG_BYTES }),
  );
  return {
    engine,
    async close() {
      await close();
      await rm(path, { recursive: true });
    },
  };
}
