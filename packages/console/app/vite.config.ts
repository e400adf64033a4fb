import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const LICENCES = 'licenses.md';
/** What the bundler does not count: the modules of the worker, and the fonts. */
const ALSO = [
  'd3-force',
  'd3-dispatch',
  'd3-quadtree',
  'd3-timer',
  '@fontsource-variable/inter',
  '@fontsource-variable/jetbrains-mono',
];

/** Adds their licences to those that the bundler wrote. */
const otherLicences: Plugin = {
  name: 'other-licences',
  writeBundle({ dir }) {
    for (const name of ALSO) {
      const text = readFileSync(at(`../../../node_modules/${name}/LICENSE`), 'utf8');
      appendFileSync(join(dir!, LICENCES), `\n## ${name}\n\n${text.trim()}\n`);
    }
  },
};

/**
 * Builds the app into `dist/app`, from the sources of the workspace. Tests build it into a folder
 * of their own with `--outDir`.
 */
export default defineConfig({
  root: at('.'),
  // References are relative, so that the console works below any prefix.
  base: './',
  plugins: [otherLicences],
  resolve: {
    alias: {
      '@rdf-worlds/client': at('../../client/src/index.ts'),
      '@rdf-worlds/core/remote': at('../../core/src/remote.ts'),
      '#platform': at('../../core/src/platform/browser.ts'),
    },
  },
  build: {
    outDir: at('../dist/app'),
    emptyOutDir: true,
    target: 'es2022',
    // Data URLs of fonts and icons would need an exception in the Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: LICENCES },
    reportCompressedSize: false,
  },
  worker: { format: 'es' },
});
