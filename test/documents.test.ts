import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documents, fences } from './documents.ts';
import { ROOT } from './source-imports.ts';

/** Inside the checkout, so that imports resolve; ignored by git. */
const FOLDER = join(ROOT, '.cache', 'fences');

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

const STRICTEST: ts.CompilerOptions = {
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
  afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

  it('is there', () => {
    expect(new Set(modules.map(({ document }) => document)).size).toBeGreaterThanOrEqual(4);
  });

  // The compiler reads the whole library for it: much longer than other tests take.
  it('type-checks', { timeout: 240_000 }, () => {
    const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
    // As the strictest programs are compiled that copy from here.
    const program = ts.createProgram(
      modules.map(({ file }) => file),
      { ...options, ...STRICTEST },
    );
    const wrong = modules.flatMap(({ file, title }) =>
      [
        ...program.getSyntacticDiagnostics(program.getSourceFile(file)),
        ...program.getSemanticDiagnostics(program.getSourceFile(file)),
      ].map(({ messageText }) => `${title}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`),
    );
    expect(wrong).toEqual([]);
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
