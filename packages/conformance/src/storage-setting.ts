import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryStorage, WorldsEngine, type WorldsEngineOptions } from '@rdf-worlds/core';
import type { Storage } from '@rdf-worlds/core/plugin';
import { fileStorage } from '@rdf-worlds/storage-file';
import { NO_SERVER, serverPrograms } from '../../storage-postgres/test/postgres-server.ts';
import { pgliteSource, postgresSource } from '../../storage-postgres/test/storage-source.ts';
import type { EngineUnderTest } from './engine-under-test.ts';
import { ReopenedEngine } from './reopened-engine.ts';

/** What the suites run on, and the end of it. */
export interface OpenSetting {
  readonly engine: EngineUnderTest;
  close(): Promise<void>;
}

/** Where the worlds of the suites are kept. */
export interface StorageSetting {
  open(options: WorldsEngineOptions): Promise<OpenSetting>;
  /** Why the suites cannot run on it here; undefined if they can. */
  absent?(): string | undefined;
}

/** A place of storages, one open at a time, and the end of it. */
interface Place {
  make(): Storage;
  dispose(): Promise<void>;
}

/** Small, so that a test of some commits makes checkpoints. */
const CHECKPOINT_LOG_BYTES = 10_000;

const onServer = { absent: () => (serverPrograms() ? undefined : NO_SERVER) };

export const STORAGE_SETTINGS: ReadonlyMap<string, StorageSetting> = new Map<string, StorageSetting>([
  ['none', { open: (options) => WorldsEngine.open(options).then(closing) }],
  ['memory', { open: staying(inMemory) }],
  ['file', { open: staying(inDirectory) }],
  ['file-reopened', { open: reopening(inDirectory) }],
  ['postgres', { open: staying(onPostgres), ...onServer }],
  ['postgres-reopened', { open: reopening(onPostgres), ...onServer }],
  ['pglite', { open: staying(onPGlite) }],
]);

function closing(engine: EngineUnderTest & { close(): Promise<void> }): OpenSetting {
  return { engine, close: () => engine.close() };
}

/** An engine on a new place, open from the first test to the last. */
function staying(newPlace: () => Promise<Place>): StorageSetting['open'] {
  return (options) => inPlace(options, newPlace, (open) => open().then(closing));
}

/** An engine on a new place that is closed and opened between writing and reading. */
function reopening(newPlace: () => Promise<Place>): StorageSetting['open'] {
  return (options) => inPlace(options, newPlace, async (open) => closing(await ReopenedEngine.open(open)));
}

async function inPlace(
  options: WorldsEngineOptions,
  newPlace: () => Promise<Place>,
  start: (open: () => Promise<WorldsEngine>) => Promise<OpenSetting>,
): Promise<OpenSetting> {
  const place = await newPlace();
  const { engine, close } = await start(() =>
    WorldsEngine.open({ ...options, storage: place.make(), checkpointLogBytes: CHECKPOINT_LOG_BYTES }),
  );
  return {
    engine,
    async close() {
      await close();
      await place.dispose();
    },
  };
}

async function inMemory(): Promise<Place> {
  return { make: () => new MemoryStorage(), dispose: async () => undefined };
}

async function inDirectory(): Promise<Place> {
  const path = await mkdtemp(join(tmpdir(), 'rdf-worlds-suites-'));
  return { make: () => fileStorage({ path }), dispose: () => rm(path, { recursive: true }) };
}

async function onPostgres(): Promise<Place> {
  const source = await postgresSource();
  return { make: await source.newPlace(), dispose: () => source.dispose() };
}

async function onPGlite(): Promise<Place> {
  const source = await pgliteSource();
  return { make: await source.newPlace(), dispose: () => source.dispose() };
}
