import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inject } from 'vitest';
import { ROOT } from './source-imports.ts';

/** Runs a file of `examples/` as its user does, on the sources. */
export function runExample(name: string, ...args: string[]) {
  const packages = pathToFileURL(`${inject('programs')}/use-bundled-packages.js`).href;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', packages, join(ROOT, 'examples', name), ...args],
    { cwd: ROOT, encoding: 'utf8' },
  );
  return { status, stdout, stderr };
}
