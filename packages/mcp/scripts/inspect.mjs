/**
 * Goes through every tool with the command line of the MCP Inspector, over stdio and HTTP, and
 * through the tools of the reference memory server: a client that we did not write, in processes of
 * its own. Requires a build.
 *
 *     npm run inspect:mcp
 *
 * Installs the Inspector into a temporary folder, which takes half a minute and 110 MB, so it is
 * not a dependency; `INSPECTOR=/path/to/mcp-inspector` uses one that is there. Exits 1 if a call
 * fails.
 */
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const COMMAND = fileURLToPath(new URL('../../cli/dist/main.js', import.meta.url));
const INSPECTOR = '@modelcontextprotocol/inspector@^2.12.0';
const TOKEN = 'a-token-for-the-inspector';
const TIMEOUT_MS = 120_000;

const acme = { subject: 'Ada', predicate: 'employer', object: 'Acme' };
const world = 'notes';

/** Calls of every tool, in an order in which each finds what it needs. */
const CALLS = [
  ['create_world', { world }],
  ['list_worlds', {}],
  ['remember', { world, facts: [acme], source: 'a call' }],
  ['find_entity', { name: 'Ada' }],
  ['look', { world, entity: 'Ada' }],
  ['search', { query: 'acme' }],
  ['describe_world', { world }],
  ['query', { query: 'SELECT ?o { e:Ada v:employer ?o }' }],
  ['correct', { world, old: acme, kind: 'wrong', object: 'Initech' }],
  ['forget', { world, facts: [{ ...acme, object: 'Initech' }] }],
  ['history', { world, entity: 'Ada' }],
  // The Inspector reads 2020 as a number.
  ['state_at', { world, entity: 'Ada', valid_at: '2020-01-01' }],
  ['import_document', { world, document: '<urn:a> <urn:b> 1 .' }],
  ['remember_document', { world, document: 'Minutes', text: 'Nothing was said.' }],
];

/** The same of the reference memory server. */
const REFERENCE_CALLS = [
  [
    'create_entities',
    { entities: ['Ada', 'Acme'].map((name) => ({ name, entityType: 'thing', observations: ['is known'] })) },
  ],
  ['create_relations', { relations: [{ from: 'Ada', to: 'Acme', relationType: 'works at' }] }],
  ['add_observations', { observations: [{ entityName: 'Ada', contents: ['likes chess'] }] }],
  ['read_graph', {}],
  ['search_nodes', { query: 'chess' }],
  ['open_nodes', { names: ['Ada'] }],
  ['delete_observations', { deletions: [{ entityName: 'Ada', observations: ['likes chess'] }] }],
  ['delete_relations', { relations: [{ from: 'Ada', to: 'Acme', relationType: 'works at' }] }],
  ['delete_entities', { entityNames: ['Acme'] }],
];

const folder = await mkdtemp(join(tmpdir(), 'rdf-worlds-inspect-'));
let failed = 0;
try {
  const inspector = process.env.INSPECTOR ?? (await install());
  const call = async (target, args) => {
    const options = { cwd: folder, timeout: TIMEOUT_MS, maxBuffer: 2 ** 26 };
    const { stdout } = await run(inspector, ['--cli', ...target, ...args], options);
    return JSON.parse(stdout.slice(stdout.indexOf('{')));
  };
  const goThrough = async (title, target, calls) => {
    const { tools } = await call(target, ['--method', 'tools/list']);
    const names = tools.map(({ name }) => name).sort();
    const called = calls.map(([name]) => name).sort();
    check(`${title}: the tools`, names.join() === called.join(), `there are ${names}, called ${called}`);
    for (const [name, input] of calls) {
      const values = Object.entries(input).map(
        ([field, value]) => `${field}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
      );
      const args = ['--method', 'tools/call', '--tool-name', name];
      if (values.length > 0) args.push('--tool-arg', ...values);
      const result = await call(target, args).catch((error) => ({
        isError: true,
        error: String(error.stderr ?? error),
      }));
      check(`${title}: ${name}`, result.isError !== true, JSON.stringify(result).slice(0, 400));
    }
  };

  const stdio = (name, ...more) => ['node', COMMAND, 'mcp', '--data', join(folder, name), ...more];
  await goThrough('stdio', stdio('stdio'), CALLS);
  await goThrough('stdio, --compat memory', stdio('reference', '--compat', 'memory'), REFERENCE_CALLS);

  const tokens = join(folder, 'tokens.json');
  await writeFile(tokens, JSON.stringify([{ token: TOKEN, namespace: 'default' }]), { mode: 0o600 });
  const port = await freePort();
  const args = ['serve', '--data', join(folder, 'http'), '--tokens', tokens, '--mcp', '--port', String(port)];
  const server = spawn('node', [COMMAND, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    const url = `http://127.0.0.1:${port}/mcp`;
    await answers(url);
    const target = ['--transport', 'http', '--server-url', url, '--header', `Authorization: Bearer ${TOKEN}`];
    await goThrough('HTTP', target, CALLS);
  } finally {
    server.kill();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
console.log(failed === 0 ? 'Every call was answered.' : `${failed} failed.`);
process.exitCode = failed === 0 ? 0 : 1;

function check(what, isRight, why) {
  if (!isRight) failed++;
  console.log(`${isRight ? 'ok    ' : 'FAILED'} ${what}${isRight ? '' : `: ${why}`}`);
}

async function install() {
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', INSPECTOR], { cwd: folder });
  return join(folder, 'node_modules/.bin/mcp-inspector');
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

/** Waits until a server answers, whatever it says. */
async function answers(url) {
  for (const end = Date.now() + TIMEOUT_MS; ; ) {
    try {
      return await fetch(url);
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}
