// `npm run hosts`, after `npm run build`: installs the packages, packed as for npm, into hosts and
// bundlers, checks them there, and writes the results to docs/reference/hosts.md.
// `npm run hosts -- jest vite` checks the hosts with these name prefixes; `npm run hosts -- --ci`
// those that install in seconds, without writing the results, and
// `npm run hosts -- --ci --share 1/2` the first of two equal shares of these.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { HOSTS } from './hosts/hosts.mjs';
import { DONE } from './hosts/round.mjs';
import { writeTable } from './hosts/table.mjs';
import { NotChecked, Workshop } from './hosts/workshop.mjs';
import { packPackage } from './pack-package.mjs';
import { workspacePackages } from './workspace-packages.mjs';

const PACKAGES = ['@rdf-worlds/core', '@rdf-worlds/storage-file', '@rdf-worlds/http', '@rdf-worlds/index-minisearch'];

/** Checks one host and returns `{ host, version, result, error }`. */
async function check(host, workshop) {
  let version = '';
  try {
    workshop.installHost(host.install);
    version = typeof host.version === 'function' ? host.version() : workshop.manifest(host.version).version;
    const { done = DONE } = host;
    for (const text of await host.run(workshop))
      if (!(done instanceof RegExp ? done.test(text) : text.includes(done)))
        throw new Error(`${host.name} did not print ${done}, but:\n${text}`);
    return { host, version, result: 'passed' };
  } catch (error) {
    if (error instanceof NotChecked) return { host, version, result: `not checked here: ${error.message}` };
    return { host, version, result: 'fails', error };
  }
}

function report({ host, version, result, error }) {
  console.log(`${host.name}, version ${version || 'unknown'}: ${result}`);
  if (error) console.log(`     ${error.stack.replaceAll('\n', '\n     ')}`);
}

const { values, positionals: names } = parseArgs({
  allowPositionals: true,
  options: { ci: { type: 'boolean', default: false }, share: { type: 'string', default: '1/1' } },
});
const { ci } = values;
const [, part, parts] = /^([1-9]\d*)\/([1-9]\d*)$/.exec(values.share)?.map(Number) ?? [];
if (!(part <= parts)) throw new Error(`--share ${values.share} is no share: 1/2 is the first of two.`);
if (!ci && parts > 1) throw new Error('--share is for --ci, which writes no table of all hosts.');
const isNamed = (host) => names.some((name) => host.name.toLowerCase().startsWith(name.toLowerCase()));
const chosen = HOSTS.filter((host) => (names.length > 0 ? isNamed(host) : !ci || host.ci)).filter(
  (_, at) => at % parts === part - 1,
);
if (chosen.length === 0)
  throw new Error(`No host starts with ${names.join(' or ')}: ${HOSTS.map(({ name }) => name).join('; ')}.`);

const root = mkdtempSync(join(tmpdir(), 'rdf-worlds-hosts-'));
const results = [];
try {
  const tarballs = workspacePackages()
    .filter(({ name }) => PACKAGES.includes(name))
    .map((entry) => packPackage(entry, root).tarball);
  // Hosts of CI share a folder, which saves time; the others get one each, since they may need
  // conflicting versions.
  const shared = chosen.some((host) => host.ci) && Workshop.create(join(root, 'shared'), tarballs);
  for (const [index, host] of chosen.entries()) {
    const workshop = host.ci ? shared : Workshop.create(join(root, String(index)), tarballs);
    const result = await check(host, workshop);
    report(result);
    results.push(result);
    if (workshop !== shared) rmSync(workshop.folder, { recursive: true, force: true });
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}
if (!ci) writeTable(HOSTS, results);
const failed = results.filter(({ result }) => result === 'fails').length;
const absent = results.filter(({ result }) => result.startsWith('not checked here')).length;
console.log(`${results.length - failed - absent} hosts passed, ${failed} failed, ${absent} were not checked here.`);
process.exitCode = failed === 0 ? 0 : 1;
