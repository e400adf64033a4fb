import { defineConfig } from 'tsup';

/**
 * Built before every run, so that no loader that compiles on the fly stands between the measurements and Node. Nothing is bundled but the
 * benchmarks: the engine is the built package, as an application gets it.
 */
export default defineConfig({
  entry: ['packages/bench/src/main.ts', 'packages/bench/src/*-child.ts'],
  outDir: 'packages/bench/dist',
  format: ['esm'],
  target: 'node20',
  platform: 'node',
  external: [/^@rdf-worlds\//, 'oxigraph'],
  clean: true,
  silent: true,
});
