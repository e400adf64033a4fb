import { expect, it } from 'vitest';
import { worldsBenchmark } from '../src/worlds.ts';
import { LAYOUTS, measureWorldsFootprint } from '../src/worlds-footprint.ts';

it.each(LAYOUTS)('%s: creates the requested worlds', async (layout) => {
  const { worlds, namespaces, quads, columns } = await measureWorldsFootprint({
    layout,
    worlds: 4,
    quads: 30,
    seed: 1,
  });
  expect({ worlds, namespaces, quads }).toEqual({
    worlds: 4,
    namespaces: layout === 'one namespace' ? 1 : 4,
    quads: 120,
  });
  expect(columns).toBeGreaterThan(0);
});

it('measures each layout in its own process and reports both', async () => {
  const { tables } = await worldsBenchmark.run({ worlds: 3, quads: 20, rounds: 1, seed: 1 }, () => undefined);
  expect(tables.length).toBe(1);
  const [{ columns, rows }] = tables;
  expect(rows.map(([layout]) => layout)).toEqual([...LAYOUTS]);
  for (const row of rows) expect(row.length).toBe(columns.length);
});
