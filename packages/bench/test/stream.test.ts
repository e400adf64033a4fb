import { expect, it } from 'vitest';
import { measureStream, streamBenchmark } from '../src/stream.ts';

it('imports all quads of the stream, and asks meanwhile', async () => {
  const result = await measureStream({ quads: 3000, seed: 1 }, () => undefined);
  expect(result.quads).toBe(3000);
  expect(result.columns).toBeGreaterThan(3000);
  expect(result.queries.latenciesMs).toHaveLength(result.queries.due);
  expect(result.queries.due).toBeGreaterThan(0);
});

it('reports each figure', async () => {
  const { tables } = await streamBenchmark.run({ quads: 500, seed: 2 }, () => undefined);
  const [{ columns, rows }] = tables;
  for (const row of rows) expect(row).toHaveLength(columns.length);
  for (const [name, value] of rows) expect(value, name).toMatch(/^-?[\d,.]+$/);
});
