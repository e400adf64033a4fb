// Runs the examples of Bun and Deno on those runtimes: `node scripts/hosts.mjs [bun] [deno]`, after `npm run build`. The packages are installed from
// tarballs, as users have them. A runtime that cannot be installed or started on this machine is untested, and that is no failure.
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hostRound } from './host-round.mjs';
import { npm } from './npm.mjs';
import { ROOT, workspacePackages } from './workspace-packages.mjs';

/** `program` is in the package of `scope` that npm chooses for the platform: their own start script needs an install script, which may be off. */
const RUNTIMES = [
  { name: 'bun', version: '1.4.5', scope: '@oven', program: 'bin/bun', args: [] },
  {
    name: 'deno',
    version: '2.9.6',
    scope: '@deno',
    program: 'deno',
    args: ['run', '--allow-net', '--allow-env', '--allow-read'],
  },
];
const PUBLISHED = ['@rdf-worlds/core', '@rdf-worlds/http', '@rdf-worlds/index-minisearch'];
const START_MS = 60_000;

/** This machine has no such runtime. */
class Untested extends Error {}

function install(folder, specifiers) {
  npm(['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...specifiers], { cwd: folder });
}

/** The runtime's program, installed into the folder. Throws Untested when it cannot be had, or does not run here. */
function installRuntime(folder, { name, version, scope, program }) {
  try {
    install(folder, [`${name}@${version}`]);
  } catch (cause) {
    throw new Untested(cause.message, { cause });
  }
  const platforms = join(folder, 'node_modules', scope);
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const found = (existsSync(platforms) ? readdirSync(platforms) : []).map((each) =>
    join(platforms, each, program + suffix),
  );
  const runs = found.find((file) => spawnSync(file, ['--version']).status === 0);
  if (!runs) throw new Untested(`${name} ${version} has no program that runs on ${process.platform} ${process.arch}`);
  return runs;
}

/** The packages of this checkout as npm would publish them: the paths of their tarballs. */
function packPublished(folder) {
  return workspacePackages()
    .filter(({ name }) => PUBLISHED.includes(name))
    .map(({ name, directory }) => {
      if (!existsSync(join(directory, 'dist'))) throw new Error(`${name} is not built; run npm run build first.`);
      const destination = join(folder, name.replace('/', '-'));
      mkdirSync(destination);
      npm(['pack', '--silent', '--ignore-scripts', '--pack-destination', destination], { cwd: directory });
      return join(destination, readdirSync(destination)[0]);
    });
}

/** Starts the example, does a round with it, and ends it. Throws with what it printed when anything is not as it must be. */
async function runExample(folder, program, { name, args }) {
  const example = `${name}.mjs`;
  copyFileSync(join(ROOT, 'examples/hosts', example), join(folder, example));
  const token = randomBytes(24).toString('base64url');
  const env = {
    ...process.env,
    WORLDS_TOKEN: token,
    PORT: '0',
    DENO_DIR: join(folder, '.deno'),
    DENO_NO_UPDATE_CHECK: '1',
  };
  const child = spawn(program, [...args, example], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise((resolve) => child.once('close', resolve));
  let printed = '';
  try {
    const origin = await new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`It did not listen within ${START_MS} ms.`)), START_MS);
      const take = (text) => {
        printed += text;
        const [, address] = /Listening on (http:\/\/[^/\s]+)/.exec(printed) ?? [];
        if (address) resolve(address);
      };
      child.stdout.setEncoding('utf8').on('data', take);
      child.stderr.setEncoding('utf8').on('data', take);
      child.once('error', reject);
      ended.then(() => {
        clearTimeout(late);
        reject(new Error('It ended before it listened.'));
      });
    });
    await hostRound(origin, token);
  } catch (cause) {
    throw new Error(`${cause.stack}\nWhat it printed:\n${printed}`, { cause });
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
}

async function testRuntime(runtime) {
  const folder = mkdtempSync(join(tmpdir(), `rdf-worlds-${runtime.name}-`));
  try {
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
    const program = installRuntime(folder, runtime);
    install(folder, packPublished(folder));
    await runExample(folder, program, runtime);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const chosen = process.argv.slice(2);
for (const runtime of RUNTIMES.filter(({ name }) => chosen.length === 0 || chosen.includes(name))) {
  try {
    await testRuntime(runtime);
    console.log(`hosts: ${runtime.name} passed`);
  } catch (error) {
    if (error instanceof Untested) console.log(`hosts: ${runtime.name} untested: ${error.message}`);
    else {
      console.error(error.message);
      console.log(`hosts: ${runtime.name} failed`);
      process.exitCode = 1;
    }
  }
}
