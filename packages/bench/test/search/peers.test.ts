import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { UsageError } from '../../src/arguments.ts';
import { fts5Text, type SqliteModule } from '../../src/search/fts5-text.ts';
import { type InstalledPeer, installedPeer, peersLine } from '../../src/search/installed-peer.ts';
import { type MiniSearchModule, minisearchText } from '../../src/search/minisearch-text.ts';
import { OWN_TEXT } from '../../src/search/own-text.ts';
import { searchBenchmark } from '../../src/search/search.ts';
import type { TextSystemKind } from '../../src/search/text-system.ts';
import { type HnswModule, hnswVectors } from '../../src/search/vector-system.ts';

/**
 * Where peers are installed that this package does not depend on; without it only those beside the
 * checkout are tested.
 */
const FROM = process.env['RDF_WORLDS_SEARCH_PEERS'];

const minisearch = await installedPeer<MiniSearchModule>('minisearch', FROM);
const sqlite = await installedPeer<SqliteModule>('better-sqlite3', FROM);
const hnswlib = await installedPeer<HnswModule>('hnswlib-node', FROM);
console.info(`Search peers: ${peersLine([minisearch, sqlite, hnswlib])}`);

const kind = <Module>(peer: InstalledPeer<Module>, make: (module: Module) => TextSystemKind) =>
  peer.isThere ? [make(peer.module)] : [];

it.each([OWN_TEXT, ...kind(minisearch, minisearchText), ...kind(sqlite, fts5Text)])(
  '$name finds, counts and removes documents',
  async ({ open }) => {
    const system = await open({ exact: true });
    const texts = ['red wine', 'white wine', 'red brick'];
    system.add(texts, [0, 1, 2]);
    expect([await system.count('wine'), await system.count('red'), await system.count('blue')]).toEqual([2, 2, 0]);
    const found = async (query: string, form: { prefix?: boolean; fuzzy?: boolean } = {}) =>
      ((await system.asker({ prefix: false, fuzzy: false, ...form })?.(query)) as readonly unknown[] | undefined)
        ?.length;
    expect([await found('red wine'), await found('bri', { prefix: true })]).toEqual([3, 1]);
    expect([1, undefined]).toContain(await found('brck', { fuzzy: true }));
    system.remove([texts[0]], [0]);
    expect(await system.count('wine')).toBe(1);
    system.close();
  },
);

it.runIf(hnswlib.isThere)('hnswlib-node finds only what a filter allows', async () => {
  if (!hnswlib.isThere) return;
  const system = await hnswVectors(hnswlib.module).open(2, 3);
  for (const [row, vector] of [
    [1, 0],
    [0.9, 0.1],
    [0, 1],
  ].entries())
    system.set(row, Float32Array.from(vector));
  const query = Float32Array.of(1, 0);
  expect(await system.search(query, 2, undefined)).toEqual([0, 1]);
  const docs = { kind: 'sorted', ids: Uint32Array.of(2), size: 1 } as const;
  expect(await system.search(query, 1, { docs, isAllowed: Uint8Array.of(0, 0, 1) })).toEqual([2]);
});

it('reports a peer that is not installed, and throws if one cannot be loaded', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rdf-worlds-bench-'));
  try {
    const absent = await installedPeer('no-such-index', folder);
    expect(absent).toEqual({ isThere: false, name: 'no-such-index', reason: 'not installed' });
    const install = (name: string, code: string) => {
      mkdirSync(join(folder, 'node_modules', name), { recursive: true });
      writeFileSync(join(folder, 'node_modules', name, 'index.js'), code);
    };
    install('an-index', 'module.exports = { answer: 42 };');
    install('a-broken-index', 'throw new Error("no binary for this machine");');
    const there = await installedPeer<{ answer: number }>('an-index', folder);
    expect(there.isThere && there.module.answer).toBe(42);
    expect(peersLine([there, absent])).toBe('an-index; no-such-index: not installed');
    await expect(installedPeer('a-broken-index', folder)).rejects.toThrow('no binary for this machine');
    await expect(installedPeer('an-index', join(folder, 'absent'))).rejects.toThrow(UsageError);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('reports every part', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rdf-worlds-bench-'));
  const texts = join(folder, 'texts.tsv');
  const words = [
    'common plain words',
    'the common unfinished sentence',
    'words of the common kind',
    'another common sentence',
  ];
  const lines = Array.from({ length: 200 }, (_, at) => `${at}\t${at}\t${at % 3}\t0\t${words[at % words.length]} ${at}`);
  writeFileSync(texts, lines.join('\n'));
  writeFileSync(
    join(folder, 'cranfield.jsonl'),
    ['doc', 'query'].map((kind) => JSON.stringify({ kind, id: 1, title: '', text: 'lift of wings' })).join('\n'),
  );
  writeFileSync(join(folder, 'cranqrel'), '1 1 1');
  try {
    const { settings, tables } = await searchBenchmark.run(
      {
        parts: ['texts', 'documents', 'worlds', 'vectors', 'relevance', 'import'],
        peers: [],
        'peers-from': undefined,
        texts,
        documents: 0,
        cranfield: folder,
        collections: ['cranfield'],
        'relevance-seeds': 1,
        worlds: 3,
        'world-texts': 20,
        vectors: 300,
        dimensions: 16,
        quads: 300,
        queries: 2,
        updates: 10,
        rounds: 1,
        warm: 0,
        budget: 1000,
        seed: 1,
      },
      () => undefined,
    );
    expect(settings).toContain('200 texts of texts.tsv');
    expect(settings[0]).toBe('peers: none');
    expect(tables.map(({ rows }) => rows.length)).toEqual([1, 2, 1, 4, 1, 4, 1, 1, 3]);
    for (const { columns, rows } of tables) for (const row of rows) expect(row.length).toBe(columns.length);
    expect(tables[6].rows[0].slice(4)).toEqual(Array(6).fill('1.000 (1.000)'));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
