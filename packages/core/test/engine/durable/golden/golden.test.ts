import { cp, mkdtemp, readdir, readFile, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fileStorage } from '@rdf-worlds/storage-file';
import { afterEach, describe, expect, it } from 'vitest';
import { dataFactory, MemoryStorage, WorldsEngine } from '../../../../src/index.ts';
import type { Storage } from '../../../../src/plugin.ts';
import { LettersEmbedder } from './letters-embedder.ts';
import { type SeenContents, seenContents } from './seen-contents.ts';

interface Expected extends SeenContents {
  /** The present revision of each namespace. */
  readonly revisions: Readonly<Record<string, number>>;
  /** Of a search for "cedar elder" in the namespace `default`. */
  readonly hits: readonly { readonly object: string; readonly score: number }[];
}

/** What an appender prepares behind a log. */
const PADDING_BYTES = 16 * 1024;

const { quad, namedNode, literal } = dataFactory;
const golden = fileURLToPath(new URL('.', import.meta.url));
const versions = (await readdir(golden)).filter((name) => /^v\d+$/.test(name));

const directories: string[] = [];
afterEach(async () => {
  for (const directory of directories.splice(0)) await rm(directory, { recursive: true });
});

async function copyOf(version: string, name: string): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'rdf-worlds-golden-'));
  directories.push(path);
  await cp(join(golden, version, name), path, { recursive: true });
  return path;
}

const expectedOf = async (version: string): Promise<Expected> =>
  JSON.parse(await readFile(join(golden, version, 'expected.json'), 'utf8'));

function opened(storage: Storage) {
  const embedder = new LettersEmbedder();
  return WorldsEngine.open({ storage, embedder, textIndex: null }).then((engine) => ({ engine, embedder }));
}

async function expectContents(engine: WorldsEngine, { revisions, worlds, changes }: Expected): Promise<void> {
  expect(await seenContents(engine, revisions)).toEqual({ worlds, changes });
  expect(await engine.check()).toEqual({ namespaces: Object.keys(worlds).length, problems: [] });
}

async function expectHits(engine: WorldsEngine, { hits }: Expected): Promise<void> {
  const found = await engine.search({ namespace: 'default', query: 'cedar elder', limit: 5, fusion: 'rrf' });
  expect(found.map(({ object }) => object)).toEqual(hits.map(({ object }) => object));
  for (const [i, { score }] of found.entries()) expect(score).toBeCloseTo(hits[i].score, 10);
}

const added = quad(namedNode('urn:added'), namedNode('urn:p'), literal('added today'), namedNode('urn:g'));
const SOURCES: Readonly<Record<string, string>> = { default: 'words', kinds: 'kinds/all', again: 'again/w' };

/**
 * Every namespace takes a commit, and what is written is there when the directory is opened again.
 */
async function expectWritable(engine: WorldsEngine, path: string, { revisions, worlds }: Expected): Promise<void> {
  for (const [namespace, source] of Object.entries(SOURCES)) {
    expect((await engine.write({ source, insert: [added] })).revision).toBe(revisions[namespace] + 1);
    const feed = engine.changes({ namespace, after: revisions[namespace] });
    expect((await feed.next()).value).toMatchObject({ revision: revisions[namespace] + 1, kind: 'changed' });
    await feed.return(undefined);
  }
  // The revisions of a namespace that is gone are not given again.
  await engine.createWorld({ namespace: 'gone', slug: 'w' });
  expect((await engine.getWorld({ source: 'gone/w' }))!.revision).toBeGreaterThan(5);
  const after = await seenContents(engine);
  expect(after.worlds['default'][0].quads).toHaveLength(worlds['default'][0].quads.length + 1);
  await engine.checkpoint({ namespace: 'kinds' });
  await engine.close();
  const again = await WorldsEngine.open({ storage: fileStorage({ path }) });
  expect(await seenContents(again)).toEqual(after);
  expect(await again.check()).toEqual({ namespaces: 4, problems: [] });
  await again.close();
}

describe.each(versions)('files of format %s', (version) => {
  it('are read from a closed directory: worlds, quads, changes and vectors; new commits work', async () => {
    const expected = await expectedOf(version);
    const path = await copyOf(version, 'directory');
    const { engine, embedder } = await opened(fileStorage({ path }));
    await expectContents(engine, expected);
    await expectHits(engine, expected);
    expect(embedder.documents).toEqual([]);
    await expectWritable(engine, path, expected);
  });

  it('are read as a process left them that was killed in the middle of a commit', async () => {
    const expected = await expectedOf(version);
    const path = await copyOf(version, 'killed');
    const names = (await readdir(path, { recursive: true })).filter((name) => /log-\d{16}$/.test(name));
    const lastLogs = new Map(names.sort().map((name) => [name.slice(0, name.lastIndexOf('log-')), join(path, name)]));
    // The zeros behind each log are not kept with the golden files.
    for (const log of lastLogs.values()) await truncate(log, (await stat(log)).size + PADDING_BYTES);
    // The process that is named in the lock has ended, which nobody can see from here.
    const { engine, embedder } = await opened(fileStorage({ path, takeOver: true }));
    await expectContents(engine, expected);
    await expectHits(engine, expected);
    // Vectors made since the checkpoint are made again, and no others.
    expect(embedder.documents.length).toBeGreaterThan(0);
    for (const text of embedder.documents) expect(text).toMatch(/behind the checkpoint|dropped 3|the last commit/);
    await expectWritable(engine, path, expected);
  });

  it.each(['memory', 'nothing'])('are read from a backup, into a storage in %s', async (kind) => {
    const expected = await expectedOf(version);
    const storage = kind === 'memory' ? new MemoryStorage() : undefined;
    const backup = await readFile(join(golden, version, 'backup'));
    const engine = await WorldsEngine.restore(backup, { storage, embedder: new LettersEmbedder(), textIndex: null });
    expect(await seenContents(engine)).toEqual({ worlds: expected.worlds });
    expect(await engine.check()).toEqual({ namespaces: 3, problems: [] });
    await expectHits(engine, expected);
    for (const [namespace, source] of Object.entries(SOURCES)) {
      const { revision } = await engine.write({ source, insert: [added] });
      expect(revision).toBeGreaterThan(expected.revisions[namespace]);
    }
    const after = await seenContents(engine);
    await engine.close();
    if (!storage) return;
    const again = await WorldsEngine.open({ storage: new MemoryStorage(storage.contents) });
    expect(await seenContents(again)).toEqual(after);
    await again.close();
  });
});

it('there are golden files of version 1', () => {
  expect(versions).toContain('v1');
});
