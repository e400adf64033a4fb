import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { UsageError } from '../src/arguments.ts';
import { measureCommits } from '../src/durable/commit-rate.ts';
import { fillNamespaces, measureCrowd } from '../src/durable/crowded-memory.ts';
import { durableBenchmark } from '../src/durable/durable.ts';

const folder = mkdtempSync(join(tmpdir(), 'rdf-worlds-bench-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const DEFAULTS = {
  file: undefined,
  quads: 0,
  namespaces: 0,
  cap: 300,
  operations: 10,
  commits: 5,
  rounds: 1,
  directory: folder,
  seed: 1,
};
const run = (values: Partial<typeof DEFAULTS>) => durableBenchmark.run({ ...DEFAULTS, ...values }, () => undefined);

it('imports, reopens, searches and commits, and leaves no files behind', async () => {
  const before = readdirSync(folder);
  const { tables } = await run({ quads: 300 });
  expect(tables.map(({ rows }) => rows.map(([name]) => name))).toEqual([
    [
      'import in memory',
      'import on disk',
      'checkpoint after it',
      'reopening, to the first answer',
      'Oxigraph, loading',
    ],
    ['reopening, to the first answer', 'the first search, which makes the index', 'the next search'],
    ['one at a time', '64 in flight', 'raw append and fdatasync, async', 'raw append and fdatasync, sync'],
  ]);
  for (const { columns, rows } of tables) for (const row of rows) expect(row).toHaveLength(columns.length);
  expect(readdirSync(folder)).toEqual(before);
});

it('evicts and reloads namespaces, and all of them answer', async () => {
  const crowd = { path: join(folder, 'crowd'), namespaces: 12, quads: 2000, seed: 3 };
  expect(await fillNamespaces({ task: 'fill', ...crowd })).toEqual({ quads: 24_000 });
  const memory = await measureCrowd({ task: 'crowd', ...crowd, capMiB: 1, operations: 120 });
  expect(memory.loads).toBeGreaterThan(12);
  expect(memory.returns).toBe(memory.loads - 12);
  expect(memory.loadingMs.length + memory.presentMs.length).toBe(120);
  expect(memory.searches).toBeGreaterThan(0);
  expect(memory.writes).toBeGreaterThan(0);
  expect(memory.peakRss).toBeGreaterThanOrEqual(memory.emptyRss);
});

it('measures namespaces in processes of their own and reports them', async () => {
  const { tables } = await run({ namespaces: 3, quads: 200 });
  expect(tables).toHaveLength(3);
  for (const { columns, rows } of tables) for (const row of rows) expect(row).toHaveLength(columns.length);
});

it('commits everything that it times', async () => {
  const rates = await measureCommits({ task: 'commits', path: folder, rounds: 2, single: 3, together: 70 });
  for (const each of [rates.oneAtATime, rates.inFlight, rates.rawAsync, rates.rawSync]) {
    expect(each).toHaveLength(2);
    for (const rate of each) expect(rate).toBeGreaterThan(0);
  }
  expect(rates.bytesPerCommit).toBeGreaterThan(72);
});

it('rejects a file for the namespaces', async () => {
  await expect(run({ namespaces: 3, file: 'some.nt' as never })).rejects.toThrow(UsageError);
});
