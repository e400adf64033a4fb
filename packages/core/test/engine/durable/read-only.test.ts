import { execFileSync } from 'node:child_process';
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FileSystem, fileStorage } from '@rdf-worlds/storage-file';
import { expect, it, onTestFinished } from 'vitest';
import { nodeFileSystem } from '../../../../storage-file/src/node-file-system.ts';
import { unwritable } from '../../../../storage-file/test/unwritable-file-system.ts';
import type { Embedder } from '../../../src/embedders.ts';
import { dataFactory, MemoryStorage, WorldsEngine } from '../../../src/index.ts';
import { dataOf } from '../world-state.ts';

const { quad, namedNode, literal } = dataFactory;
const one = (n: number) => quad(namedNode(`urn:s${n}`), namedNode('urn:p'), literal(`text ${n}`));

const embedder: Embedder = {
  id: 'lengths',
  dimensions: 2,
  embed: async (texts) => texts.map((text) => [text.length, 1]),
};

/**
 * A directory with a namespace that has checkpoints and a log behind them, and one that has a log
 * alone.
 */
async function filled(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'rdf-worlds-read-only-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  const engine = await WorldsEngine.open({ storage: fileStorage({ path, maxLogFileBytes: 700 }), textIndex: null });
  await engine.createWorld({ slug: 'w', label: 'A label' });
  for (let n = 1; n <= 6; n++) {
    await engine.write({ source: 'w', insert: [one(n)] });
    if (n % 2 === 0) await engine.checkpoint();
  }
  await engine.write({ source: 'w', insert: [one(7)], delete: [one(1)] });
  await engine.createWorld({ namespace: 'other', slug: 'v' });
  await engine.close();
  return path;
}

interface Opening {
  readonly fileSystem?: FileSystem;
  readonly checkpointLogBytes?: number;
}

const open = (path: string, { fileSystem, ...options }: Opening = {}) =>
  WorldsEngine.open({ ...options, storage: fileStorage({ path, readOnly: true, fileSystem }), embedder });

/** Bytes and times of everything in a directory. */
async function treeOf(path: string): Promise<string[]> {
  const { mtimeNs, ctimeNs } = await lstat(path, { bigint: true });
  const lines = [`${path} ${mtimeNs} ${ctimeNs}`];
  for (const entry of (await readdir(path, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const below = join(path, entry.name);
    if (entry.isDirectory()) {
      lines.push(...(await treeOf(below)));
      continue;
    }
    const stats = await lstat(below, { bigint: true });
    lines.push(`${below} ${stats.mtimeNs} ${stats.ctimeNs} ${(await readFile(below)).toString('base64')}`);
  }
  return lines;
}

/** Everything that reads; gives the data of the world. */
async function readAll(engine: WorldsEngine): Promise<string> {
  expect(await engine.listNamespaces()).toEqual(['default', 'other']);
  expect(await engine.getWorld({ source: 'w' })).toMatchObject({ label: 'A label', revision: 8 });
  expect(await engine.ask({ query: 'ASK { <urn:s7> ?p ?o }', sources: ['w'] })).toBe(true);
  expect((await engine.search({ query: 'text 7' }))[0]).toMatchObject({ subject: 'urn:s7' });
  await engine.flush();
  const revisions: number[] = [];
  for await (const { revision } of engine.changes({ after: 2 })) {
    revisions.push(revision);
    // The feed waits for a process that writes.
    if (revision === 8) break;
  }
  expect(revisions).toEqual([3, 4, 5, 6, 7, 8]);
  expect((await engine.stats({ namespace: 'default' })).storage).toMatchObject({ logRecords: 8 });
  expect(await engine.check()).toEqual({ namespaces: 2, problems: [] });
  const backup: Uint8Array[] = [];
  for await (const chunk of engine.backupStream()) backup.push(chunk);
  const copy = await WorldsEngine.restore(Buffer.concat(backup), { storage: new MemoryStorage() });
  expect((await copy.stats({ namespace: 'default' })).quads).toBe(6);
  await copy.close();
  return dataOf(engine, 'w');
}

it('reads everything by calls that change nothing; bytes and times stay', async () => {
  const path = await filled();
  const before = await treeOf(path);
  const refused: string[] = [];
  const fileSystem = unwritable(nodeFileSystem, (call) => refused.push(call));
  // Checkpoints would be due after any vector.
  const engine = await open(path, { fileSystem, checkpointLogBytes: 1 });
  expect(await readAll(engine)).toContain('"text 7"');
  await engine.settle();
  await engine.close();
  expect(refused).toEqual([]);
  expect(await treeOf(path)).toEqual(before);
});

it('every write is rejected early, with UNSUPPORTED and what to do', async () => {
  const path = await filled();
  const refused: string[] = [];
  const engine = await open(path, { fileSystem: unwritable(nodeFileSystem, (call) => refused.push(call)) });
  const writes: Readonly<Record<string, () => Promise<unknown>>> = {
    createWorld: () => engine.createWorld({ slug: 'new' }),
    updateWorld: () => engine.updateWorld({ source: 'w', label: 'x' }),
    deleteWorld: () => engine.deleteWorld({ source: 'w' }),
    deleteNamespace: () => engine.deleteNamespace({ namespace: 'other' }),
    import: () => engine.import({ source: 'w', contentType: 'text/turtle', data: '<urn:a> <urn:b> <urn:c> .' }),
    importAll: () => engine.importAll({ source: 'w', documents: [] }),
    write: () => engine.write({ source: 'w', insert: [one(9)] }),
    deleteGraph: () => engine.deleteGraph({ source: 'w', graph: namedNode('urn:g') }),
    update: () => engine.update({ sources: ['w'], query: 'DELETE WHERE { ?s ?p ?o }' }),
    sparql: () => engine.sparql({ sources: ['w'], query: 'INSERT DATA { <urn:a> <urn:b> <urn:c> }' }),
    checkpoint: () => engine.checkpoint(),
    compact: () => engine.compact(),
  };
  for (const [operation, write] of Object.entries(writes))
    await expect(write(), operation).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      message: expect.stringMatching(new RegExp(`^${operation}: the storage is read-only.*without readOnly`)),
    });
  expect(await dataOf(engine, 'w')).not.toContain('"text 9"');
  await engine.close();
  expect(refused).toEqual([]);
  const restoring = WorldsEngine.restore(new Uint8Array(0), { storage: fileStorage({ path, readOnly: true }) });
  await expect(restoring).rejects.toMatchObject({ code: 'UNSUPPORTED' });
});

it('nothing looks damaged while another engine writes, checkpoints and truncates the log', async () => {
  const path = await filled();
  const storage = fileStorage({ path, maxLogFileBytes: 2000 });
  const writing = await WorldsEngine.open({ storage, textIndex: null, retainChangesBytes: 0 });
  let isReading = true;
  let commits = 0;
  const write = async () => {
    while (isReading) {
      await writing.write({ source: 'w', insert: [one(100 + commits++)] });
      if (commits % 10 === 0) await writing.checkpoint();
    }
  };
  const writes = write();
  try {
    // Until the log was truncated at least once, however slow the disk is.
    for (let round = 0; round < 15 || commits <= 15; round++) {
      const reading = await open(path);
      expect(await dataOf(reading, 'w')).toContain('"text 7"');
      expect(await reading.check()).toEqual({ namespaces: 2, problems: [] });
      await reading.close();
    }
  } finally {
    isReading = false;
    await writes;
  }
  await writing.close();
});

it('reads a directory on a file system that is mounted read-only', async ({ skip }) => {
  const path = await filled();
  const mounted = await mkdtemp(join(tmpdir(), 'rdf-worlds-mounted-'));
  onTestFinished(() => rm(mounted, { recursive: true, force: true }));
  try {
    execFileSync('mount', ['--bind', path, mounted], { stdio: 'pipe' });
    onTestFinished(() => void execFileSync('umount', [mounted]));
    execFileSync('mount', ['-o', 'remount,bind,ro', mounted], { stdio: 'pipe' });
  } catch (error) {
    skip(`This process may not mount: ${String(error).split('\n', 1)[0]}`);
  }
  await expect(mkdir(join(mounted, 'x'))).rejects.toMatchObject({ code: 'EROFS' });
  const before = await treeOf(mounted);
  await expect(fileStorage({ path: mounted }).open()).rejects.toMatchObject({ code: 'INTERNAL' });
  const engine = await open(mounted);
  expect(await readAll(engine)).toContain('"text 7"');
  await engine.close();
  expect(await treeOf(mounted)).toEqual(before);
});

it('reads a directory that this process may not write to', async ({ skip }) => {
  if (process.getuid?.() === 0 || process.platform === 'win32') skip('Permissions do not bind this user.');
  const path = await filled();
  const directories = [path, ...(await readdir(path, { recursive: true, withFileTypes: true })).flatMap(pathOf)];
  for (const directory of directories) await chmod(directory, 0o555);
  onTestFinished(async () => {
    for (const directory of directories) await chmod(directory, 0o755);
  });
  const engine = await open(path);
  expect(await readAll(engine)).toContain('"text 7"');
  await engine.close();
});

function pathOf(entry: { isDirectory(): boolean; parentPath: string; name: string }): string[] {
  return entry.isDirectory() ? [join(entry.parentPath, entry.name)] : [];
}
