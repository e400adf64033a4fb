import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileStorage, nodeFileSystem } from '@rdf-worlds/storage-file';
import { afterAll } from 'vitest';
import { withoutSyncs } from '../../../../storage-file/test/power-cut/without-syncs.ts';
import { MemoryStorage, WorldsEngine } from '../../../src/index.ts';
import type { Storage } from '../../../src/plugin.ts';

/**
 * Where the worlds of engines live whose tests say nothing of storage. `file`: in directories,
 * without waiting for the disk; `disk`: and waiting for it.
 */
export type GivenStorage = 'memory' | 'file' | 'disk';

/**
 * Every engine that a test of this file opens from now on, without naming a storage, has one, and
 * makes a checkpoint whenever its log has grown by a few kilobytes. Gives those engines, which are
 * closed after the file.
 */
export function giveStorage(kind: GivenStorage): readonly WorldsEngine[] {
  const { open } = WorldsEngine;
  const directories: string[] = [];
  const engines: WorldsEngine[] = [];
  WorldsEngine.open = async (options) => {
    const storage = kind === 'memory' ? new MemoryStorage() : await inDirectory(kind === 'disk', directories);
    const engine = await open.call(WorldsEngine, { storage, checkpointLogBytes: 5000, ...options });
    if (!options?.storage) engines.push(engine);
    return engine;
  };
  afterAll(async () => {
    WorldsEngine.open = open;
    for (const engine of engines.splice(0)) await engine.close();
    for (const directory of directories.splice(0)) await rm(directory, { recursive: true });
  });
  return engines;
}

const unsynced = withoutSyncs(nodeFileSystem, { files: true, directories: true });

async function inDirectory(isSynced: boolean, directories: string[]): Promise<Storage> {
  const path = await mkdtemp(join(tmpdir(), 'rdf-worlds-given-'));
  directories.push(path);
  return fileStorage({ path, maxLogFileBytes: 20_000, fileSystem: isSynced ? nodeFileSystem : unsynced });
}
