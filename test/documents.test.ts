import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMPILER, emitDeclarations } from '../scripts/emit-declarations.mjs';
import { documents, fences } from './documents.ts';
import { ROOT } from './source-imports.ts';

/** Inside the checkout, so that imports resolve; ignored by git. */
const FOLDER = join(ROOT, '.cache', 'fences');
const DECLARATIONS = join(ROOT, '.cache', 'fences-declarations');

/**
 * Every `ts` fence of README and docs is a module of its own: it imports what it uses, asserts what
 * it claims, and runs.
 */
const modules = documents()
  .flatMap((document) => fences(document, 'ts'))
  .map((fence) => ({
    ...fence,
    title: `${fence.document}:${fence.line}`,
    file: join(FOLDER, `${fence.document.replaceAll(/[/.]/g, '-')}-${fence.line}.ts`),
  }));

/** As the strictest programs are compiled that copy from here. */
const STRICTEST = {
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noImplicitReturns: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  allowUnreachableCode: false,
  allowUnusedLabels: false,
};

describe('code in the documents', () => {
  beforeAll(() => {
    rmSync(FOLDER, { recursive: true, force: true });
    mkdirSync(FOLDER, { recursive: true });
    for (const { file, code } of modules) writeFileSync(file, code);
  });
  afterAll(() => {
    rmSync(FOLDER, { recursive: true, force: true });
    rmSync(DECLARATIONS, { recursive: true, force: true });
  });

  it('is there', () => {
    expect(new Set(modules.map(({ document }) => document)).size).toBeGreaterThanOrEqual(4);
  });

  // Against declarations, as programs see the packages: their sources would be checked too, with
  // options that are stricter than theirs.
  it('type-checks', { timeout: 240_000 }, () => {
    emitDeclarations(DECLARATIONS);
    const { compilerOptions } = JSON.parse(readFileSync(join(ROOT, 'tsconfig.json'), 'utf8')) as {
      compilerOptions: { paths: Record<string, [string]> };
    };
    const paths = Object.entries(compilerOptions.paths).map(([name, [source]]) => [
      name,
      [join(DECLARATIONS, source.replace(/\.ts$/, '.d.ts'))],
    ]);
    const project = join(FOLDER, 'tsconfig.json');
    writeFileSync(
      project,
      JSON.stringify({
        extends: join(ROOT, 'tsconfig.json'),
        compilerOptions: { ...STRICTEST, paths: Object.fromEntries(paths) },
        include: [],
        files: modules.map(({ file }) => file),
      }),
    );
    const { status, stdout } = spawnSync(process.execPath, [COMPILER, '-p', project, '--pretty', 'false'], {
      encoding: 'utf8',
    });
    const titled = modules.reduce(
      (text, { file, title }) => text.replaceAll(relative(process.cwd(), file), title),
      stdout,
    );
    expect(titled).toBe('');
    expect(status).toBe(0);
  });

  it.each(modules)('runs: $title', async ({ file }) => {
    await import(/* @vite-ignore */ pathToFileURL(file).href);
  });
});

describe('links in the documents', () => {
  it.each(documents())('%s', (document) => {
    const text = readFileSync(join(ROOT, document), 'utf8');
    const broken = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)]
      .map((match) => match[1]!)
      .filter((target) => !existsSync(resolve(ROOT, dirname(document), target)));
    expect(broken).toEqual([]);
  });
});
