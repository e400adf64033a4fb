import { expect, it } from 'vitest';
import { timeBenchmark } from '../src/time.ts';

it('measures queries of the past, forks and differences', async () => {
  const { tables } = await timeBenchmark.run({ quads: 2000, commits: 120, rounds: 2 }, () => undefined);
  expect(tables[0].rows.map(([name]) => name)).toEqual(['now', '1 commits ago', '100 commits ago', '120 commits ago']);
  expect(tables[1].rows).toHaveLength(2);
  for (const { columns, rows } of tables) for (const row of rows) expect(row).toHaveLength(columns.length);
});
