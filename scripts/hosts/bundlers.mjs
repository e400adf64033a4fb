import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { roundProgram } from './round.mjs';

const ALONE = 'run in a folder without `node_modules`';

/** Runs the bundle in `directory` in a folder without any node_modules. */
function runBundle(workshop, directory, entry) {
  const folder = join(workshop.folder, directory);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name));
  const texts = files.map((file) => [relative(folder, file), readFileSync(file, 'utf8')]);
  return workshop.runAlone(Object.fromEntries(texts), entry);
}

const esbuild = (name, kind, format, extension) => ({
  name: `esbuild, ${name}`,
  ci: true,
  install: ['esbuild@^0.27'],
  version: 'esbuild',
  does: `one bundle of the round, ${ALONE}`,
  settings: kind === 'esm' ? '`--platform=node`; no banner' : '`--platform=node`',
  async run(workshop) {
    const entry = `esbuild-${kind}.${extension}`;
    const options = {
      entryPoints: [entry],
      outfile: `esbuild-${kind}/bundle.${extension}`,
      bundle: true,
      platform: 'node',
      format,
      logOverride: { 'empty-import-meta': 'error' },
    };
    const build = `import { build } from 'esbuild';
const { warnings } = await build(${JSON.stringify(options)});
if (warnings.length > 0) throw new Error('esbuild warns users of the packages; see above.');
`;
    workshop.write({ [entry]: roundProgram(kind), 'esbuild-build.mjs': build });
    await workshop.node(['esbuild-build.mjs']);
    return [await runBundle(workshop, `esbuild-${kind}`, `bundle.${extension}`)];
  },
});

const ROLLUP = `import commonjs from '@rollup/plugin-commonjs';
import json from '@rollup/plugin-json';
import { nodeResolve } from '@rollup/plugin-node-resolve';
export default {
  input: 'rollup-entry.mjs',
  output: { dir: 'rollup', format: 'es', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
  plugins: [nodeResolve({ exportConditions: ['node'], preferBuiltins: true }), commonjs(), json()],
};
`;

const VITE = `export default {
  ssr: { noExternal: true },
  build: { ssr: 'vite-entry.mjs', outDir: 'vite', target: 'node20' },
  logLevel: 'error',
};
`;

const WEBPACK = `import { join } from 'node:path';
const common = { mode: 'production', target: 'node20', devtool: false, stats: 'errors-warnings', optimization: { minimize: false } };
const output = (folder, filename) => ({ path: join(import.meta.dirname, folder), filename });
export default [
  {
    ...common,
    entry: './webpack-entry.mjs',
    output: { ...output('webpack-esm', 'main.mjs'), module: true, chunkFormat: 'module', library: { type: 'module' } },
    experiments: { outputModule: true },
  },
  { ...common, entry: './webpack-entry.cjs', output: output('webpack-cjs', 'main.cjs') },
];
`;

export const BUNDLERS = [
  esbuild('ES module', 'esm', 'esm', 'mjs'),
  esbuild('CommonJS', 'cjs', 'cjs', 'cjs'),
  {
    name: 'Rollup',
    install: ['rollup@^4', '@rollup/plugin-node-resolve@^16', '@rollup/plugin-commonjs@^29', '@rollup/plugin-json@^6'],
    version: 'rollup',
    does: `a bundle of the round, ${ALONE}`,
    settings:
      'the plugins `commonjs`, `json` and `node-resolve` with `exportConditions: ["node"]` and `preferBuiltins: true`',
    async run(workshop) {
      workshop.write({ 'rollup-entry.mjs': roundProgram('esm'), 'rollup.config.mjs': ROLLUP });
      await workshop.node([workshop.bin('rollup'), '--config', 'rollup.config.mjs', '--silent']);
      return [await runBundle(workshop, 'rollup', 'rollup-entry.mjs')];
    },
  },
  {
    name: 'Vite, server build',
    install: ['vite@^8'],
    version: 'vite',
    does: `\`vite build\` with \`build.ssr\`: a bundle of the round, ${ALONE}`,
    settings: '`ssr.noExternal: true` for a bundle that contains its dependencies; nothing otherwise',
    async run(workshop) {
      workshop.write({
        'vite-entry.mjs': roundProgram('esm'),
        'vite.config.mjs': VITE,
      });
      await workshop.node([workshop.bin('vite'), 'build']);
      workshop.write({ 'vite/package.json': '{ "type": "module" }\n' });
      const [entry] = readdirSync(join(workshop.folder, 'vite')).filter((name) => name.startsWith('vite-entry'));
      return [await runBundle(workshop, 'vite', entry)];
    },
  },
  {
    name: 'webpack',
    install: ['webpack@^5', 'webpack-cli@^6'],
    version: 'webpack',
    does: `bundles of the round, as an ES module and as CommonJS, ${ALONE}`,
    settings: "`target: 'node'`",
    async run(workshop) {
      workshop.write({
        'webpack-entry.mjs': roundProgram('esm'),
        'webpack-entry.cjs': roundProgram('cjs'),
        'webpack.config.mjs': WEBPACK,
      });
      await workshop.node([workshop.bin('webpack-cli'), '--config', 'webpack.config.mjs']);
      return [
        await runBundle(workshop, 'webpack-esm', 'main.mjs'),
        await runBundle(workshop, 'webpack-cjs', 'main.cjs'),
      ];
    },
  },
];
