import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /**
     * The folder of the programs that the setup of the project names, each in one file made of the
     * sources: `name.js`.
     */
    readonly programs: string;
  }
}

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/**
 * The setup of a project whose tests start processes: makes a file of each program before the
 * tests. Dozens of processes would compile the sources each for itself, which takes them most of
 * their time.
 * @param home a folder of the checkout that ends with `/`; the programs come into a folder of it,
 *   and find what is beside it
 * @param sources of each program by its name, from the same folder
 */
export function programBundles(home: string, sources: Readonly<Record<string, string>>) {
  return async (project: TestProject): Promise<() => Promise<void>> => {
    const folder = `${ROOT}${home}.test-${process.pid}`;
    const bundle = async () => {
      await build({
        entryPoints: Object.fromEntries(
          Object.entries(sources).map(([name, source]) => [name, `${ROOT}${home}${source}`]),
        ),
        outdir: folder,
        bundle: true,
        splitting: true,
        platform: 'node',
        format: 'esm',
        target: 'node20',
        // But those of the workspace, for which tsconfig.json has paths.
        packages: 'external',
        tsconfig: `${ROOT}tsconfig.json`,
        sourcemap: 'inline',
        logLevel: 'warning',
      });
    };
    await bundle();
    project.onTestsRerun(bundle);
    project.provide('programs', folder);
    return () => rm(folder, { recursive: true, force: true });
  };
}
