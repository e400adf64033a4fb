import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from './npm.mjs';
import { ROOT, workspacePackages } from './workspace-packages.mjs';

const modifiedMs = (path) => statSync(path).mtimeMs;

function newestMs(directory) {
  return readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((newest, entry) => Math.max(newest, modifiedMs(join(entry.parentPath, entry.name))), 0);
}

/** Whether the build of a package is missing, or older than what it was made from. */
function isStale({ directory }) {
  const dist = join(directory, 'dist');
  if (!existsSync(dist)) return true;
  const outputs = readdirSync(dist).filter((name) => /\.(js|d\.ts)$/.test(name));
  if (outputs.length === 0) return true;
  const builtMs = Math.min(...outputs.map((name) => modifiedMs(join(dist, name))));
  const sourceMs = Math.max(
    newestMs(join(directory, 'src')),
    modifiedMs(join(directory, 'package.json')),
    modifiedMs(join(ROOT, 'tsup.config.ts')),
    modifiedMs(join(ROOT, 'tsconfig.json')),
  );
  return builtMs < sourceMs;
}

/** Builds every package that has a `build` script, dependencies first; `onlyStale`: those that need it. Throws when one fails. */
export function buildPackages({ onlyStale }) {
  for (const each of workspacePackages()) {
    if (!each.manifest.scripts?.build || (onlyStale && !isStale(each))) continue;
    console.error(`Building ${each.name} ...`);
    npm(['run', 'build', '--silent'], { cwd: each.directory });
  }
}
