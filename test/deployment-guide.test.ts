import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_LIMITS } from '@rdf-worlds/http';
import { METRICS } from '@rdf-worlds/http/metrics';
import { expect, it } from 'vitest';
import { COMMANDS } from '../packages/cli/src/commands.ts';
import { program } from '../packages/cli/src/program.ts';
import { fences } from './documents.ts';
import { ROOT } from './source-imports.ts';

const PAGE = 'docs/guides/deployment.md';
const SERVERS_PAGE = 'docs/guides/several-servers.md';
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const fence = (language: string, n = 0) => fences(PAGE, language)[n]!.code;
const optionsOf = (name: string) => program(COMMANDS).commands.find((command) => command.name() === name)!.options;
const config = JSON.parse(read('deploy/config.json')) as Record<string, unknown>;

it('shows the files of the repository as they are', () => {
  expect(fence('json')).toBe(read('deploy/config.json'));
  expect(fence('nginx')).toBe(read('deploy/nginx.conf'));
  expect(fence('caddyfile')).toBe(read('deploy/Caddyfile'));
  expect(fence('ini')).toBe(read('deploy/rdf-worlds.service'));
  expect(fence('dockerfile')).toBe(read('Dockerfile'));
  expect(fence('yaml', 1)).toBe(read('deploy/alerts.yml'));
});

/** The calls of a command on a page; each with its arguments. */
const commands = (page: string, name: string) => [
  ...read(page).matchAll(new RegExp(`rdf-worlds ${name} ([^\`\n]*)`, 'g')),
];

it('names options that there are, with values that they take', () => {
  const serve = optionsOf('serve');
  for (const [name, value] of Object.entries(config)) {
    const option = serve.find((each) => each.attributeName() === name);
    expect(option, name).toBeDefined();
    if (option!.parseArg) expect(option!.parseArg(String(value), undefined as never)).toBe(value);
  }
  for (const name of ['backup', 'restore', 'check']) {
    const known = optionsOf(name).map((option) => option.long);
    const lines = commands(PAGE, name);
    expect(lines.length, name).toBeGreaterThan(0);
    for (const [, args] of [...lines, ...commands(SERVERS_PAGE, name)])
      expect(known).toEqual(expect.arrayContaining(args!.match(/--[a-z-]+/g) ?? []));
  }
});

it('gives the proxies limits that fit those of the service', () => {
  const nginx = read('deploy/nginx.conf');
  const seconds = (name: string) => Number(new RegExp(`\\b${name} (\\d+)s;`).exec(nginx)![1]);
  const megabytes = [/client_max_body_size (\d+)m/.exec(nginx), /max_size (\d+)MB/.exec(read('deploy/Caddyfile'))];
  for (const size of megabytes) expect(Number(size![1]) * 1e6).toBeGreaterThan(DEFAULT_LIMITS.maxImportBytes);
  expect(seconds('proxy_read_timeout') * 1000).toBeGreaterThan(config['timeoutMs'] as number);
  expect(seconds('keepalive_timeout') * 1000).toBeLessThan(config['keepAliveTimeoutMs'] as number);
});

it('alerts on metrics that there are', () => {
  const alerts = read('deploy/alerts.yml');
  const used = new Set(alerts.match(/\brdf_worlds_\w+/g));
  expect(used.size).toBeGreaterThan(4);
  expect([...used].filter((name) => !(name in METRICS))).toEqual([]);
});

it('builds its image from files and packages that are there, and leaves nothing as root', () => {
  const dockerfile = read('Dockerfile');
  const names = /for name in ([a-z -]+);/.exec(dockerfile)![1]!.split(' ');
  const packed = names.map((name) => JSON.parse(read(`packages/${name}/package.json`)) as Manifest);
  const own = new Set(packed.map(({ name }) => name));
  // What the registry does not have must be among the packed ones.
  const needed = packed.flatMap(({ dependencies = {}, peerDependencies = {} }) => [
    ...Object.keys(dependencies),
    ...Object.keys(peerDependencies),
  ]);
  expect(needed.filter((name) => /^@?rdf-worlds/.test(name) && !own.has(name))).toEqual([]);
  const cli = packed.find(({ name }) => name === 'rdf-worlds')!;
  expect(dockerfile).toContain(`/app/node_modules/rdf-worlds/${cli.bin!['rdf-worlds']!.replace('./', '')}`);
  const final = dockerfile.slice(dockerfile.lastIndexOf('FROM '));
  expect(final.indexOf('USER node')).toBeGreaterThan(final.lastIndexOf('RUN '));
  for (const ignored of ['**/node_modules', '**/dist', '.git'])
    expect(read('.dockerignore').split('\n')).toContain(ignored);
});

interface Manifest {
  readonly name: string;
  readonly dependencies?: Record<string, string>;
  readonly peerDependencies?: Record<string, string>;
  readonly bin?: Record<string, string>;
}

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
it.skipIf(!hasSystemd)('has a unit that systemd understands', () => {
  const { stderr } = spawnSync('systemd-analyze', ['verify', join(ROOT, 'deploy/rdf-worlds.service')], {
    encoding: 'utf8',
    timeout: 30_000,
  });
  // That node is not installed there is no fault of the unit.
  expect(
    stderr.split('\n').filter((line) => line.includes('rdf-worlds.service') && !/not executable|not found/.test(line)),
  ).toEqual([]);
});
