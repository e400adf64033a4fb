// `npm run release:try`, after `npm run build`: publishes all packages to a temporary registry
// (Verdaccio), installs them from it into an empty folder, and runs the first example of README.md
// and the command there. In another empty folder, where nothing is installed, it starts the MCP
// server of README.md twice, as a client does.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callTools, configuredServer } from './configured-mcp-server.mjs';
import { Workshop } from './hosts/workshop.mjs';
import { npmOutput } from './npm.mjs';
import { ROOT, workspacePackages } from './workspace-packages.mjs';

const VERDACCIO = 'verdaccio@^6';
/** Verdaccio depends on the `cjs` tag of node-fetch, which npm mirrors may lack. */
const OVERRIDES = { 'node-fetch': '^2.6.7' };
const START_MS = 120_000;
const setting = (key) => npmOutput(['config', 'get', key], { cwd: ROOT }).trim();

/** Our packages are served only from here; their dependencies come from this machine's registry. */
const configuration = (uplink) => `storage: ./storage
uplinks:
  upstream:
    url: ${uplink}
    timeout: 60s
packages:
  '@rdf-worlds/*':
    access: $all
    publish: $all
  'rdf-worlds':
    access: $all
    publish: $all
  '**':
    access: $all
    proxy: upstream
log: { type: stdout, format: pretty, level: warn }
`;

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts Verdaccio in the workshop and returns `{ url, stop }`. */
async function startRegistry(workshop) {
  workshop.install([VERDACCIO]);
  workshop.write({ 'config.yaml': configuration(setting('registry')) });
  const url = `http://127.0.0.1:${await freePort()}/`;
  const authority = setting('cafile');
  const child = spawn(process.execPath, [workshop.bin('verdaccio'), '--config', 'config.yaml', '--listen', url], {
    cwd: workshop.folder,
    env: { ...process.env, ...(authority !== 'null' && { NODE_EXTRA_CA_CERTS: authority }) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      printed += text;
    });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const stop = async () => {
    child.kill();
    await ended;
  };
  for (const until = Date.now() + START_MS; ; ) {
    const answer = await fetch(`${url}-/ping`).catch(() => undefined);
    if (answer?.ok) return { url, stop };
    if (child.exitCode !== null || Date.now() > until) {
      await stop();
      throw new Error(`Verdaccio did not start:\n${printed}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

const README = readFileSync(join(ROOT, 'README.md'), 'utf8');
/** The first TypeScript example of README.md; it has no type annotations, so it is JavaScript. */
const FIRST_EXAMPLE = /```ts\n(.*?)```/s.exec(README)[1];

/** Stores a fact with the MCP server of README.md, and looks it up with another process. */
async function tryMcp(where) {
  const { command, args } = configuredServer(README);
  const server = { command, args: args.with(-1, join(where.cwd, 'memory')) };
  const fact = { subject: 'Ada', predicate: 'works at', object: 'Acme' };
  await callTools(server, [['remember', { facts: [fact], source: 'a call' }]], where);
  const [text] = await callTools(server, [['look', { entity: 'Ada' }]], where);
  if (!text.includes('e:Acme (Acme)')) throw new Error(`The MCP server of README.md has forgotten: ${text}`);
}

const folder = mkdtempSync(join(tmpdir(), 'rdf-worlds-try-release-'));
// Siblings, because npm installs into the nearest ancestor folder with a package.json.
const workshop = new Workshop(join(folder, 'registry'));
const empty = new Workshop(join(folder, 'empty'));
try {
  workshop.write({ 'package.json': JSON.stringify({ private: true, overrides: OVERRIDES }) });
  const { url, stop } = await startRegistry(workshop);
  try {
    // npm requires a token for publishing, even if the registry ignores it.
    workshop.write({ npmrc: `//${new URL(url).host}/:_authToken=none\nregistry=${url}\n` });
    const env = {
      ...process.env,
      npm_config_userconfig: join(workshop.folder, 'npmrc'),
      npm_config_cache: join(folder, 'cache'),
    };
    const release = [join(ROOT, 'scripts/release.mjs'), '--publish', '--built', '--registry', url];
    for (const time of ['first', 'again']) console.log(`${time}:\n${await workshop.node(release, { cwd: ROOT, env })}`);

    mkdirSync(empty.folder);
    const names = workspacePackages()
      .filter(({ manifest }) => !manifest.private)
      .map(({ name }) => name);
    npmOutput(['install', '--no-audit', '--no-fund', '--ignore-scripts', ...names], { cwd: empty.folder, env });
    writeFileSync(join(empty.folder, 'example.mjs'), FIRST_EXAMPLE);
    await empty.node(['example.mjs']);
    const printed = await empty.node([empty.bin('rdf-worlds'), '--version']);
    const { version } = empty.manifest('@rdf-worlds/core');
    if (!printed.includes(version)) throw new Error(`rdf-worlds --version printed ${printed}`);
    const bare = join(folder, 'bare');
    mkdirSync(bare);
    await tryMcp({ cwd: bare, env });
    console.log(
      `Installed ${names.join(', ')} ${version} from ${url}: the first example, the command and the MCP server of README.md run.`,
    );
  } finally {
    await stop();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
