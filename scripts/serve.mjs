// `npm run serve [-- OPTIONS]`: installs and builds if necessary, then serves worlds in memory to a
// new token, which it prints.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { serveToNewToken } from './token-server.mjs';
import { ROOT } from './workspace-packages.mjs';

const { status } = spawnSync(process.execPath, [join(ROOT, 'scripts/bootstrap.mjs'), '--build'], { stdio: 'inherit' });
if (status === 0) serveToNewToken([join(ROOT, 'packages/cli/dist/main.js')], process.argv.slice(2));
else process.exitCode = status ?? 1;
