import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { NEEDS_NODE } from './needs-node.ts';

const PACKAGES = fileURLToPath(new URL('../../../', import.meta.url));
const TESTS = join(PACKAGES, 'core/test');
const HERE = join(TESTS, 'browser');

/** The rooms of core whose tests run in a browser. */
export const ROOMS = ['formats', 'sparql', 'search'];

/** Returns the test files of {@link ROOMS} below `packages/core/test/`, sorted. */
export function testFiles(): string[] {
  return ROOMS.flatMap((room) =>
    readdirSync(join(TESTS, room), { recursive: true, encoding: 'utf8' })
      .map((file) => `${room}/${file.replaceAll('\\', '/')}`)
      .filter((file) => file.endsWith('.test.ts')),
  ).sort();
}

/** Returns those that run in browsers. */
export function browserFiles(): string[] {
  return testFiles().filter((file) => !NEEDS_NODE.has(file));
}

/** Modules of Node that tests import; the core itself imports none in browsers. */
const STAND_INS: Readonly<Record<string, string>> = {
  'node:assert/strict': join(HERE, 'node/assert.ts'),
  'node:async_hooks': join(HERE, 'node/absent.ts'),
  'node:crypto': join(HERE, 'node/crypto.ts'),
  'node:events': 'events',
  'node:http': join(HERE, 'node/absent.ts'),
  'node:https': join(HERE, 'node/absent.ts'),
  'node:net': join(HERE, 'node/absent.ts'),
  'node:stream': 'readable-stream',
  '@rdf-worlds/comunica': join(HERE, 'node/absent.ts'),
  oxigraph: join(HERE, 'node/oxigraph.ts'),
};

/** Gives tests, but not the core, the globals of Node. */
const globalsOfTests: Plugin = {
  name: 'globals-of-tests',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]packages[\\/](?:core[\\/]test|testkit[\\/]src)[\\/].*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const names = ['Buffer', 'setImmediate', 'clearImmediate'].filter((name) =>
        new RegExp(`(?<![\\w'])(?<![\\w)\\]?]\\.)${name}\\b`).test(text),
      );
      if (names.length === 0 || path.startsWith(join(HERE, 'node'))) return undefined;
      const globals = JSON.stringify(join(HERE, 'node/globals.ts'));
      return { contents: `import { ${names.join(', ')} } from ${globals};${text}`, loader: 'ts' };
    });
  },
};

/**
 * Bundles test files for browsers into a folder, with the platform of browsers, as `<file>.js`; and
 * `browser/page.js`, which runs them.
 */
export async function buildSuites(files: readonly string[], folder: string): Promise<void> {
  await build({
    entryPoints: [...files, 'browser/page.ts'].map((file) => join(TESTS, file)),
    outbase: TESTS,
    outdir: folder,
    entryNames: '[dir]/[name]',
    chunkNames: 'part-[hash]',
    assetNames: 'asset-[hash]',
    publicPath: '/',
    loader: { '.wasm': 'file' },
    alias: {
      ...STAND_INS,
      '#platform': join(PACKAGES, 'core/src/platform/browser.ts'),
      '@rdf-worlds/core/embedders': join(PACKAGES, 'core/src/embedders.ts'),
      '@rdf-worlds/core/internal': join(PACKAGES, 'core/src/internal.ts'),
      '@rdf-worlds/core/plugin': join(PACKAGES, 'core/src/plugin.ts'),
      '@rdf-worlds/core': join(PACKAGES, 'core/src/index.ts'),
      '@rdf-worlds/testkit': join(PACKAGES, 'testkit/src/index.ts'),
    },
    define: { 'process.env': '{}', 'import.meta.vitest': 'undefined' },
    plugins: [globalsOfTests],
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    keepNames: true,
    logLevel: 'warning',
  });
}
