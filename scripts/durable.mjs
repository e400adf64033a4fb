// `npm run durable [-- directory]`: installs and builds if necessary, then runs
// examples/durable.mjs.
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { ROOT } from './workspace-packages.mjs';

const node = (...args) => spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1;

// npm runs this in the workspace root; a relative directory is resolved against the user's
// directory.
const directories = process.argv.slice(2).map((path) => resolve(process.env.INIT_CWD ?? process.cwd(), path));
process.exitCode =
  node(join(ROOT, 'scripts/bootstrap.mjs'), '--build') || node(join(ROOT, 'examples/durable.mjs'), ...directories);
