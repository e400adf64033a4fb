import { expect, it } from 'vitest';
import { academicLines } from '../src/academic-data.ts';
import { collectionBenchmark, measureCollection } from '../src/collection.ts';
import { COLLECTION_JOINS } from '../src/collection-joins.ts';
import { ACADEMIC_QUERIES } from '../src/sparql/academic-queries.ts';
import { countNaively } from './naive-join.ts';

/** Laps so short that the fastest queries are repeated and the others are not. */
const settings = { worlds: 30, quads: 120, rounds: 2, seed: 5, lapMs: 1 };

/** Milliseconds; there may be three busy processes for each core. */
const TIMEOUT_MS = 180_000;

it('finds the same solutions in the collection, in one world and naively, with and without commits', {
  timeout: TIMEOUT_MS,
}, async () => {
  const { costs, quads } = await measureCollection(settings, () => undefined);
  expect(quads).toBe(3600);
  const lines = Array.from({ length: 30 }, (_, world) => [
    ...academicLines({ seed: 5 + world, quads: 120, base: `https://data.example/${world}/` }),
  ]).flat();
  const expected = COLLECTION_JOINS.map((join) => ({ join: join.name, solutions: countNaively(lines, join) }));
  for (const mode of ['no commits', 'a commit before every query']) {
    const counted = costs.filter((cost) => cost.mode === mode);
    expect(counted.map(({ join, solutions }) => ({ join, solutions }))).toEqual(expected);
  }
  expect(expected.filter(({ solutions }) => solutions > 0).length).toBeGreaterThanOrEqual(3);
  for (const { sides } of costs) {
    for (const { joinCpuMs, callCpuMs } of Object.values(sides)) {
      expect([joinCpuMs.length, callCpuMs.length]).toEqual([2, 2]);
    }
  }
});

it('reports every query and every join in both modes', { timeout: TIMEOUT_MS }, async () => {
  const { tables } = await collectionBenchmark.run({ ...settings, worlds: 8, rounds: 1 }, () => undefined);
  const asked = [ACADEMIC_QUERIES, ACADEMIC_QUERIES, COLLECTION_JOINS, COLLECTION_JOINS];
  expect(tables.slice(0, 4).map(({ rows }) => rows.map(([name]) => name))).toEqual(
    asked.map((list) => list.map(({ name }) => name)),
  );
  const some = tables[0].rows.filter(([, rows]) => rows !== '0');
  expect(some.length).toBeGreaterThan(ACADEMIC_QUERIES.length / 2);
  for (const { columns, rows } of tables) for (const row of rows) expect(row.length).toBe(columns.length);
});
