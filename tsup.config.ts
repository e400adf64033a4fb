import { fileURLToPath } from 'node:url';
import { defineConfig } from 'tsup';

/** Of core: package.json chooses the module of the host when the packages run. */
const PLATFORM = '#platform';
const platformTypes = fileURLToPath(new URL('./packages/core/src/platform/node.ts', import.meta.url));

/**
 * The one build of every published package: ESM, declarations, source maps; run by `npm run build`
 * in each package's folder. Does not check types: `npm run check:types` does, for all packages
 * together, which is faster.
 */
export default defineConfig({
  entry: ['src/index.ts'],
  format: ['esm'],
  target: 'node20',
  platform: 'node',
  dts: { compilerOptions: { ignoreDeprecations: '6.0', noCheck: true, paths: { [PLATFORM]: [platformTypes] } } },
  sourcemap: true,
  clean: true,
  treeshake: true,
  splitting: true,
  external: [PLATFORM],
});
