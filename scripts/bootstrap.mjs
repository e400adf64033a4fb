// Prepares a checkout to run: `node scripts/bootstrap.mjs [--build]`. Prints nothing if there is
// nothing to do.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from './npm.mjs';
import { ROOT } from './workspace-packages.mjs';

const OLDEST_NODE = [20, 19];

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  throw new Error(
    `This is Node ${process.versions.node}; RDF Worlds needs ${OLDEST_NODE.join('.')} or later (https://nodejs.org).`,
  );
}

const lockedPackages = (file) => JSON.parse(readFileSync(file, 'utf8')).packages;

/**
 * Returns true if node_modules matches package-lock.json. Compares versions, not file times,
 * because a checkout touches the lock file without changing it. Optional packages may be missing:
 * npm omits those for other platforms.
 */
function dependenciesAreInstalled() {
  const installedFile = join(ROOT, 'node_modules', '.package-lock.json');
  if (!existsSync(installedFile)) return false;
  const installed = new Map(Object.entries(lockedPackages(installedFile)));
  return Object.entries(lockedPackages(join(ROOT, 'package-lock.json'))).every(([path, wanted]) => {
    if (path === '') return true;
    const there = installed.get(path);
    if (!there) return wanted.optional === true || wanted.devOptional === true;
    return there.version === wanted.version && there.integrity === wanted.integrity && there.link === wanted.link;
  });
}

/** Installs the dependencies if they are missing or differ from the lock file. */
function installDependencies() {
  checkNode();
  if (dependenciesAreInstalled()) return;
  console.error('Installing dependencies (npm ci) ...');
  npm(['ci', '--no-audit', '--no-fund'], { cwd: ROOT });
}

try {
  installDependencies();
  if (process.argv.includes('--build')) {
    const { buildPackages } = await import('./package-build.mjs');
    buildPackages({ onlyStale: true });
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
