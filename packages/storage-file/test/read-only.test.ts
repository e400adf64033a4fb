import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Storage } from '@rdf-worlds/core/plugin';
import { fileStorage } from '@rdf-worlds/storage-file';
import { expect, it, onTestFinished } from 'vitest';
import { append, memoryFiles, openedStorage, recordOf, segmentOf, segmentTexts, textsOf } from './opened-storage.ts';
import type { SimulatedFileSystem } from './power-cut/simulated-file-system.ts';
import { unwritable } from './unwritable-file-system.ts';

async function readOnly(fileSystem: SimulatedFileSystem): Promise<{ storage: Storage; refused: string[] }> {
  const refused: string[] = [];
  const storage = await openedStorage(
    unwritable(fileSystem, (call) => refused.push(call)),
    { readOnly: true },
  );
  return { storage, refused };
}

async function namesOf(storage: Storage): Promise<string[]> {
  const names: string[] = [];
  for await (const name of storage.namespaces()) names.push(name);
  return names.sort();
}

async function filled(): Promise<SimulatedFileSystem> {
  const files = memoryFiles();
  const storage = await openedStorage(files, { maxLogFileBytes: 400 });
  const one = storage.namespace('one');
  for (const text of ['a', 'b', 'c', 'd']) await append(one, text);
  await one.writeCheckpoint(await one.head(), [segmentOf('s', 'of a checkpoint')]);
  await append(one, 'e');
  await append(storage.namespace('two'), 'x');
  await append(storage.namespace('gone'), 'y');
  await storage.namespace('gone').drop();
  await storage.close();
  return files;
}

async function pathsBelow(fileSystem: SimulatedFileSystem, path: string): Promise<string[]> {
  const names = await fileSystem.list(path).catch(() => undefined);
  if (!names) return [path];
  return (await Promise.all(names.map((name) => pathsBelow(fileSystem, `${path}/${name}`)))).flat().sort();
}

async function spoil(fileSystem: SimulatedFileSystem, path: string, bytes: Uint8Array): Promise<void> {
  const file = await fileSystem.open(path, 'write');
  await file.write(bytes, await file.size());
  await file.close();
}

it('reads heads, logs, checkpoints and sizes without changing anything', async () => {
  const files = await filled();
  const { storage, refused } = await readOnly(files);
  expect(storage.capabilities).toEqual({ durable: true, shared: true, readOnly: true });
  expect(await namesOf(storage)).toEqual(['one', 'two']);
  const one = storage.namespace('one');
  expect((await one.head()).position).toBe(5);
  expect(await textsOf(one)).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(await segmentTexts(one)).toEqual(['of a checkpoint']);
  expect(await one.stats()).toMatchObject({ logRecords: 5, segments: 1 });
  expect((await storage.namespace('none').head()).position).toBe(0);
  expect(await textsOf(storage.namespace('none'))).toEqual([]);
  await storage.close();
  await expect(one.head()).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  expect(refused).toEqual([]);
});

it('rejects every write with UNSUPPORTED before it reaches the disk', async () => {
  const { storage, refused } = await readOnly(await filled());
  const one = storage.namespace('one');
  const head = await one.head();
  const unsupported = { code: 'UNSUPPORTED', message: expect.stringMatching(/readOnly.*without readOnly/) };
  await expect(one.append(head, [recordOf('late')])).rejects.toMatchObject(unsupported);
  await expect(one.writeCheckpoint(head, [segmentOf('t', 'x')])).rejects.toMatchObject(unsupported);
  await expect(one.truncate(head)).rejects.toMatchObject(unsupported);
  await expect(one.drop()).rejects.toMatchObject(unsupported);
  await storage.close();
  expect(refused).toEqual([]);
});

it('reads a log with a torn end up to its last complete append, and leaves it unchanged', async () => {
  const files = await filled();
  const path = (await pathsBelow(files, '/data/namespaces')).filter((each) => /one.*log-/.test(each)).at(-1)!;
  await spoil(files, path, Buffer.alloc(100, 7));
  const { storage, refused } = await readOnly(files);
  expect(await textsOf(storage.namespace('one'))).toEqual(['a', 'b', 'c', 'd', 'e']);
  await storage.close();
  expect(refused).toEqual([]);
});

it('reads a directory of an older format without marking it as the current one', async () => {
  const files = await filled();
  const format = await files.open('/data/format', 'replace');
  await format.write(Buffer.from('rdf-worlds-storage 1\n'), 0);
  const { storage, refused } = await readOnly(files);
  expect(await textsOf(storage.namespace('one'))).toEqual(['a', 'b', 'c', 'd', 'e']);
  await storage.close();
  expect(refused).toEqual([]);
  const bytes = Buffer.alloc(21);
  await format.read(bytes, 0);
  expect(bytes.toString()).toBe('rdf-worlds-storage 1\n');
});

it('throws NOT_FOUND for a path that is missing or has no storage, and creates nothing', async () => {
  const path = await mkdtemp(join(tmpdir(), 'rdf-worlds-read-only-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  const missing = join(path, 'missing');
  const open = (at: string) => fileStorage({ path: at, readOnly: true }).open();
  await expect(open(missing)).rejects.toMatchObject({ code: 'NOT_FOUND', message: expect.stringContaining(missing) });
  await expect(open(path)).rejects.toMatchObject({ code: 'NOT_FOUND', message: expect.stringContaining(path) });
  await writeFile(join(path, 'format'), 'rdf-worlds-storage 99\n');
  await expect(open(path)).rejects.toMatchObject({ code: 'UNSUPPORTED' });
});

it('throws CORRUPT for damage, like a writable storage', async () => {
  const files = await filled();
  for (const path of await pathsBelow(files, '/data/namespaces')) if (/two.*log-/.test(path)) await files.unlink(path);
  const { storage } = await readOnly(files);
  await expect(storage.namespace('two').head()).rejects.toMatchObject({ code: 'CORRUPT' });
  expect((await storage.namespace('one').head()).position).toBe(5);
});

it('sees what another process writes, truncates and drops at the next call; files that it has removed are TRUNCATED', async () => {
  const files = await filled();
  const { storage } = await readOnly(files);
  const seen = storage.namespace('one');
  const before = await seen.head();
  const checkpoint = (await seen.checkpoint())!;

  const writing = await openedStorage(files, { maxLogFileBytes: 400 });
  const one = writing.namespace('one');
  await append(one, 'f');
  expect(await seen.head()).toEqual(await one.head());
  expect(await textsOf(seen, before)).toEqual(['f']);

  for (const text of ['second', 'third']) {
    await one.writeCheckpoint(await one.head(), [segmentOf(`s-${text}`, text)]);
    await one.truncate(await one.head());
  }
  await expect(checkpoint.segments[0].read()).rejects.toMatchObject({ code: 'TRUNCATED' });
  expect(await segmentTexts(seen)).toEqual(['third']);
  expect((await seen.head()).position).toBe(6);
  await expect(textsOf(seen, before)).rejects.toMatchObject({ code: 'TRUNCATED' });

  await append(one, 'g');
  await one.drop();
  expect(await seen.head()).toEqual(await one.head());
  await expect(textsOf(seen, await seen.head())).resolves.toEqual([]);
  await expect(textsOf(seen, before)).rejects.toMatchObject({ code: 'TRUNCATED' });
  await append(one, 'new');
  expect(await seen.head()).toEqual(await one.head());
  expect(await textsOf(seen)).toEqual(['new']);
  await writing.close();
});
