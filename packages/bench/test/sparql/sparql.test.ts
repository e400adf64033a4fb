import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { UsageError } from '../../src/arguments.ts';
import { measureGrowth, reportGrowth } from '../../src/sparql/growth.ts';
import { loadPeers } from '../../src/sparql/load-peers.ts';
import { reportPeers } from '../../src/sparql/peer-report.ts';
import { PEER_KINDS, WORLDS } from '../../src/sparql/peers.ts';
import { sparqlBenchmark } from '../../src/sparql/sparql.ts';
import { openWorkload } from '../../src/sparql/workload.ts';
import { fakeStore } from './fake-peer.ts';

const quiet = () => undefined;
const lengths = { rounds: 1, warmMs: 0, lapMs: 0 };
const generated = (quads: number) => ({ quads, seed: 2, size: '1m' }) as const;

it('reports the queries and all other tasks of every peer', async () => {
  const whole = await openWorkload(generated(600));
  const workload = { ...whole, queries: whole.queries.slice(0, 2) };
  const peers = ['oxigraph', 'oxigraph-strings'] as const;
  const settings = { ...lengths, peers, answerMs: 60_000, updates: { many: 20, singles: 3 } };
  const { settings: lines, tables } = await reportPeers(workload, settings, quiet);
  expect(lines[0]).toBe(
    '600 generated academic quads, seed 2: 600 distinct quads; 2 queries of our own, 0 answers known beforehand',
  );
  expect(lines[1]).toMatch(/^RDF Worlds \(text index off\); Oxigraph \d\S+ \(WebAssembly\)$/);
  const [, means, , cpu, wall, others, othersWall] = tables;
  const names = ['01-point', '02-star-selective'];
  expect([cpu, wall].map(({ rows }) => rows.map(([name]) => name))).toEqual([names, names]);
  expect(means.rows.map(([name, count]) => [name, count])).toEqual(peers.map((name) => [PEER_KINDS[name].name, '2']));
  const works = ['load', 'tiny query', 'INSERT DATA of 20 triples', 'DELETE/INSERT WHERE over 20 rows'];
  works.push('INSERT DATA of 1 triple', 'N-Quads dump');
  for (const { rows } of [others, othersWall]) expect(rows.map(([name]) => name)).toEqual(works);
  for (const { columns, rows } of tables) for (const row of rows) expect(row.length).toBe(columns.length);
  const strings = cpu.columns.indexOf('Oxigraph, strings');
  expect(others.rows.map((row) => row[strings] === '')).toEqual([true, false, true, true, true, true]);
  for (const row of cpu.rows) expect(row).not.toContain('-');
});

it('reports the versions of Comunica and its store', () => {
  expect(PEER_KINDS.comunica.product.version()).toMatch(/^Comunica \d\S+ over n3 \d\S+$/);
});

describe('loading', () => {
  it('keeps one store for all peers of a product, and releases the others', async () => {
    let open = 0;
    const store = () => {
      open++;
      return { ...fakeStore(), release: async () => void open-- };
    };
    const product = { name: 'p', version: () => '1', open: async () => store() };
    const kinds = [
      { name: 'a', product, delivery: 'terms', language: 'sparql' },
      { name: 'b', product, delivery: 'strings', language: 'sparql' },
      { name: 'c', product: { ...product }, delivery: 'terms', language: 'sparql' },
    ] as const;
    const settings = { rounds: 3, answerMs: 1 };
    const { peers, result } = await loadPeers(kinds, await openWorkload(generated(1)), settings, quiet);
    expect(open).toBe(2);
    expect(peers[0].store).toBe(peers[1].store);
    expect(peers[2].store).not.toBe(peers[0].store);
    expect(result.laps.map((laps) => (typeof laps === 'string' ? laps : laps.length))).toEqual([3, 'shared store', 3]);
  });

  it('fails if two stores hold different numbers of quads', async () => {
    const lossy = { name: 'lossy', version: () => '1', open: async () => fakeStore(() => 99) };
    const kinds = [WORLDS, { name: 'lossy', product: lossy, delivery: 'terms', language: 'sparql' }] as const;
    const loading = loadPeers(kinds, await openWorkload(generated(100)), { rounds: 1, answerMs: 1 }, quiet);
    await expect(loading).rejects.toThrow('lossy holds 99 quads, RDF Worlds 100.');
  });
});

describe('growth', () => {
  it('runs the same queries on a tenth of the data and on all of it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rdf-worlds-bench-'));
    writeFileSync(join(folder, 'all.rq'), 'SELECT ?s { ?s ?p ?o }');
    writeFileSync(join(folder, 'one.rq'), 'ASK { ?s ?p ?o }');
    const { tables, settings } = await reportGrowth({ ...generated(1000), queries: folder }, lengths, quiet);
    rmSync(folder, { recursive: true });
    expect(settings[0]).toContain('100 generated academic quads, seed 2; 1,000 generated academic quads, seed 2');
    const [{ columns, rows }] = tables;
    expect(columns).toEqual(['', 'rows', '100 quads', 'rows', '1,000 quads', 'ratio']);
    expect(rows.map(([name, small, , large]) => [name, small, large])).toEqual([
      ['all', '100', '1,000'],
      ['one', '1', '1'],
    ]);
    for (const row of rows) expect(row.length).toBe(columns.length);
  });

  it.each([
    { settings: { ...generated(100), file: 'a.nt' }, says: '--file' },
    { settings: generated(9), says: '10 quads' },
  ])('refuses $settings', async ({ settings, says }) => {
    await expect(measureGrowth(settings, lengths, quiet)).rejects.toThrow(UsageError);
    await expect(measureGrowth(settings, lengths, quiet)).rejects.toThrow(says);
  });
});

it('measures one thing at a time', async () => {
  const progress = vi.fn();
  const choice = { workload: 'lubm', percent: 100, 'peers-from': undefined, markdown: false } as const;
  const values = {
    ...generated(100),
    ...choice,
    file: undefined,
    queries: undefined,
    peers: [],
    rounds: 1,
    timeout: 1,
    texts: 'new' as const,
  };
  const run = sparqlBenchmark.run({ ...values, growth: true, cancel: true }, progress);
  await expect(run).rejects.toThrow(UsageError);
  expect(progress).not.toHaveBeenCalled();
});
