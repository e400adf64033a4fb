import { defineConfig } from 'tsup';

/**
 * The one build of every published package: ESM, declarations, source maps; run by `npm run build`
 * in each package's folder.
 */
export default defineConfig({
  entry: ['src/index.ts'],
  format: ['esm'],
  target: 'node20',
  platform: 'node',
  dts: { compilerOptions: { ignoreDeprecations: '6.0', paths: {} } },
  sourcemap: true,
  clean: true,
  treeshake: true,
  splitting: true,
});
