import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { ROOT } from './source-imports.ts';

const folder = mkdtempSync(join(tmpdir(), 'rdf-worlds-import-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * The files that a fresh process loads for `source`. ES modules pass the hook; what CommonJS files
 * require is in require.cache.
 */
function loadedFiles(source: string): string[] {
  const log = join(folder, 'loaded.txt');
  writeFileSync(log, '');
  const hooks = `import { appendFileSync } from 'node:fs';
    export async function load(url, context, next) {
      appendFileSync(${JSON.stringify(log)}, url + '\\n');
      return next(url, context);
    }`;
  const main = join(folder, 'main.mjs');
  writeFileSync(
    main,
    `import { createRequire, register } from 'node:module';
    register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(hooks)}));
    await import(${JSON.stringify(pathToFileURL(join(ROOT, source)).href)});
    console.log(JSON.stringify(Object.keys(createRequire(import.meta.url).cache)));`,
  );
  const stdout = execFileSync(process.execPath, ['--import', 'tsx', main], { cwd: ROOT, encoding: 'utf8' });
  return [...readFileSync(log, 'utf8').trim().split('\n'), ...(JSON.parse(stdout) as string[])];
}

const packagesOf = (files: readonly string[]) => [
  ...new Set(
    files.flatMap(
      (file) => /.*\/node_modules\/(?:(@esbuild)\/|((?:@[^/]+\/)?[^/]+))/.exec(file)?.slice(1).find(Boolean) ?? [],
    ),
  ),
];

/** What compiles the sources in the traced process; a built package has none of it. */
const TSX = new Set(['tsx', 'esbuild', '@esbuild']);

describe('importing @rdf-worlds/core', () => {
  const files = loadedFiles('packages/core/src/index.ts');

  it('is seen by the trace', () => {
    expect(files.filter((file) => file.includes('/packages/core/src/')).length).toBeGreaterThan(5);
    expect(packagesOf(loadedFiles('node_modules/n3/src/index.js'))).toContain('n3');
  });

  // Each format, SPARQL engine and index loads its own library when it is first needed.
  it('loads no library', () => {
    expect(packagesOf(files).filter((name) => !TSX.has(name))).toEqual([]);
  });

  it('loads no native addon', () => {
    expect(files.filter((file) => file.endsWith('.node'))).toEqual([]);
  });
});
