import { expect, it } from 'vitest';
import { firstAnswersBenchmark } from '../src/first-answers/first-answers.ts';
import { installedPeer } from '../src/search/installed-peer.ts';

const isThere = async (name: string) => (await installedPeer(name, undefined)).isThere;

it('opens the data in a fresh process for every product, and names the products that are not installed', async () => {
  const { settings, tables } = await firstAnswersBenchmark.run(
    {
      percent: 1,
      peers: ['sqlite', 'duckdb'],
      'peers-from': undefined,
      rounds: 1,
      warm: 0,
      directory: undefined,
      markdown: false,
      seed: 1,
    },
    () => undefined,
  );
  const installed = [await isThere('better-sqlite3'), await isThere('@duckdb/node-api')].filter(Boolean).length;
  expect(settings.length).toBe(1 + 2 - installed);
  expect(tables[0].rows.map(([name]) => name)).toEqual([
    'opened',
    'opened and first query',
    'opened and first search',
    'a lookup in a warm process',
    'the same in a text of its own',
  ]);
  expect(tables[0].columns.length).toBe(2 + 2 * installed);
  for (const { columns, rows } of tables) for (const row of rows) expect(row.length).toBe(columns.length);
});
