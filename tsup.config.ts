import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'tsup';
import { emitDeclarations } from './scripts/emit-declarations.mjs';

/** Of core: package.json chooses the module of the host when the packages run. */
const PLATFORM = '#platform';
const ROOT = fileURLToPath(new URL('.', import.meta.url));

/**
 * The one build of every published package: ESM, declarations, source maps; run by `npm run build`
 * in each package's folder. Does not check types: `npm run check:types` does, for all packages
 * together, which is faster. Only bundles declarations, which `emitDeclarations` makes for all
 * packages together, in a tenth of the time that the build of each takes to make its own.
 */
export default defineConfig(({ entry = ['src/index.ts'] }) => {
  const declarations = process.env.RDF_WORLDS_DECLARATIONS ?? emitDeclarations();
  const declarationOf = (source: string) =>
    join(declarations, relative(ROOT, process.cwd()), source.replace(/\.ts$/, '.d.ts'));
  const nameOf = (source: string) => source.replace(/^src\/(.*)\.ts$/, '$1');
  return {
    entry,
    format: ['esm'],
    target: 'node20',
    platform: 'node',
    dts: {
      entry: Object.fromEntries((entry as string[]).map((source) => [nameOf(source), declarationOf(source)])),
      compilerOptions: {
        ignoreDeprecations: '6.0',
        noCheck: true,
        paths: { [PLATFORM]: [join(declarations, 'packages/core/src/platform/node.d.ts')] },
      },
    },
    sourcemap: true,
    clean: true,
    treeshake: true,
    splitting: true,
    external: [PLATFORM],
  };
});
