import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The path of the command, in one file made of the sources: beside `src`, so that it finds what is beside that. */
    readonly command: string;
  }
}

const PACKAGE = fileURLToPath(new URL('../', import.meta.url));

/** Makes one file of the command before the tests: dozens of processes would compile the sources each for itself, which takes them most of their time. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = `${PACKAGE}.test-${process.pid}`;
  const command = `${folder}/main.mjs`;
  const bundle = async () => {
    await build({
      entryPoints: [`${PACKAGE}src/main.ts`],
      outfile: command,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      // But those of the workspace, for which tsconfig.json has paths.
      packages: 'external',
      tsconfig: `${PACKAGE}../../tsconfig.json`,
      sourcemap: 'inline',
      logLevel: 'warning',
    });
  };
  await bundle();
  project.onTestsRerun(bundle);
  project.provide('command', command);
  return () => rm(folder, { recursive: true, force: true });
}
