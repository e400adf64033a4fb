// `npm run quickstart [-- file]`: installs and builds if necessary, then runs
// examples/quickstart.mjs.
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { ROOT } from './workspace-packages.mjs';

const node = (...args) => spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1;

// npm runs this in the workspace root; a relative file is resolved against the user's directory.
const files = process.argv.slice(2).map((file) => resolve(process.env.INIT_CWD ?? process.cwd(), file));
process.exitCode =
  node(join(ROOT, 'scripts/bootstrap.mjs'), '--build') || node(join(ROOT, 'examples/quickstart.mjs'), ...files);
