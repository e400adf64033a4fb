import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../workspace-packages.mjs';
import { roundProgram, roundWorker } from './round.mjs';
import { serveAndCheck } from './served.mjs';
import { NotChecked } from './workshop.mjs';

/**
 * Returns the runtime's executable from the platform package of `scope` that npm installed; the
 * main package's own requires an install script.
 */
function runtimeProgram(workshop, { package: name, scope, program }) {
  const platforms = join(workshop.folder, 'node_modules', scope);
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const found = (existsSync(platforms) ? readdirSync(platforms) : []).map((each) =>
    join(platforms, each, program + suffix),
  );
  const runs = found.find((file) => spawnSync(file, ['--version']).status === 0);
  if (!runs) throw new NotChecked(`${name} has no program that starts on ${process.platform} ${process.arch}`);
  return runs;
}

const runtime = ({ name, version, args, serverArgs, settings, ...found }) => ({
  name,
  ci: true,
  install: [`${found.package}@${version}`],
  version: found.package,
  runtime: true,
  does: `the round; \`examples/hosts/${found.package}.mjs\`: the HTTP round`,
  settings,
  async run(workshop) {
    const program = runtimeProgram(workshop, found);
    const example = `${found.package}.mjs`;
    workshop.write({ 'runtime.mjs': roundProgram('esm') });
    copyFileSync(join(ROOT, 'examples/hosts', example), join(workshop.folder, example));
    const env = { DENO_DIR: join(workshop.folder, '.deno'), DENO_NO_UPDATE_CHECK: '1' };
    const printed = await workshop.exec(program, [...args, 'runtime.mjs'], { env });
    await serveAndCheck(workshop, program, [...serverArgs, example], env);
    return [printed];
  },
});

/** Miniflare runs workerd, the runtime of Cloudflare Workers. */
const WORKERD = `import { build } from 'esbuild';
import { Miniflare } from 'miniflare';

const { outputFiles } = await build({ entryPoints: ['worker.mjs'], bundle: true, platform: 'node', format: 'esm', write: false });
const miniflare = new Miniflare({
  modules: [{ type: 'ESModule', path: 'worker.mjs', contents: outputFiles[0].text }],
  compatibilityDate: '2025-09-15',
  compatibilityFlags: ['nodejs_compat'],
});
try {
  const answer = await miniflare.dispatchFetch('http://localhost/');
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(text);
  console.log(text);
} finally {
  await miniflare.dispose();
}
`;

export const RUNTIMES = [
  runtime({
    name: 'Bun',
    package: 'bun',
    version: '1.4.5',
    scope: '@oven',
    program: 'bin/bun',
    args: [],
    serverArgs: [],
  }),
  runtime({
    name: 'Deno',
    package: 'deno',
    version: '2.9.6',
    scope: '@deno',
    program: 'deno',
    args: ['run', '--allow-env', '--allow-read', '--allow-write', '--allow-sys'],
    serverArgs: ['run', '--allow-net', '--allow-env', '--allow-read'],
    settings: '`--allow-env --allow-read`; `--allow-write --allow-sys` for `fileStorage`, `--allow-net` to serve',
  }),
  {
    name: 'workerd (Cloudflare Workers)',
    install: ['miniflare@4.20250917.0', 'esbuild@^0.27'],
    version: 'workerd',
    runtime: true,
    does: 'the round in memory, bundled by esbuild, because a Worker has no directory for `fileStorage`',
    settings: '`nodejs_compat`',
    async run(workshop) {
      workshop.write({ 'worker.mjs': roundWorker, 'workerd.mjs': WORKERD });
      return [await workshop.node(['workerd.mjs'])];
    },
    done: 'The round is complete: in memory',
  },
];
