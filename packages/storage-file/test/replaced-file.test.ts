import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FileSystem, nodeFileSystem } from '@rdf-worlds/storage-file';
import { expect, it, onTestFinished } from 'vitest';
import { readFile } from '../src/file-system.ts';
import { memoryFiles } from './opened-storage.ts';

it.each<[string, FileSystem]>([
  ['this machine', nodeFileSystem],
  ['the simulation', memoryFiles()],
])('replacing a file of %s does not affect handles of the old file', async (_, fileSystem) => {
  const directory = await mkdtemp(join(tmpdir(), 'rdf-worlds-replaced-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const path = fileSystem === nodeFileSystem ? join(directory, 'file') : '/file';
  const before = await fileSystem.open(path, 'replace');
  await before.write(Buffer.from('before'), 0);
  const after = await fileSystem.open(path, 'replace');
  await after.write(Buffer.from('new'), 0);
  await before.write(Buffer.from('written late'), 0);
  expect(Buffer.from((await readFile(fileSystem, path))!).toString()).toBe('new');
  await before.close();
  await after.close();
});
