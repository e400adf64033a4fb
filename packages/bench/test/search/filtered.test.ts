import { expect, it } from 'vitest';
import { generateCorpus } from '../../src/search/corpus.ts';
import { filteredCorpus } from '../../src/search/filtered-corpus.ts';
import { type FilteredSystem, type LanceModule, lanceFiltered, ownFiltered } from '../../src/search/filtered-system.ts';
import { installedPeer } from '../../src/search/installed-peer.ts';
import { filteredTable, measureFiltered } from '../../src/search/measure-filtered.ts';

const SETTINGS = { rounds: 1, budgetMs: 1000, warmMs: 0, queries: 4, seed: 1 };
const corpus = filteredCorpus(generateCorpus(3000, 1));
const lance = await installedPeer<LanceModule>('@lancedb/lancedb', undefined);
if (!lance.isThere) console.warn('LanceDB is not installed (npm run bench:peers): its hits are not compared.');

it('each filter allows its share of the documents', () => {
  const counts = [0, 1, 2].map((predicate) => corpus.predicates.filter((each) => each === predicate).length);
  expect(counts).toEqual([3, 27, 270]);
});

it('every system finds the same number of documents, all within the filter', async () => {
  const systems = [await ownFiltered(corpus)];
  if (lance.isThere) systems.push(await lanceFiltered(lance.module, corpus));
  const results = await measureFiltered(systems, corpus, SETTINGS, () => undefined);
  for (const system of systems) await system.close();
  expect(results.map(({ filter }) => filter)).toEqual([
    'none',
    'a predicate of 0.1 % of the documents',
    'a predicate of 1 % of the documents',
    'a predicate of 10 % of the documents',
    'a type of 0.1 % of the subjects',
    'a type of 1 % of the subjects',
    'a type of 10 % of the subjects',
    '100 subjects',
    '1 of 1,000 worlds',
    '10 of 1,000 worlds',
    '100 of 1,000 worlds',
  ]);
  expect(results[0].hits).toBeGreaterThan(SETTINGS.queries);
  const { columns, rows } = filteredTable(results, 3000);
  for (const row of rows) expect(row.length).toBe(columns.length);
});

it.each([
  { says: 'finds what the filter excludes', hits: [{ subject: -1, predicate: -1, type: -1, world: -1 }] },
  { says: 'finds 0 documents of 10', hits: [] },
])('a system that $says ends the run', async ({ says, hits }) => {
  const system: FilteredSystem = {
    name: 'wrong',
    prepare: () => async () => undefined,
    hits: async ({ only }) => (only === undefined && says.includes('excludes') ? TEN : hits),
    close: async () => undefined,
  };
  await expect(measureFiltered([system], corpus, SETTINGS, () => undefined)).rejects.toThrow(says);
});

const TEN = Array.from({ length: 10 }, () => ({ subject: 0, predicate: 0, type: 0, world: 0 }));
