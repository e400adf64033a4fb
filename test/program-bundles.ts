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

/**
 * Packages that stay outside of the bundles, because they find files beside their own, load others
 * by names that are not in their code, or are large and rarely loaded.
 */
const EXTERNAL = [
  '@comunica/*',
  '@electric-sql/*',
  '@huggingface/*',
  'duckdb*',
  '@duckdb/*',
  'esbuild',
  'hnswlib*',
  'oxigraph',
  'pg',
  'typescript',
];

/** For the CommonJS packages in a bundle, which require modules of Node. */
const REQUIRE = `import { createRequire as requireOfBundle } from 'node:module';
const require = requireOfBundle(import.meta.url);`;

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/**
 * The setup of a project whose tests start processes: makes a file of each program before the
 * tests. Hundreds of processes would each compile the sources for itself. Even without that,
 * finding and compiling the modules is most of what they do, so dependencies are in the bundle too,
 * and there is no space between the words: a process then takes half of the CPU time.
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
        external: EXTERNAL,
        banner: { js: REQUIRE },
        tsconfig: `${ROOT}tsconfig.json`,
        minifySyntax: true,
        minifyWhitespace: true,
        // Beside the files: node --enable-source-maps reads it, others need not.
        sourcemap: true,
        logLevel: 'warning',
      });
    };
    await bundle();
    project.onTestsRerun(bundle);
    project.provide('programs', folder);
    return () => rm(folder, { recursive: true, force: true });
  };
}
