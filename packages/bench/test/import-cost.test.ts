import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { CHECKOUT } from '../src/child-run.ts';
import { countFiles, importCostBenchmark, LATE_LIBRARIES, measureImports } from '../src/import-cost.ts';

const folder = mkdtempSync(join(tmpdir(), 'rdf-worlds-bench-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, 'package.json'), '{ "name": "two-files" }');
writeFileSync(join(folder, 'main.mjs'), "import './other.mjs';");
writeFileSync(join(folder, 'other.mjs'), '');

it('counts the files of an import by package, ES modules and CommonJS', async () => {
  const targets = [
    { name: 'nothing', specifier: 'data:text/javascript,' },
    { name: 'ES modules that import each other', specifier: pathToFileURL(join(folder, 'main.mjs')).href },
    { name: 'CommonJS that requires', specifier: 'jsonld' },
  ];
  const [nothing, modules, jsonld] = await measureImports(targets, 2, () => undefined);
  const late = (name: string) => LATE_LIBRARIES.find((library) => library.name === name)!.packages;
  expect([nothing, modules, jsonld].map(({ laps }) => laps.length)).toEqual([2, 2, 2]);
  expect(nothing.packages).toEqual([]);
  expect(modules.packages).toEqual([{ name: 'two-files', files: 2 }]);
  expect(countFiles(modules.packages, late('jsonld'))).toBe(0);
  expect(countFiles(jsonld.packages, late('jsonld'))).toBeGreaterThan(5);
  expect(countFiles(jsonld.packages)).toBeGreaterThanOrEqual(countFiles(jsonld.packages, late('jsonld')));
});

it('fails if the module does not load', async () => {
  const targets = [{ name: 'broken', specifier: 'data:text/javascript,throw new Error("broken")' }];
  await expect(measureImports(targets, 1, () => undefined)).rejects.toThrow('broken');
});

// `npm run bench` builds core before it measures; the tests run on the sources and need no build.
it.skipIf(!existsSync(join(CHECKOUT, 'packages/core/dist/index.js')))('reports core, where it is built', async () => {
  const { tables } = await importCostBenchmark.run({ rounds: 1 }, () => undefined);
  expect(tables[0].rows.map(([name]) => name)).toEqual(['an empty module', '@rdf-worlds/core', 'oxigraph']);
  expect(tables[1].rows.map(([name]) => name)).toContain('@rdf-worlds/core');
  for (const { columns, rows } of tables) for (const row of rows) expect(row.length).toBe(columns.length);
});
