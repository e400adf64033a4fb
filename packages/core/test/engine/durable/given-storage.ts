import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FileSystem, fileStorage, nodeFileSystem } from '@rdf-worlds/storage-file';
import { afterAll, inject } from 'vitest';
import { withoutSyncs } from '../../../../storage-file/test/power-cut/without-syncs.ts';
import type { StorageSource } from '../../../../storage-postgres/test/storage-source.ts';
import { MemoryStorage, WorldsEngine } from '../../../src/index.ts';

/** The sources of databases load their clients, which the other storages need not wait for. */
const databases = () => import('../../../../storage-postgres/test/storage-source.ts');

/** What gives the storages of each kind. */
const SOURCES = {
  memory: async () => ({ newPlace: async () => () => new MemoryStorage(), dispose: async () => undefined }),
  /** In directories, without waiting for the disk. */
  file: async () => directories(withoutSyncs(nodeFileSystem, { files: true, directories: true })),
  /** In directories, waiting for the disk. */
  disk: async () => directories(nodeFileSystem),
  /** In schemas of a PostgreSQL server. */
  postgres: async () => (await databases()).postgresSource(inject('postgres')),
  /** In schemas of PostgreSQL inside this process. */
  pglite: async () => (await databases()).pgliteSource(),
} satisfies Record<string, () => Promise<StorageSource>>;

/** Where the worlds of engines live whose tests say nothing of storage. */
export type GivenStorage = keyof typeof SOURCES;

export const GIVEN_STORAGES = Object.keys(SOURCES) as readonly GivenStorage[];

/** Storages that engines of other processes may write to, so that a write may be repeated. */
const SHARED: readonly (GivenStorage | undefined)[] = ['postgres', 'pglite'];

let given: GivenStorage | undefined;

/** Whether the engines of the test that runs are on a storage that others may write to. */
export function givenStorageIsShared(): boolean {
  return SHARED.includes(given);
}

/**
 * Every engine that a test of this file opens from now on, without naming a storage, has one, and
 * makes a checkpoint whenever its log has grown by a few kilobytes. Gives those engines, which are
 * closed after the file.
 */
export function giveStorage(kind: GivenStorage): readonly WorldsEngine[] {
  const { open } = WorldsEngine;
  const before = given;
  given = kind;
  const engines: WorldsEngine[] = [];
  let source: Promise<StorageSource> | undefined;
  WorldsEngine.open = async (options) => {
    if (options?.storage) return open.call(WorldsEngine, { checkpointLogBytes: 5000, ...options });
    source ??= SOURCES[kind]();
    const newStorage = await (await source).newPlace();
    const engine = await open.call(WorldsEngine, { checkpointLogBytes: 5000, ...options, storage: newStorage() });
    engines.push(engine);
    return engine;
  };
  afterAll(async () => {
    WorldsEngine.open = open;
    given = before;
    for (const engine of engines.splice(0)) await engine.close();
    await (await source)?.dispose();
  });
  return engines;
}

function directories(fileSystem: FileSystem): StorageSource {
  const made: string[] = [];
  return {
    async newPlace() {
      const path = await mkdtemp(join(tmpdir(), 'rdf-worlds-given-'));
      made.push(path);
      return () => fileStorage({ path, maxLogFileBytes: 20_000, fileSystem });
    },
    async dispose() {
      for (const directory of made.splice(0)) await rm(directory, { recursive: true });
    },
  };
}
